/** Short hand for the closed word lists: `(a|b)` and `[optional]`, no nesting deeper than needed, one sentence a line. */

/** Where the bracket that opens at `open` closes. */
function closing(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    const letter = text[at]
    if (letter === '(' || letter === '[') depth++
    else if ((letter === ')' || letter === ']') && --depth === 0) return at
  }
  return text.length
}

function choices(text: string): string[] {
  const found: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '(' || letter === '[') at = closing(text, at)
    else if (letter === '|') { found.push(text.slice(from, at)); from = at + 1 }
  }
  found.push(text.slice(from))
  return found
}

/** Single spaces stay single, so that tens of thousands of sentences need no second look. */
function joined(head: string, tail: string): string {
  return tail.startsWith(' ') && head.endsWith(' ') ? head + tail.slice(1) : head + tail
}

/** From the left: what is ready is never built again. */
function alternatives(text: string): string[] {
  let ready = ['']
  let from = 0
  while (from < text.length) {
    const open = from + text.slice(from).search(/[([]|$/)
    if (open > from) {
      const plain = text.slice(from, open)
      ready = ready.map(head => joined(head, plain))
    }
    if (open === text.length) break
    const end = closing(text, open)
    const inner = choices(text.slice(open + 1, end)).flatMap(alternatives)
    if (text[open] === '[') inner.push('')
    ready = ready.flatMap(head => inner.map(middle => joined(head, middle)))
    from = end + 1
  }
  return ready
}

/** Every sentence of a block of lines, single spaces. */
export function sentences(block: string): string[] {
  return block.split('\n').map(line => line.replace(/\s+/g, ' ').trim()).filter(line => line !== '').flatMap(alternatives).map(line => line.trim()).filter(line => line !== '')
}
