/** Of all readings of a text, the best ones that do not overlap: each stretch of words is read once. */
import type { Judged } from './judge.ts'

/** Two routes whose best readings are this close ask for the same words: both are given, and the gate calls it ambiguous. */
const TIE = 0.15

const overlaps = (a: Judged, b: Judged): boolean => a.alignment.start < b.alignment.end && b.alignment.start < a.alignment.end
/** "kitchen lights out" holds "lights out", which alone would be a part of a name. */
const covers = (outer: Judged, inner: Judged): boolean => outer.alignment.start < inner.alignment.start && outer.alignment.end >= inner.alignment.end && outer.alignment.pattern.how === 'as written' && outer.alignment.pattern.elements[0]?.kind === 'slot'
const withinSlot = (inner: Judged, outer: Judged): boolean => outer.alignment.fills.some(fill => inner.alignment.start >= fill.start && inner.alignment.end <= fill.end)

/** "drain the bond drain the pond": misheard, and said again at once. */
const saidAgain = ({ alignment: one }: Judged, { alignment: again }: Judged): boolean => one.slips > 0 && again.slips === 0 && one.pattern.phrase === again.pattern.phrase && one.end === again.start

export function select(judged: readonly Judged[]): { readonly asks: readonly Judged[], readonly objected: readonly Judged[] } {
  const ordered = [...judged].sort((a, b) => b.rank - a.rank || a.alignment.start - b.alignment.start || a.alignment.cost - b.alignment.cost)
  const asks: Judged[] = []
  const objected: Judged[] = []
  for (const item of ordered) {
    const route = item.alignment.pattern.route
    const barred = objected.some(other => other.alignment.pattern.route === route && overlaps(item, other) && !covers(item, other) && other.objection?.firm === true && other.rank > item.rank)
    // "he keeps asking, take me there, take me there": once a report, the sentence goes on as one.
    const told = objected.some(other => other.alignment.pattern.route === route && other.sentence === item.sentence && other.alignment.start < item.alignment.start && other.objection?.firm === true && /report|other-person/.test(other.objection.reason))
    if (item.objection || barred || told) {
      if (!objected.some(other => other.alignment.pattern.route === route && !barred && overlaps(item, other) && other.rank >= item.rank && other.objection?.firm)) objected.push(item)
      continue
    }
    if (asks.some(other => saidAgain(item, other))) continue
    const rivals = asks.filter(other => overlaps(item, other))
    if (rivals.some(other => other.alignment.pattern.route === route || withinSlot(item, other) || other.rank - item.rank > TIE)) continue
    asks.push(item)
  }
  const best = new Map<string, Judged>()
  for (const item of objected) if (item.objection && !best.has(item.alignment.pattern.route)) best.set(item.alignment.pattern.route, item)
  return { asks, objected: [...best.values()] }
}
