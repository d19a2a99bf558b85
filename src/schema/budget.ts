/** How big a tool's visible schema is, and how much of it is described: what a model pays for it and what it gets. */
import type { JsonObject } from '../types.ts'
import { keyword } from './subschemas.ts'
import { sameValue, walkOnce } from './walk.ts'

export interface BudgetOptions { /** UTF-16 units of one serialised schema; reaching it is over. Default 16,384. */ readonly maxChars?: number, /** Least share of described parts over all tools. Default 0.55. */ readonly minDescribed?: number }
export const BUDGET_DEFAULTS = { maxChars: 16_384, minDescribed: 0.55 } as const

export interface ToolBudget {
  readonly tool: string
  /** UTF-16 units of `JSON.stringify(schema)`, the very text that goes out. */
  readonly chars: number
  /** Properties, map values and items, at any depth; a definition's parts count once, however often it is referenced. */
  readonly parts: number
  readonly described: number
  readonly over: boolean
}

export interface SchemaBudget {
  readonly unit: 'UTF-16 units'
  readonly tools: readonly ToolBudget[]
  readonly total: number
  readonly largest: number
  readonly parts: number
  readonly described: number
  /** Described share in percent, two decimals; 100 where nothing has parts. */
  readonly percent: number
  readonly ok: boolean
  /** What is wrong and what to do, largest first. */
  readonly advice: readonly string[]
}

export function measureSchema(tool: string, schema: JsonObject, maxChars: number = BUDGET_DEFAULTS.maxChars): ToolBudget {
  const chars = JSON.stringify(schema).length
  const counted = new Set<JsonObject>()
  let described = 0
  for (const place of walkOnce(schema).places) {
    // A place behind a reference or a branch speaks of a part that was counted where it hangs.
    if (!place.step || counted.has(place.schema) || !hangsHere(place.parent, place.schema)) continue
    counted.add(place.schema)
    if (isDescribed(schema, place.schema)) described++
  }
  return { tool, chars, parts: counted.size, described, over: chars >= maxChars }
}

/** Is it the parent's own property, map value or item, rather than what that one refers to? */
function hangsHere(parent: JsonObject | undefined, schema: JsonObject): boolean {
  if (!parent) return false
  return ['properties', 'patternProperties'].some(name => holds(keyword(parent, name), schema))
    || ['additionalProperties', 'unevaluatedProperties', 'items', 'additionalItems', 'unevaluatedItems', 'contains'].some(name => keyword(parent, name) === schema)
    || ['items', 'prefixItems'].some(name => holds(keyword(parent, name), schema))
}

const holds = (table: unknown, schema: JsonObject) => typeof table === 'object' && table !== null && Object.values(table).includes(schema)

function isDescribed(root: JsonObject, schema: JsonObject): boolean {
  return sameValue(root, { schema, names: [], conditional: false, parent: undefined }).some(spot => {
    const text = keyword(spot.schema, 'description')
    return typeof text === 'string' && text.trim() !== ''
  })
}

export function measureSchemas(tools: readonly { readonly name: string, readonly visible: JsonObject }[], options: BudgetOptions = {}): SchemaBudget {
  const { maxChars, minDescribed } = { ...BUDGET_DEFAULTS, ...options }
  const budgets = tools.map(({ name, visible }) => measureSchema(name, visible, maxChars)).sort((a, b) => b.chars - a.chars)
  const sum = (read: (budget: ToolBudget) => number) => budgets.reduce((total, budget) => total + read(budget), 0)
  const [parts, described] = [sum(({ parts }) => parts), sum(({ described }) => described)]
  const share = parts === 0 ? 1 : described / parts
  const over = budgets.filter(({ over }) => over)
  const poor = share < minDescribed
  const advice = [
    ...over.map(({ tool, chars }) => `${tool}: ${chars} UTF-16 units reach the limit of ${maxChars}; move definitions that are used twice into $defs, shorten descriptions, or split the tool`),
    ...(poor ? [...budgets].sort((a, b) => (b.parts - b.described) - (a.parts - a.described)).slice(0, 5).filter(({ parts, described }) => parts > described).map(({ tool, parts, described }) => `${tool}: ${parts - described} of ${parts} parts have no description; describe them`) : []),
  ]
  return { unit: 'UTF-16 units', tools: budgets, total: sum(({ chars }) => chars), largest: budgets[0]?.chars ?? 0, parts, described, percent: Math.floor(share * 10_000) / 100, ok: over.length === 0 && !poor, advice }
}
