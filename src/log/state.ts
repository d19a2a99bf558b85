/** The state folder: what must not lie inside the log file. The key of the masks, and the anchors. */
import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { UsherError } from '../errors.ts'

/** `$USHER_STATE`, else `$XDG_STATE_HOME/usher`, else `~/.local/state/usher`. An empty variable is an unset one, as the XDG base directories have it. */
export function defaultStateDir(env: NodeJS.ProcessEnv = process.env): string {
  return env['USHER_STATE'] || join(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'usher')
}

export const KEY_BYTES = 32

/** The key of the keyed hashes, made on first use, mode 0600. Throws LOG_OPEN_FAILED when it cannot be read, made or is damaged. */
export function maskKey(stateDir: string): Buffer {
  const file = join(stateDir, 'mask.key')
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 })
    const key = readKey(file) ?? makeKey(file)
    if (key.length !== KEY_BYTES) throw new UsherError('LOG_OPEN_FAILED', `the key has ${key.length} bytes instead of ${KEY_BYTES}; put the true one back, or move it away (masks made before will not compare with later ones)`, { where: file })
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
    return key
  } catch (cause) {
    if (UsherError.is(cause)) throw cause
    throw new UsherError('LOG_OPEN_FAILED', `the key for masking secrets cannot be read or made: ${cause instanceof Error ? cause.message : String(cause)}; give a writable stateDir`, { cause, where: file })
  }
}

/** The key, where there is one that this user may read: a question must not make it, nor fail without it. */
export function existingKey(stateDir: string): Buffer | undefined {
  let key: Buffer
  try { key = readFileSync(join(stateDir, 'mask.key')) } catch { return undefined }
  return key.length === KEY_BYTES ? key : undefined
}

function readKey(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
}

/** A link, not a write: two processes that start together must end with one whole key. */
function makeKey(file: string): Buffer {
  const part = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(part, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' })
  try {
    linkSync(part, file)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(part)
  }
  return readFileSync(file)
}
