/** What the rules look at: the table's sentences, each with its words, made once. */
import type { Phrase, Route, RouteTable, Tool } from '../../types.ts'
import { normalise } from '../../util/text.ts'
import { declaredEffects } from '../../vocabulary/effects.ts'
import { FUNCTION_WORDS } from './words.ts'

export interface LintOptions {
  /** Similarity of two sentences in [-1, 1], as the matcher has it. Without it the rules on meaning are left out. */
  readonly score?: (a: string, b: string) => number
  /** Given: a route counts as effectful also by what its tool declares. */
  readonly tools?: ReadonlyMap<string, Tool>
}

export interface Sentence {
  readonly route: Route
  readonly phrase: Phrase
  /** Words in normal form, slots left out. */
  readonly words: readonly string[]
  readonly content: readonly string[]
  readonly hasSlot: boolean
}

export interface LintContext extends LintOptions {
  readonly table: RouteTable
  readonly sentences: readonly Sentence[]
  effectful(route: Route): boolean
}

export function lintContext(table: RouteTable, options: LintOptions): LintContext {
  const routes = [...table.routes.values()]
  const effectful = new Map(routes.map(route => {
    const tool = options.tools?.get(route.tool)
    return [route.name, route.allow.length > 0 || (tool !== undefined && declaredEffects(tool.effects, route.preset).length > 0)]
  }))
  return {
    ...options, table,
    sentences: routes.flatMap(route => route.phrases.map(phrase => sentenceOf(route, phrase))),
    effectful: route => effectful.get(route.name) === true,
  }
}

function sentenceOf(route: Route, phrase: Phrase): Sentence {
  const words = wordsOf(phrase.parts.map(part => part.kind === 'text' ? part.text : ' ').join(''))
  return { route, phrase, words, content: words.filter(word => !FUNCTION_WORDS.has(word)), hasSlot: phrase.parts.some(part => part.kind === 'slot') }
}

export function wordsOf(text: string): string[] {
  return normalise(text).match(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? []
}

/** Each trigger once: the finding is about what was written, not about each of its sentences. */
export function firstOfEachTrigger(sentences: readonly Sentence[]): Sentence[] {
  const seen = new Set<string>()
  return sentences.filter(({ route, phrase }) => {
    const key = `${route.name}\n${phrase.template}`
    return !seen.has(key) && seen.add(key)
  })
}
