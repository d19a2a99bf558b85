/** What a person grants to drafted tools on the command line: to all that name nothing, or to one by its name. */
import { toolKey } from '../contract/draft.ts'
import { UsherError } from '../errors.ts'
import type { JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'

export interface GrantOptions {
  /** `fs.read,http.get`, or `notes/add=fs.write`. */
  readonly privileges?: readonly string[]
  /** `{"always":[]}`, or `notes/add={"always":["fs.write"]}`. */
  readonly effects?: readonly string[]
}

interface Grants { readonly general: string | undefined, readonly byTool: ReadonlyMap<string, string> }

/** A grant for one tool is `TOOL=VALUE`, where TOOL is one of the drafted ones: a name with `=` in it is found all the same. */
function read(option: string, given: readonly string[], tools: readonly string[]): Grants {
  const byTool = new Map<string, string>()
  let general: string | undefined
  for (const text of given) {
    const tool = tools.filter(name => text.startsWith(`${name}=`)).sort((a, b) => b.length - a.length)[0]
    if (tool !== undefined) byTool.set(tool, text.slice(tool.length + 1))
    else if (/^[^{]*=/.test(text)) throw new UsherError('BAD_OPTION', `${option} ${JSON.stringify(text)} names a tool that is in none of these drafts: ${tools.join(', ')}`)
    else if (general !== undefined) throw new UsherError('BAD_OPTION', `${option} ${JSON.stringify(text)} is for no tool of these drafts (${tools.join(', ')}), and one for all of them was given already`)
    else general = text
  }
  return { general, byTool }
}

function effectsOf(text: string): JsonObject {
  let effects: unknown
  try {
    effects = JSON.parse(text)
  } catch (cause) {
    throw new UsherError('BAD_OPTION', `--effects must be JSON, got ${text}`, { cause })
  }
  if (!isRecord(effects)) throw new UsherError('BAD_OPTION', `--effects must be an object such as {"always":["fs.write"]}, got ${text}`)
  return effects
}

const listOf = (text: string): readonly string[] => text.split(',').map(name => name.trim()).filter(name => name !== '')

/** What is said for all fills only what a draft left open; what is said for one tool is that tool's, whatever its draft says. Throws BAD_OPTION. */
export function completedTools(tools: readonly JsonObject[], options: GrantOptions): readonly JsonObject[] {
  const names = tools.map(toolKey)
  const privileges = read('--privileges', options.privileges ?? [], names)
  const effects = read('--effects', options.effects ?? [], names)
  return tools.map(tool => {
    const own = privileges.byTool.get(toolKey(tool))
    const named = Array.isArray(tool['privileges']) && tool['privileges'].length > 0 ? tool['privileges'] : listOf(privileges.general ?? '')
    const open = JSON.stringify(tool['effects']) === '{"always":["unknown"]}'
    const said = effects.byTool.get(toolKey(tool)) ?? (open ? effects.general : undefined)
    return { ...tool, privileges: own === undefined ? named : listOf(own), ...said === undefined ? {} : { effects: effectsOf(said) } }
  })
}
