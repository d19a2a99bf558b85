/**
 * Anchors: the head of the chain, kept outside the log. The chain alone cannot show that its tail was cut or that all of it was written anew.
 */
import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsherError } from '../errors.ts'

/** `signature`: an SSHSIG in base64 over the line without it (signed-anchor.ts). */
export interface Anchor { readonly logId: string, readonly seq: number, readonly hash: string, readonly at: string, readonly signature?: string }

const LINE = /^usher-anchor-v1 ([\w-]{1,64}) (\d{1,16}) ([0-9a-f]{64}) (\S{1,40})(?: sshsig:([A-Za-z0-9+/=]{1,16384}))?$/

export function anchorText(anchor: Anchor): string {
  return `usher-anchor-v1 ${anchor.logId} ${anchor.seq} ${anchor.hash} ${anchor.at}${anchor.signature === undefined ? '' : ` sshsig:${anchor.signature}`}`
}

/** Throws LOG_INVALID for what `usher anchor` did not print. */
export function parseAnchor(line: string): Anchor {
  const found = LINE.exec(line.trim())
  if (!found) throw new UsherError('LOG_INVALID', `not an anchor line: ${JSON.stringify(line.slice(0, 100))}; give the line that usher anchor printed`)
  const [, logId = '', seq = '', hash = '', at = '', signature] = found
  return { logId, seq: Number(seq), hash, at, ...signature === undefined ? {} : { signature } }
}

export function anchorFile(stateDir: string, logId: string): string {
  return join(stateDir, 'anchors', `${logId}.txt`)
}

/** Oldest first. A line cut off by a crash is left out; what an anchor says stands in the lines before it too. */
export function readAnchors(stateDir: string, logId: string): readonly Anchor[] {
  let text: string
  try {
    text = readFileSync(anchorFile(stateDir, logId), 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return []
    throw new UsherError('LOG_INVALID', `the anchors cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error, where: anchorFile(stateDir, logId) })
  }
  return text.split('\n').filter(line => LINE.test(line)).map(parseAnchor)
}

/** More lines than this are thinned out. */
const MAX_LINES = 200

/**
 * Appends; a line is short enough to be written whole. Older lines that the log still bears out are dropped now and then: a newer anchor
 * covers them. Lines that it does not bear out stay for ever: they are the evidence.
 */
export function writeAnchor(stateDir: string, anchor: Anchor, bornOut: (anchor: Anchor) => boolean): void {
  const file = anchorFile(stateDir, anchor.logId)
  mkdirSync(join(stateDir, 'anchors'), { recursive: true, mode: 0o700 })
  appendFileSync(file, `${anchorText(anchor)}\n`, { mode: 0o600 })
  const all = readAnchors(stateDir, anchor.logId)
  if (all.length <= MAX_LINES) return
  const keep = all.filter((line, i) => i >= all.length - MAX_LINES / 2 || !bornOut(line))
  const part = `${file}.${process.pid}`
  writeFileSync(part, keep.map(line => `${anchorText(line)}\n`).join(''), { mode: 0o600 })
  renameSync(part, file)
  chmodSync(file, 0o600)
}
