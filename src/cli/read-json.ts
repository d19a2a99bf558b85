/** A JSON file that a person named. */
import { readFileSync } from 'node:fs'
import { UsherError } from '../errors.ts'

/** Throws BAD_OPTION, naming the file. */
export function readJson(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UsherError('BAD_OPTION', `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsherError('BAD_OPTION', `${file} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
