/** Short hand for the closed word lists: `(a|b)` and `[optional]`, no nesting deeper than needed, one sentence a line. */

function alternatives(text: string): string[] {
  const open = text.search(/[([]/)
  if (open < 0) return [text]
  const close = text[open] === '(' ? ')' : ']'
  let depth = 0
  let end = open
  for (; end < text.length; end++) {
    if (text[end] === '(' || text[end] === '[') depth++
    else if ((text[end] === ')' || text[end] === ']') && --depth === 0) break
  }
  const inner: string[] = []
  let from = open + 1
  let level = 0
  for (let i = open + 1; i < end; i++) {
    if (text[i] === '(' || text[i] === '[') level++
    else if (text[i] === ')' || text[i] === ']') level--
    else if (text[i] === '|' && level === 0) { inner.push(text.slice(from, i)); from = i + 1 }
  }
  inner.push(text.slice(from, end))
  if (close === ']') inner.push('')
  const rest = alternatives(text.slice(end + 1))
  return inner.flatMap(alternatives).flatMap(middle => rest.map(tail => text.slice(0, open) + middle + tail))
}

/** Every sentence of a block of lines, lower case, single spaces, hyphens as spaces. */
export function sentences(block: string): string[] {
  return block.split('\n').map(line => line.trim()).filter(line => line !== '')
    .flatMap(alternatives).map(line => line.replace(/\s+/g, ' ').trim()).filter(line => line !== '')
}
