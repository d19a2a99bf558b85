/** When is opening a file a write? */
import { constants } from 'node:fs'

const WRITING = constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND

/** Flags of `open`: `w`, `a`, `r+`, `wx`, a number; nothing stands for `fallback`. */
export function opensForWrite(flags: unknown, fallback = 'r'): boolean {
  const given = flags ?? fallback
  // The usual ones first: this is asked for every file that is opened or written.
  if (given === 'w' || given === 'a') return true
  if (given === 'r') return false
  return typeof given === 'number' ? (given & WRITING) !== 0 : /[wa+]/.test(String(given))
}

/** Names where writing changes nothing, or is a standard stream. */
const NOWHERE = /^\/dev\/(null|zero|full|tty|pts\/\d+|stdout|stderr|fd\/[12])$|^\/proc\/self\/fd\/[12]$/

export const isNowhere = (path: string): boolean => (path.startsWith('/dev/') || path.startsWith('/proc/')) && NOWHERE.test(path)
