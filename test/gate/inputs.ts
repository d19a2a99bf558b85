/** A gate input in which every rule passes; each test changes the one thing it is about. */
import type { GateInput } from '../../src/gate/rule.ts'
import type { Ask, NotAsk, Route, Tool } from '../../src/types.ts'

const phrase = { text: 'open the console', template: 'open the console', parts: [{ kind: 'text' as const, text: 'open the console' }] }

export function route(more: Partial<Route> = {}): Route {
  return {
    name: 'open-console', tool: 'call_console', phrases: [phrase], not: [], from: ['user'], preset: { open: true }, presetBytes: '{"open":true}', allow: ['browser.open'], mode: 'fire', ask: false,
    approve: 'never', reader: 'offer', threshold: 0.6, margin: 0.05, limits: {}, maxAge: 60_000, lists: new Map(), synonyms: new Map(), mustFire: [], mustNotFire: [], ...more,
  }
}

export const tool: Tool = {
  name: 'call_console', description: 'address of the page', visible: { type: 'object', properties: {} }, presetOnly: { open: { type: 'boolean' } }, effects: { open: ['browser.open'] }, origin: { kind: 'code' }, run: () => undefined,
}

export const ask: Ask = { kind: 'ask', route: 'open-console', phrase, span: { start: 0, end: 16 }, captures: [], steps: [] }
export const notAsk: NotAsk = { kind: 'not-ask', route: 'open-console', phrase, reason: 'abstain:question', why: 'asks about it', offer: false, captures: [], steps: [] }

export const NOON = Date.UTC(2026, 2, 3, 12, 0)

export function input(more: Partial<GateInput> = {}): GateInput {
  return {
    route: route(), tool, candidate: { route: 'open-console', phrase: 'open the console', score: 0.95, exact: false }, ask,
    event: { id: '1', source: 'user', text: 'open the console', at: NOON }, history: { causes: [], callTimes: [], justFired: false, echo: false },
    now: NOON, hostState: new Map(), timeZone: 'UTC', effects: ['browser.open'], armedDefaults: [], maxDepth: 3, ...more,
  }
}

/** The input without an ask in words. */
export function unasked(more: Partial<GateInput> = {}): GateInput {
  const { ask: _asked, ...rest } = input(more)
  return rest
}
