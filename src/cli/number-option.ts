/** Numbers on the command line, as they were typed: no sign, no exponent, no empty text that counts as 0. */
import { UsherError } from '../errors.ts'

/** Throws BAD_OPTION. @param name with its dashes */
export function wholeNumber(name: string, text: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN
  if (!(value >= least && value <= most)) throw new UsherError('BAD_OPTION', `${name} must be a whole number ${most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`}, got ${JSON.stringify(text)}`)
  return value
}

/** A port on this machine; 0: a free one. Throws BAD_OPTION. */
export const portNumber = (name: string, text: string): number => wholeNumber(name, text, 0, 65_535)

/** Seconds, also parts of one, in ms. Throws BAD_OPTION. */
export function secondsOption(name: string, text: string, most = 86_400): number {
  const value = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 1000) : NaN
  if (!(value > 0 && value <= most * 1000)) throw new UsherError('BAD_OPTION', `${name} must be a number of seconds above 0 and up to ${most}, got ${JSON.stringify(text)}`)
  return value
}
