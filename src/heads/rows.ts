/** The texts that a head is fitted from: phrases, sentences that must fire, names, and neutral text that is for no route. */
import { normalise } from '../util/text.ts'
import { MACHINE } from './neutral/machine.ts'
import { QUESTIONS } from './neutral/questions.ts'
import { REMARKS } from './neutral/remarks.ts'

/** A route as a head sees it. */
export interface HeadRoute {
  readonly name: string
  /** No call of it can have an effect, and its threshold is `auto`. */
  readonly free: boolean
  /** `text` as it is embedded, without slots; `template`: the trigger it was expanded from; `slots`: it had some. */
  readonly phrases: readonly { readonly text: string, readonly template: string, readonly slots: boolean }[]
  readonly mustFire: readonly string[]
  /** `not` and `must_not_fire`. */
  readonly never: readonly string[]
}

export interface Row {
  readonly text: string
  /** Number of the route in the head's list; -1: neutral text. */
  readonly route: number
  /** Rows of one trigger are left out together when a row is judged by the others. */
  readonly group: string
  /** The route's name, as a phrase: it helps, and is no evidence. */
  readonly name?: true
}

export const HEADS = {
  /** Triggers without slots from which a route gets a head. With fewer its nearest phrase decides. */
  minTriggers: 5,
  /** Rows of one route: a trigger that expands to hundreds of sentences says little more than its first few. */
  perRoute: 24,
  /** Rows of all routes: fitting takes the third power of them. */
  rows: 2400,
} as const

export const NEUTRAL: readonly string[] = [QUESTIONS, REMARKS, MACHINE].flatMap(texts => texts.split('\n').filter(text => text !== ''))

/** Does the route have enough triggers for a head? */
export function headed({ free, phrases }: HeadRoute): boolean {
  return free && new Set(phrases.filter(({ slots }) => !slots).map(({ template }) => template)).size >= HEADS.minTriggers
}

/**
 * Rows of the routes, ordered by text; empty where no route gets a head, or where they all together would be too many.
 * Routes without a head take part as what a text may mean instead, with fewer rows where there are many.
 */
export function routeRows(routes: readonly HeadRoute[]): readonly Row[] {
  if (!routes.some(headed)) return []
  const own = routes.filter(headed).length
  const others = routes.length - own
  const perHeaded = Math.min(HEADS.perRoute, Math.floor(HEADS.rows / own))
  const perOther = others === 0 ? 0 : Math.min(HEADS.perRoute, Math.floor((HEADS.rows - own * Math.min(perHeaded, 12)) / others))
  if (perHeaded < HEADS.minTriggers) return []
  const rows = new Map<string, Row>()
  for (const [number, route] of routes.entries()) {
    for (const { text, group, name } of chosen(route, headed(route) ? perHeaded : perOther)) {
      const key = normalise(text)
      if (key !== '' && !rows.has(key)) rows.set(key, { text: key, route: number, group: `${number}:${group}`, ...(name ? { name } : {}) })
    }
  }
  const all = [...rows.values()].sort((a, b) => a.text < b.text ? -1 : 1)
  return all.length > HEADS.rows + HEADS.perRoute ? [] : all
}

/** One phrase of each trigger in turn, then the second of each, and so on. */
function chosen(route: HeadRoute, most: number): { text: string, group: string, name?: true }[] {
  const byTrigger = new Map<string, string[]>()
  for (const { text, template } of route.phrases) byTrigger.set(template, [...byTrigger.get(template) ?? [], text])
  for (const text of route.mustFire) byTrigger.set(`must_fire ${text}`, [text])
  const found: { text: string, group: string, name?: true }[] = []
  for (let nth = 0; found.length < most; nth++) {
    const before = found.length
    for (const [group, texts] of byTrigger) {
      const text = texts[nth]
      if (text !== undefined && found.length < most) found.push({ text, group })
    }
    if (found.length === before) break
  }
  const words = nameWords(route.name)
  return words === '' || !headed(route) ? found : [...found, { text: words, group: 'name', name: true }]
}

/** `exchange-rate` and `exchangeRate` are "exchange rate". A name of one letter or of figures says nothing. */
export function nameWords(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_\-\d]+/g, ' ').trim().toLowerCase()
  return /\p{L}{3}/u.test(words) ? words : ''
}
