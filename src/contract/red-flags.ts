/** What a person must look at before they sign: facts about a draft, each with a stable code. */
import { armedDefaults } from '../schema/arming.ts'
import type { Json, JsonObject } from '../types.ts'
import { quoted } from '../util/mask.ts'
import { isRecord } from '../util/records.ts'
import { canonicalJson } from '../util/canonical.ts'
import type { ServerIdentity } from './format.ts'
import type { Contract } from './contract.ts'
import { contractKey } from './contract.ts'
import { toolKey } from './draft.ts'
import { skeleton, unsafeName } from './names.ts'
import { shellCommand } from './shell.ts'
import { hiddenIn } from './show-text.ts'

export type RedFlagCode = 'new-server' | 'new-address' | 'new-command' | 'new-bytes' | 'shell-command' | 'inline-code' | 'floating-package' | 'privilege-widening' | 'privileged-name' | 'look-alike' | 'hidden-text' | 'instructs' | 'armed-default' | 'claim' | 'seen-acting'

export interface RedFlag { readonly code: RedFlagCode, readonly tool: string, readonly message: string }

/** Words by which a description gives orders to a model instead of describing. */
const ORDERS = /\b(?:always (?:call|use|run)|(?:call|use|run) this (?:tool )?(?:first|before)|do not (?:tell|mention|inform)|don'?t (?:tell|mention|inform)|ignore (?:all |any |the )?(?:previous|prior|other)|without (?:asking|confirmation)|<important>|you must|system prompt|pass \w+\s*[:=]\s*true)\b/i
const INLINE_CODE: ReadonlySet<string> = new Set(['-e', '--eval', '-p', '--print', '-c', '-r', '--import', '--require'])
const LAUNCHERS = /^(?:npx|bunx|pnpx|uvx|pipx|docker|podman|deno)$/
/** `name@1.2.3`, `name==1.2.3`, `image@sha256:...`. */
const EXACT = /@\d+\.\d+\.\d+|==\d|@sha256:[0-9a-f]{64}/

function texts(value: Json, found: string[] = []): readonly string[] {
  if (typeof value === 'string') found.push(value)
  else if (Array.isArray(value)) for (const item of value as readonly Json[]) texts(item, found)
  else if (isRecord(value)) for (const [name, item] of Object.entries(value)) { found.push(name); texts(item, found) }
  return found
}

function commandFlags(command: readonly string[], tool: string): RedFlag[] {
  const flags: RedFlag[] = []
  const add = (code: RedFlagCode, message: string): void => { flags.push({ code, tool, message }) }
  const shell = shellCommand(command)
  if (shell) add('shell-command', shell)
  const [program = '', ...rest] = command
  const name = program.replace(/^.*[/\\]/, '')
  const inline = /^(?:node|deno|bun|python[\d.]*|ruby|perl|php)$/.test(name) ? rest.find(word => INLINE_CODE.has(word)) : undefined
  if (inline) add('inline-code', `"${name} ${inline}" runs code that stands in the command itself`)
  if (LAUNCHERS.test(name) && !rest.some(word => EXACT.test(word))) add('floating-package', `"${name}" fetches whatever version is newest: name one exactly`)
  return flags
}

/** Which pins, or which digest, are others. */
function otherBytes(known: ServerIdentity, server: JsonObject): string {
  if ('digest' in known) return `its digest is ${quoted(String(server['digest']).slice(0, 12))}, was ${quoted(known.digest.slice(0, 12))}`
  const pins = (Array.isArray(server['pins']) ? server['pins'] : []).filter(isRecord)
  const changed = pins.filter(pin => !known.pins.some(one => one.path === pin['path'] && one.sha256 === pin['sha256'])).map(pin => String(pin['path']))
  const gone = known.pins.filter(one => !pins.some(pin => pin['path'] === one.path)).map(one => `${one.path} (no longer pinned)`)
  return [...changed, ...gone].map(quoted).join(', ')
}

function serverFlags(record: JsonObject, current: readonly Contract[], tool: string): RedFlag[] {
  const server = isRecord(record['server']) ? record['server'] : {}
  const known = current.find(contract => contract.server?.name === server['name'])?.server
  const command = Array.isArray(server['command']) ? server['command'].filter(word => typeof word === 'string') : []
  const flags = command.length > 0 ? commandFlags(command, tool) : []
  const said = typeof server['url'] === 'string' ? quoted(server['url']) : command.map(quoted).join(' ')
  if (!known) flags.push({ code: 'new-server', tool, message: `comes from a server that no contract names yet: ${said}` })
  else if (typeof server['url'] === 'string' && (!('url' in known) || known.url !== server['url'])) flags.push({ code: 'new-address', tool, message: `comes from another address than signed: ${said}` })
  else if (command.length > 0 && (!('command' in known) || JSON.stringify(known.command) !== JSON.stringify(command))) flags.push({ code: 'new-command', tool, message: `has another command than signed: ${said}` })
  else if (canonicalJson(known as unknown as JsonObject) !== canonicalJson(server)) flags.push({ code: 'new-bytes', tool, message: `comes from other bytes of its server than signed: ${otherBytes(known, server)}` })
  return flags
}

function nameFlags(record: JsonObject, current: readonly Contract[], tool: string): RedFlag[] {
  const name = String(record['name'])
  const unsafe = unsafeName(name)
  const alike = current.filter(contract => contractKey(contract) !== tool && skeleton(contract.name) === skeleton(name))
  return [
    ...unsafe ? [{ code: 'look-alike', tool, message: unsafe } as const] : [],
    ...alike.map((contract): RedFlag => contract.name === name
      ? { code: 'privileged-name', tool, message: `reuses the name of ${contractKey(contract)}, which has the privileges ${contract.privileges.join(', ')}` }
      : { code: 'look-alike', tool, message: `its name looks like that of ${contractKey(contract)}` }),
  ]
}

/** Every flag of one draft record, against the contracts of now. */
export function redFlags(record: JsonObject, current: readonly Contract[]): readonly RedFlag[] {
  const tool = toolKey(record)
  const known = current.find(contract => contractKey(contract) === tool)
  const privileges = Array.isArray(record['privileges']) ? record['privileges'].filter(name => typeof name === 'string') : []
  const wider = privileges.filter(name => known && !known.privileges.includes(name))
  const said = texts({ description: record['description'] ?? '', title: record['title'] ?? '', inputSchema: record['inputSchema'] ?? {}, annotations: record['annotations'] ?? {}, outputSchema: record['outputSchema'] ?? {}, rest: record['draft_wire'] ?? {} })
  const hidden = [...new Set(said.flatMap(hiddenIn))]
  const order = said.map(text => ORDERS.exec(text)?.[0]).find(found => found !== undefined)
  const armed = isRecord(record['inputSchema']) ? armedDefaults(record['inputSchema']) : []
  const claims = isRecord(record['annotations']) ? record['annotations'] : {}
  return [
    ...serverFlags(record, current, tool), ...nameFlags(record, current, tool),
    ...wider.map((name): RedFlag => ({ code: 'privilege-widening', tool, message: `asks for the privilege ${quoted(name)}, which it does not have now` })),
    ...hidden.length > 0 ? [{ code: 'hidden-text', tool, message: `holds text that cannot be seen or looks like other text: ${hidden.slice(0, 8).join(', ')}` } as const] : [],
    ...order ? [{ code: 'instructs', tool, message: `its words give orders to a model: ${quoted(order)}` } as const] : [],
    ...armed.map((pair): RedFlag => ({ code: 'armed-default', tool, message: `${pair.path} is ${JSON.stringify(pair.value)} where nobody says otherwise, and that arms (${pair.rule})` })),
    ...claims['readOnlyHint'] === true ? [{ code: 'claim', tool, message: 'claims of itself that it only reads; nothing proves that' } as const] : [],
  ]
}
