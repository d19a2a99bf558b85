/** One line of a stdio server read as a JSON-RPC message, or told what else it is. */
import { decodeStrict } from '../contract/read-file.ts'
import { inspectWire, type WireBreach } from '../contract/wire.ts'
import type { Json, JsonObject } from '../types.ts'
import { capped, visible } from '../util/mask.ts'
import { isRecord } from '../util/records.ts'
import type { ByteLine } from './split-lines.ts'

/** `raw`: the line as it came; what is passed on unchanged is this, not a rewriting of the value. */
export interface Message { readonly value: JsonObject, readonly raw: string | undefined, readonly breaches: readonly WireBreach[] }

export type LineReading = { readonly kind: 'message', readonly message: Message } | { readonly kind: 'blank' } | { readonly kind: 'stray' | 'too-long', readonly why: string }

const SHOWN = 200
const BOM = '\uFEFF'
// oxlint-disable-next-line no-control-regex -- an escape character is what is looked for
const ANSI = /\u001B\[/

/** Why a line that holds JSON-RPC all the same cannot be read, in the words that help its author. */
function strayReason(text: string): string {
  if (text.startsWith(BOM)) return 'it begins with a byte order mark'
  if (ANSI.test(text)) return 'it holds terminal colours'
  if (/^\s*\[\s*\{\s*"jsonrpc"/.test(text)) return 'it is a batch of messages; a message must be one object'
  if (/\S.*\{\s*"jsonrpc"/.test(text) && !text.trimStart().startsWith('{')) return 'something was printed in front of a message'
  if (/^\s*[{[]\s*$/.test(text)) return 'it looks like JSON over several lines; a message must be one line'
  return 'it is no JSON-RPC message'
}

export function readLine(line: ByteLine): LineReading {
  if (line.cut) return { kind: 'too-long', why: `a line of ${line.length} bytes is over the limit of ${line.bytes.length}` }
  const text = decodeStrict(line.bytes)
  if (text === undefined) return { kind: 'stray', why: `a line of ${line.length} bytes is not valid UTF-8` }
  if (text.trim() === '') return { kind: 'blank' }
  const inspected = text.startsWith(BOM) ? undefined : inspectWire(text)
  if (inspected?.kind === 'json' && isRecord(inspected.value) && inspected.value['jsonrpc'] === '2.0')
    return { kind: 'message', message: { value: inspected.value, raw: text, breaches: inspected.breaches } }
  return { kind: 'stray', why: `${strayReason(text)}: "${visible(capped(text, SHOWN))}"` }
}

/** Breaches at or above the message's own members: who is asked and what is answered cannot be told. */
export const isAmbiguous = (message: Message): boolean => message.breaches.some(breach => breach.reason === 'repeated-member' && breach.path.length <= 1)

export type MessageKind = 'request' | 'notification' | 'answer'

export function kindOf(value: JsonObject): MessageKind {
  if (typeof value['method'] !== 'string') return 'answer'
  return Object.hasOwn(value, 'id') ? 'request' : 'notification'
}

export const idOf = (value: JsonObject): Json | undefined => value['id']
