/** A dead alternative: part of a trigger that adds no new sentence. Often a slip, and always a reader's time. */
import { quoted } from '../../util/mask.ts'
import { expandWays, phraseKey } from '../expand.ts'
import { finding, type Finding } from '../finding.ts'
import { parseTemplate, type TemplateNode } from '../template.ts'
import type { LintContext } from './context.ts'
import type { Route } from '../../types.ts'

interface Piece { readonly text: string, readonly template: string, readonly whole: boolean }

export function deadAlternatives({ table }: LintContext): Finding[] {
  return [...table.routes.values()].flatMap(route => deadPieces(route).map(({ text, template, whole }) => {
    const line = route.phrases.find(phrase => phrase.template === template)?.line
    return finding('warning', 'dead-alternative', route, whole
      ? `the trigger ${quoted(template)} adds no sentence that the route's other triggers do not have; take it out`
      : `the alternative ${quoted(text)} in ${quoted(template)} adds no sentence that the route does not have without it; take it out`, line)
  }))
}

/**
 * Every way to a sentence is the set of the pieces (alternatives, and the trigger itself) that it took. From the last piece to the first: a
 * piece is dead when each of its sentences can be reached without it and without the pieces that are dead already.
 */
function deadPieces(route: Route): Piece[] {
  const { pieces, waysBySentence, sentencesByPiece } = waysOf(route)
  const dead = new Set<number>()
  for (let piece = pieces.length - 1; piece >= 0; piece--) {
    const sentences = sentencesByPiece.get(piece)
    if (!sentences) continue
    const without = [...sentences].every(sentence => (waysBySentence.get(sentence) ?? []).some(way => !way.includes(piece) && !way.some(taken => dead.has(taken))))
    if (without) dead.add(piece)
  }
  const deadTemplates = new Set(pieces.filter((piece, at) => piece.whole && dead.has(at)).map(({ template }) => template))
  return pieces.filter((piece, at) => dead.has(at) && (piece.whole || !deadTemplates.has(piece.template)))
}

function waysOf(route: Route) {
  const lists = new Set(route.lists.keys())
  const pieces: Piece[] = []
  const waysBySentence = new Map<string, number[][]>()
  const sentencesByPiece = new Map<number, Set<string>>()
  // A trigger whose sentences are all in an earlier one is no longer among the phrases' templates.
  for (const text of route.triggers ?? [...new Set(route.phrases.map(phrase => phrase.template))]) {
    const template = parseTemplate(text, lists)
    const expanded = expandWays(template)
    if (template.kind === 'bad' || expanded.kind === 'bad') continue
    const first = pieces.length
    pieces.push({ text, template: text, whole: true })
    for (const alternative of alternativesOf(template.nodes)) pieces.push({ text: text.slice(alternative.at, alternative.end), template: text, whole: false })
    for (const way of expanded.ways) {
      const sentence = phraseKey(way.parts)
      const took = [first, ...way.took.map(id => first + 1 + id)]
      waysBySentence.set(sentence, [...waysBySentence.get(sentence) ?? [], took])
      for (const piece of took) sentencesByPiece.set(piece, (sentencesByPiece.get(piece) ?? new Set()).add(sentence))
    }
  }
  return { pieces, waysBySentence, sentencesByPiece }
}

/** In the order of their numbers, which count in reading order. */
function alternativesOf(nodes: readonly TemplateNode[]): { readonly id: number, readonly at: number, readonly end: number }[] {
  return nodes
    .flatMap(node => node.kind === 'choice' ? node.alternatives.flatMap(alternative => [alternative, ...alternativesOf(alternative.nodes)]) : [])
    .sort((a, b) => a.id - b.id)
}
