/** Names of a runtime's tools as an owner writes them: any casing, `*` for any characters. What could never match is refused, since a name that denies nothing denies in vain. */
import { UsherError } from '../../errors.ts'
import { quoted } from '../../util/mask.ts'

export interface ToolNames { has(name: string): boolean }

/** Throws BAD_OPTION. */
export function deniedNames(patterns: readonly string[] = []): ToolNames {
  for (const pattern of patterns) {
    if (pattern === '' || /[\s(),]/.test(pattern)) throw new UsherError('BAD_OPTION', `a tool to deny is one name, * for any characters, such as Bash or mcp__mail__*; got ${quoted(pattern)}, which no tool is called (arguments cannot be named: deny the tool)`)
  }
  const each = patterns.map(pattern => pattern.toLowerCase().split('*'))
  return { has: name => each.some(pieces => fits(name.toLowerCase(), pieces)) }
}

/** The first piece begins the name, the last ends it, the others stand between in order: linear in the name. */
function fits(name: string, pieces: readonly string[]): boolean {
  const [first = '', ...rest] = pieces
  const last = rest.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
