/** Our own tools' schemas, written with zod. Apart from `visible.ts`: a process that judges only schemas from outside never loads zod. */
import * as z from 'zod'
import { markMade, refused, visibleFromForeign, type VisibleResult } from './visible.ts'

/** Zod 4 through `z.toJSONSchema`, input side (what a caller writes, before transforms and defaults). */
export function visibleFromZod(schema: z.ZodType): VisibleResult {
  let json: unknown
  try {
    json = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return refused('not-representable', `${error.message}; describe the parameter with types that JSON has`)
  }
  // Through text: what goes out is data, and nothing of zod's own objects stays attached.
  const seen = visibleFromForeign(JSON.parse(JSON.stringify(json)))
  if (seen.kind !== 'refused') markMade(seen.schema)
  return seen
}
