/** Enumerations in words: `milk, eggs and bread`. */
export interface Item { readonly text: string, readonly start: number, readonly end: number }

const SEPARATOR = /\s*(?:[,;]\s*(?:(?:and|or|plus)\s+)?|\s(?:and|plus|&)\s)\s*/giu

/** The items of an enumeration, each with its place; one item where nothing separates. Quoted text is not cut. */
export function splitList(text: string): readonly Item[] {
  const items: Item[] = []
  let from = 0
  const cuts = [...text.matchAll(SEPARATOR)].filter(cut => !insideQuotes(text, cut.index))
  for (const cut of [...cuts, { index: text.length, 0: '' }]) {
    const item = trimItem(text, from, cut.index)
    if (item) items.push(item)
    from = cut.index + cut[0].length
  }
  return items
}

function insideQuotes(text: string, at: number): boolean {
  return text.slice(0, at).split('"').length % 2 === 0
}

function trimItem(text: string, from: number, to: number): Item | undefined {
  const outer = text.slice(from, to)
  const inner = outer.trim()
  const start = from + outer.indexOf(inner)
  const quoted = /^"[^"]*"$/.test(inner)
  const bare = quoted ? inner.slice(1, -1) : inner
  return bare === '' ? undefined : { text: bare, start: quoted ? start + 1 : start, end: start + inner.length - (quoted ? 1 : 0) }
}
