/**
 * One vocabulary of effects for tool declarations, `allow`, contracts and the observer.
 *
 * Two layers: what a watcher can see (`seen`), and what people mean (`meant`). `FULFILS` says which seen effects a meant one covers, so that a
 * tool that declares `browser.open` may start `xdg-open` and nothing else.
 */
import type { EffectPattern, ToolEffects } from '../types.ts'

/** What a watcher sees, with the form of its target. */
export const SEEN_EFFECTS = {
  'process.start': 'the program\'s file name, then its path: `xdg-open` or `/usr/bin/xdg-open`',
  'process.signal': 'the process id',
  'net.connect': '`host:port`',
  'net.listen': '`host:port`',
  'http.request': '`METHOD origin`',
  'dns.lookup': 'the host name',
  'udp.send': '`host:port`',
  'fs.write': 'an absolute path',
  'fs.delete': 'an absolute path',
  'fs.rename': 'an absolute path (the new one)',
  'fs.chmod': 'an absolute path',
  'worker.start': 'the file',
  'native.load': 'the file',
  'inspector.open': '`host:port`, or `session` for one within the process',
} as const

const OPENERS = ['xdg-open', 'open', 'start', 'explorer.exe', 'sensible-browser', 'x-www-browser', 'gio', 'wslview']
const MAILERS = ['sendmail', 'mail', 'mailx', 'msmtp', 'mutt']
const NOTIFIERS = ['notify-send', 'osascript', 'terminal-notifier', 'kdialog', 'zenity']
const NETWORK = ['net.connect', 'http.request', 'dns.lookup', 'udp.send']
const started = (programs: readonly string[]) => programs.map(program => `process.start:${program}`)

/** What people mean: each with the seen effects that it covers. An empty list: nothing a watcher could see. */
export const FULFILS = {
  'browser.open': started(OPENERS),
  'notify.show': started(NOTIFIERS),
  'timer.set': [],
  'message.send': [...NETWORK, ...started(MAILERS)],
  'money.spend': NETWORK,
  'device.actuate': NETWORK,
  'access.grant': NETWORK,
  'deploy.start': [...NETWORK, 'process.start'],
  'data.change': ['fs.write', 'fs.rename', 'fs.chmod', ...NETWORK],
  'data.delete': ['fs.delete', ...NETWORK],
  'http.get': ['net.connect', 'dns.lookup', 'http.request:GET *', 'http.request:HEAD *'],
  'server.start': ['net.listen'],
} as const satisfies Record<string, readonly string[]>

export type SeenEffect = keyof typeof SEEN_EFFECTS
export type MeantEffect = keyof typeof FULFILS
/** `unknown` is what an undeclared tool has: destructive. It covers nothing. */
export const EFFECT_KINDS: readonly string[] = [...Object.keys(SEEN_EFFECTS), ...Object.keys(FULFILS), 'unknown']

export interface ParsedEffect { readonly kind: string, readonly target: string | undefined }

/** `fs.write:/a:b` is kind `fs.write`, target `/a:b`. Gives undefined for a kind that is not in the list or an empty target. */
export function parseEffect(pattern: EffectPattern): ParsedEffect | undefined {
  const colon = pattern.indexOf(':')
  const kind = colon < 0 ? pattern : pattern.slice(0, colon)
  const target = colon < 0 ? undefined : pattern.slice(colon + 1)
  return EFFECT_KINDS.includes(kind) && target !== '' ? { kind, target } : undefined
}

/** Does one target pattern cover a target? `*` stands for any characters, also none. Linear in the text: the pattern may come from a contract. */
export function targetCovers(pattern: string | undefined, target: string): boolean {
  if (pattern === undefined) return true
  const pieces = pattern.split('*')
  if (pieces.length === 1) return pattern === target
  const first = pieces[0] ?? ''
  const last = pieces[pieces.length - 1] ?? ''
  if (!target.startsWith(first) || target.length < first.length + last.length) return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = target.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return target.endsWith(last) && target.length - last.length >= at
}

/** A process is named by its file name or by its path; a pattern may name either. */
function spellings(kind: string, target: string): string[] {
  return kind === 'process.start' && target.includes('/') ? [target, target.slice(target.lastIndexOf('/') + 1)] : [target]
}

/** May this seen effect happen under the declared one? A meant kind with a target narrows the seen ones by the same target. */
export function covers(declared: EffectPattern, seen: { readonly kind: string, readonly target: string }): boolean {
  const parsed = parseEffect(declared)
  if (!parsed) return false
  if (parsed.kind === seen.kind) return spellings(seen.kind, seen.target).some(target => targetCovers(parsed.target, target))
  if (!Object.hasOwn(FULFILS, parsed.kind)) return false
  const seenPatterns: readonly string[] = FULFILS[parsed.kind as MeantEffect]
  return seenPatterns.some(pattern => covers(pattern, seen)) && (parsed.target === undefined || spellings(seen.kind, seen.target).some(target => targetCovers(parsed.target, target)))
}

/** Is every effect of `wanted` within `allowed`? Kinds must be equal or fulfil, and a target may only narrow. */
export function permits(allowed: readonly EffectPattern[], wanted: EffectPattern): boolean {
  const want = parseEffect(wanted)
  if (!want) return false
  return allowed.some(pattern => {
    const have = parseEffect(pattern)
    if (!have || have.kind !== want.kind) return false
    return have.target === undefined || (want.target !== undefined && targetCovers(have.target, want.target))
  })
}

const NOT_ARMED: readonly unknown[] = [undefined, null, false]

/**
 * The effects that a tool declares for these arguments. Undeclared effects are `['unknown']`: destructive until somebody says otherwise
 * (`gate:default-only`).
 */
export function declaredEffects(effects: ToolEffects | undefined, args: { readonly [key: string]: unknown }): readonly EffectPattern[] {
  if (effects === undefined) return ['unknown']
  const found = new Set<EffectPattern>(effects.always)
  for (const [key, arms] of Object.entries(effects)) {
    if (key === 'always' || arms === undefined) continue
    const value = Object.hasOwn(args, key) ? args[key] : undefined
    if (Array.isArray(arms)) {
      if (!NOT_ARMED.includes(value)) for (const effect of arms as readonly string[]) found.add(effect)
    } else if (value !== undefined) {
      const spelling = typeof value === 'string' ? value : JSON.stringify(value)
      const byValue = arms as { readonly [value: string]: readonly string[] }
      if (Object.hasOwn(byValue, spelling)) for (const effect of byValue[spelling] ?? []) found.add(effect)
    }
  }
  return [...found]
}
