/** Slot lists as the filler reads them: which words stand for which value. */
import type { ListValue } from '../types.ts'
import { quoted } from '../util/mask.ts'
import { normalise } from '../util/text.ts'
import { expandWays, phrasesOf } from './expand.ts'
import type { SharedSource } from './format.ts'
import type { MergedRoute } from './shared.ts'
import { parseTemplate, SLOT_TYPES } from './template.ts'
import type { Problem } from './problem.ts'

type ListSource = NonNullable<SharedSource['lists']>[string][number]

export function buildLists(merged: MergedRoute, report: (problem: Problem) => void): ReadonlyMap<string, readonly ListValue[]> {
  const lists = new Map<string, readonly ListValue[]>()
  for (const [name, source] of Object.entries(merged.source.lists ?? {})) {
    if ((SLOT_TYPES as readonly string[]).includes(name)) report({ ...merged.at(['lists', name], 'key'), message: `a list must not be called ${JSON.stringify(name)}, which is a type of slots; choose another name` })
    const values = source.map((value, at) => listValue(value, message => report({ ...merged.at(['lists', name, at]), message })))
    checkWords(name, values, merged, report)
    lists.set(name, values)
  }
  return lists
}

/** What people say is a template, as in triggers; a plain text is both what they say and the value, so it cannot be one. */
function listValue(source: ListSource, report: (message: string) => void): ListValue {
  if (typeof source === 'string') {
    if (/[[\](){}|\\]/.test(source)) report(`${quoted(source)} has brackets, and is both what people say and the value; write { in: ${quoted(source)}, out: value }`)
    return { in: [source], out: source }
  }
  const words = (typeof source.in === 'string' ? [source.in] : source.in).flatMap(template => {
    const expanded = expandWays(parseTemplate(template))
    if (expanded.kind === 'ways' && !expanded.ways.some(({ parts }) => parts.some(part => part.kind === 'slot'))) return phrasesOf(expanded.ways, template).map(({ text }) => text)
    report(`${quoted(template)}: ${expanded.kind === 'bad' ? expanded.message : 'a list has no slots; write the words'}`)
    return []
  })
  return { in: [...new Set(words)], out: source.out }
}

/** One word for two values would be a guess. */
function checkWords(name: string, values: readonly ListValue[], merged: MergedRoute, report: (problem: Problem) => void): void {
  const seen = new Map<string, ListValue['out']>()
  for (const [at, value] of values.entries()) {
    for (const word of value.in) {
      const key = normalise(word)
      const place = merged.at(['lists', name, at])
      if (key === '') report({ ...place, message: `${quoted(word)} in list ${JSON.stringify(name)} has no letter or digit; write a word` })
      else if (seen.has(key) && seen.get(key) !== value.out) report({ ...place, message: `${quoted(word)} in list ${JSON.stringify(name)} stands for two values, ${JSON.stringify(seen.get(key))} and ${JSON.stringify(value.out)}; keep one` })
      seen.set(key, value.out)
    }
  }
}
