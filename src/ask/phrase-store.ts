/** Patterns and gists of phrases, made when first asked for. */
import type { Phrase, Route } from '../types.ts'
import { gistOf, type Gist } from './offers.ts'
import { asWritten, patternsOf, type Element, type Pattern } from './patterns.ts'
import { words } from './tokens.ts'

export type AskRoute = Pick<Route, 'name' | 'phrases' | 'not' | 'lists'>

/** Phrases whose patterns are kept: some 20 KB each. */
const MOST_KEPT = 10_000

export class PhraseStore {
  readonly #routes: AskRoute[] = []
  readonly #phrases: Phrase[] = []
  /** Route -> the place of its first phrase. */
  readonly #first = new Map<string, number>()
  readonly #byName = new Map<string, AskRoute>()
  readonly #patterns = new Map<number, readonly Pattern[]>()
  readonly #asWritten = new Map<number, Pattern>()
  readonly #gists = new Map<number, Gist>()
  readonly #own = new Map<string, ReadonlySet<string>>()

  constructor(routes: Iterable<AskRoute>) {
    for (const route of routes) {
      this.#first.set(route.name, this.#phrases.length)
      this.#byName.set(route.name, route)
      for (const phrase of route.phrases) {
        this.#routes.push(route)
        this.#phrases.push(phrase)
      }
    }
  }

  get routes(): Iterable<AskRoute> {
    return this.#byName.values()
  }

  /** Every pattern of the phrase at this place of the table, as written first. */
  patterns(place: number): readonly Pattern[] {
    const known = this.#patterns.get(place)
    if (known) return known
    if (this.#patterns.size >= MOST_KEPT) this.#patterns.clear()
    const route = this.#routes[place]
    const phrase = this.#phrases[place]
    const made = route && phrase ? patternsOf(route.name, phrase).map(pattern => withLists(pattern, route)) : []
    this.#patterns.set(place, made)
    return made
  }

  /** Its elements without the values of lists. Undefined: no such phrase. */
  asWritten(place: number): Pattern | undefined {
    const known = this.#asWritten.get(place)
    const [route, phrase] = [this.#routes[place], this.#phrases[place]]
    if (known || !route || !phrase) return known
    if (this.#asWritten.size >= MOST_KEPT) this.#asWritten.clear()
    const made = asWritten(route.name, phrase)
    this.#asWritten.set(place, made)
    return made
  }

  gist(place: number): Gist | undefined {
    const known = this.#gists.get(place)
    if (known) return known
    const route = this.#routes[place]
    const phrase = this.#phrases[place]
    if (!route || !phrase) return undefined
    if (this.#gists.size >= MOST_KEPT) this.#gists.clear()
    const made = gistOf(route.name, phrase)
    this.#gists.set(place, made)
    return made
  }

  /** Of all phrases of a route; undefined: there is no such route. */
  gists(route: string): readonly Gist[] | undefined {
    const first = this.#first.get(route)
    const count = this.#byName.get(route)?.phrases.length
    return first === undefined || count === undefined ? undefined : Array.from({ length: count }, (_, i) => this.gist(first + i)).filter(gist => gist !== undefined)
  }

  /** The words of a route's name and of its phrases. */
  own(name: string): ReadonlySet<string> | undefined {
    const known = this.#own.get(name)
    const route = this.#byName.get(name)
    if (known || !route) return known
    if (this.#own.size >= MOST_KEPT) this.#own.clear()
    const made = new Set([...words(route.name.replace(/[-_]/g, ' ')), ...route.phrases.flatMap(phrase => phrase.parts.flatMap(part => part.kind === 'text' ? words(part.text) : []))])
    this.#own.set(name, made)
    return made
  }
}

function withLists(pattern: Pattern, route: AskRoute): Pattern {
  if (!pattern.elements.some(element => element.kind === 'slot' && element.slot.list !== undefined)) return pattern
  const elements = pattern.elements.map((element): Element => {
    if (element.kind !== 'slot' || element.slot.list === undefined) return element
    const values = route.lists.get(element.slot.list) ?? []
    return { ...element, values: new Set(values.flatMap(value => value.in).map(text => words(text).join(' '))) }
  })
  return { ...pattern, elements }
}
