/** The form of an evaluation file, checked at the door. */
import { z } from 'zod'
import { UsherError } from '../errors.ts'

const ListEntry = z.union([z.string().min(1), z.object({ in: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]), out: z.union([z.string(), z.number(), z.boolean()]) })])

const RouteShape = z.object({
  name: z.string().min(1),
  tool: z.string().optional(),
  triggers: z.array(z.string().min(1)).min(1),
  not: z.array(z.string()).optional(),
  /** Values that `{slot:list}` may hold, as in a route file. */
  lists: z.record(z.string(), z.array(ListEntry)).optional(),
  from: z.array(z.string().min(1)).optional(),
  preset: z.unknown().optional(),
  effects: z.unknown().optional(),
})

const CaseShape = z.object({
  text: z.string(),
  source: z.string().min(1).default('user'),
  route: z.string().nullable(),
  kind: z.string().min(1).default('other'),
  /** Slot -> acceptable texts; null: not checked; `{}`: the matching trigger has no slot. */
  slots: z.record(z.string(), z.array(z.string()).nullable()).optional(),
})

const DataShape = z.object({ routes: z.array(RouteShape).min(1), cases: z.array(CaseShape) })

export type EvalRoute = z.infer<typeof RouteShape>
export type EvalCase = z.infer<typeof CaseShape>
export type EvalData = z.infer<typeof DataShape>

/**
 * @param data the parsed JSON of an evaluation file
 * @param where its name, for the message
 * @throws UsherError BAD_OPTION with the first fault and its place
 */
export function evalData(data: unknown, where = 'the evaluation file'): EvalData {
  const parsed = DataShape.safeParse(data)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new UsherError('BAD_OPTION', `not an evaluation file: ${issue?.message ?? 'wrong form'} at ${issue?.path.join('.') || 'the top'}; expected { routes: [...], cases: [...] }`, { where })
  }
  const names = new Set<string>()
  for (const route of parsed.data.routes) {
    if (names.has(route.name)) throw new UsherError('BAD_OPTION', `two routes are named ${JSON.stringify(route.name)}; give each a name of its own`, { where })
    names.add(route.name)
  }
  parsed.data.cases.forEach((item, at) => {
    if (item.route !== null && !names.has(item.route)) throw new UsherError('BAD_OPTION', `cases.${at} (${JSON.stringify(item.text.slice(0, 60))}) expects the route ${JSON.stringify(item.route)}, which the file does not have; its routes: ${[...names].join(', ')}`, { where })
  })
  return parsed.data
}
