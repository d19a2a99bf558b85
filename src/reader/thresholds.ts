/** The probabilities at which the second reader speaks. They belong to one model and are refused with another (`encoder:pinned`). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UsherError } from '../errors.ts'
import type { ReaderThresholds } from '../ports.ts'

const share = z.number().min(0).max(1)
const misses = z.object({ near: share, wording: share, told: share, silent: share })
const form = z.object({ model: z.string(), object: z.object({ open: share, whole: share, worked: share }), offer: misses, fire: misses, none: share.optional() })

/**
 * Reads `thresholds.json` of a reader's folder: `{ model, object, offer, fire, ... }`.
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
  const model = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)['model'] : undefined
  if (model !== id) throw new UsherError('ENCODER_MISMATCH', `${file} was fitted for the model ${JSON.stringify(model)}, not for ${id}; fit it again`)
  const parsed = form.safeParse(raw)
  if (!parsed.success) {
    const said = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; ')
    throw new UsherError('MODEL_CHANGED', `${file} needs probabilities \`object\`, \`offer\` and \`fire\` by standing: ${said}; install the package again`)
  }
  const { object, offer, fire, none } = parsed.data
  const early = Object.keys(fire).find(key => fire[key as keyof typeof fire] < offer[key as keyof typeof offer])
  if (early) throw new UsherError('MODEL_CHANGED', `${file} would fire at less than it takes to offer (\`${early}\`); fit it again`)
  return { object, offer, fire, ...none === undefined ? {} : { none } }
}
