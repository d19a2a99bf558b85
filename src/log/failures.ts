/** SQLite's errors as ours: what was tried, on which file, what to do. */
import { UsherError, type ErrorCode } from '../errors.ts'

const ADVICE = new Map<string, string>([
  ['SQLITE_FULL', 'the disk (or the file\'s page limit) is full: make room'],
  ['SQLITE_BUSY', 'another process held the file too long: look who has it open'],
  ['SQLITE_READONLY', 'the file cannot be written: check its owner, mode and file system'],
  ['SQLITE_CANTOPEN', 'the file cannot be opened: check the folder and its rights'],
  ['SQLITE_NOTADB', 'the file is not a SQLite database: move it away'],
  ['SQLITE_CORRUPT', 'the file is damaged: move it away and keep it, then run usher verify on it'],
  ['SQLITE_IOERR', 'the disk failed: check it'],
  ['SQLITE_TOOBIG', 'the row is too big: send a reference instead of the value'],
])

export function sqliteCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : ''
}

/** Keeps an UsherError as it is; anything else becomes one, with the cause. */
export function logError(code: ErrorCode, what: string, file: string, cause: unknown): UsherError {
  if (UsherError.is(cause)) return cause
  const found = sqliteCode(cause)
  const advice = [...ADVICE].find(([prefix]) => found.startsWith(prefix))?.[1] ?? 'nothing was called; see the cause'
  const message = cause instanceof Error ? cause.message : String(cause)
  return new UsherError(code, `${what} ${file}: ${found ? `${found}: ` : ''}${message}; ${advice}`, { cause })
}
