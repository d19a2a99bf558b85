/**
 * Sends anchors on by themselves, where the owner set that up: in a process of its own, which outlives the writer, so that a slow network or a
 * key in an agent holds up no call. What became of the last one is kept beside the anchors, for whoever opens the log next.
 */
import { spawn } from 'node:child_process'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtFile } from '../util/built.ts'
import { isRecord } from '../util/records.ts'
import { type Anchor, anchorText } from './anchors.ts'
import { type AnchorSettings, readAnchorSettings } from './anchor-settings.ts'

/** What became of the last anchor that was to leave this machine. */
export interface Sent { readonly kind: 'sending' | 'sent' | 'failed', readonly seq: number, readonly at: string, readonly why?: string }

export const sentFile = (stateDir: string, logId: string): string => join(stateDir, 'anchors', `${logId}.sent`)

/** Undefined: none was to leave yet, or what is there is not ours. */
export function readSent(stateDir: string, logId: string): Sent | undefined {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(sentFile(stateDir, logId), 'utf8'))
  } catch {
    return undefined // not there, or cut off by a crash: the next one is sent all the same
  }
  if (!isRecord(value)) return undefined
  const { kind, seq, at, why } = value
  if ((kind !== 'sending' && kind !== 'sent' && kind !== 'failed') || typeof seq !== 'number' || typeof at !== 'string') return undefined
  return { kind, seq, at, ...typeof why === 'string' ? { why } : {} }
}

export function writeSent(file: string, sent: Sent): void {
  const part = `${file}.${process.pid}`
  writeFileSync(part, `${JSON.stringify(sent)}\n`, { mode: 0o600 })
  renameSync(part, file)
}

export class AnchorSender {
  readonly #stateDir: string
  readonly #settings: AnchorSettings

  private constructor(stateDir: string, settings: AnchorSettings) {
    this.#stateDir = stateDir
    this.#settings = settings
  }

  /** Undefined: the owner set up nothing. Throws BAD_OPTION. */
  static of(stateDir: string): AnchorSender | undefined {
    const settings = readAnchorSettings(stateDir)
    return settings && new AnchorSender(stateDir, settings)
  }

  /** Why the last one did not arrive, in words. */
  failure(logId: string): string | undefined {
    const last = readSent(this.#stateDir, logId)
    return last?.kind === 'failed' ? `the anchor of row ${last.seq} could not be sent at ${last.at}: ${last.why ?? 'nobody knows why'}` : undefined
  }

  /** Starts the sending, where the last one is long enough ago and of an older row. The anchor stands in the state folder by then. */
  offer(anchor: Anchor): void {
    const file = sentFile(this.#stateDir, anchor.logId)
    const before = statSync(file, { throwIfNoEntry: false })
    if (before && Date.now() - before.mtimeMs < this.#settings.every && Date.now() >= before.mtimeMs) return
    if (readSent(this.#stateDir, anchor.logId)?.seq === anchor.seq) return
    // Before it is sent: of several writers only one does.
    writeSent(file, { kind: 'sending', seq: anchor.seq, at: anchor.at })
    const { NODE_OPTIONS: _options, ...env } = process.env
    const child = spawn(process.execPath, [builtFile(import.meta.url, './anchor-child.js').pathname], { detached: true, stdio: 'ignore', env: { ...env, SSH_ASKPASS_REQUIRE: 'never', USHER_ANCHOR: anchorText(anchor), USHER_ANCHOR_STATE: this.#stateDir } })
    child.on('error', error => writeSent(file, { kind: 'failed', seq: anchor.seq, at: anchor.at, why: error.message }))
    child.unref()
  }
}
