/** The probabilities at which the second reader speaks. They belong to one model and are refused with another (`encoder:pinned`). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsherError } from '../errors.ts'
import type { ReaderThresholds } from '../ports.ts'

const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1

/**
 * Reads `thresholds.json` of a reader's folder: `{ model, object, drop, sure, ... }`.
 * @param id the model's id
 * @throws UsherError MODEL_MISSING, MODEL_CHANGED where it has another form, ENCODER_MISMATCH where it belongs to another model
 */
export function readThresholds(dir: string, id: string): ReaderThresholds {
  const file = join(dir, 'thresholds.json')
  let raw: unknown
  try {
    raw = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new UsherError('MODEL_MISSING', `the reader's thresholds cannot be read in ${file}; install the package again`, { cause })
  }
  const { model, object, drop, sure } = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>
  if (model !== id) throw new UsherError('ENCODER_MISMATCH', `${file} was fitted for the model ${JSON.stringify(model)}, not for ${id}; fit it again`)
  if (!isShare(object) || !isShare(drop) || !isShare(sure) || object > sure || drop > sure) {
    throw new UsherError('MODEL_CHANGED', `${file} needs probabilities \`object\` and \`drop\`, neither above \`sure\`; got ${String(object)}, ${String(drop)} and ${String(sure)}`)
  }
  return { object, drop, sure }
}
