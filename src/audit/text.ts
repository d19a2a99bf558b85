/** The report as lines for people. Everything from outside is made visible here. */
import { shown } from '../contract/show-text.ts'
import { capped, visible } from '../util/mask.ts'
import type { AuditCall, AuditEffect, AuditFlag, AuditReport, AuditTool } from './report.ts'

export type Paint = (style: 'red' | 'yellow' | 'green' | 'dim' | 'bold', text: string) => string
const TARGET_SHOWN = 300

export function effectText({ kind, target, args, sent, afterReply, carries, level }: AuditEffect): string {
  const first = kind === 'http.request' ? sent?.split('\n')[0]?.replace(/^[A-Z]+ /, '') : undefined
  const words = [kind, `${target}${first ?? ''}`, ...args ?? []].join(' ')
  const body = kind === 'http.request' ? sent?.split('\n').slice(1).join(' ') : sent
  return visible(capped(words, TARGET_SHOWN)) + (body ? ` sent ${visible(JSON.stringify(capped(body, 120)))}` : '') + (carries ? ` with ${visible(carries.slice(0, 3).join(', '))}` : '') + (afterReply ? ' (after the reply)' : '') + (level === 'look here' ? ' (look here)' : '')
}

/** `export.mode (enum send)` */
export function flagText(tool: string, flag: AuditFlag): string {
  const path = flag.path.replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
  return `${shown(tool)}${visible(`${path} (${flagLabel(flag)})`)}`
}

export function flagLabel({ rule, value }: AuditFlag): string {
  const shown = typeof value === 'string' ? value : JSON.stringify(value)
  switch (rule) {
    case 'enum-verb': return `enum ${shown}`
    case 'default': case 'default-address': return `default ${shown}`
    case 'only-value': return `only value ${shown}`
    case 'all': return `all: ${shown}`
    default: return rule
  }
}

/** What a person should read first: programs and requests, then names and addresses, then files. */
const FIRST = ['process.start', 'http.request', 'udp.send', 'net.connect', 'net.listen', 'dns.lookup', 'fs.delete', 'fs.write', 'fs.rename', 'fs.chmod', 'process.signal']
export const inOrder = (effects: readonly AuditEffect[]): readonly AuditEffect[] => [...effects].sort((a, b) => Number(a.level === 'look here') - Number(b.level === 'look here') || FIRST.indexOf(a.kind) - FIRST.indexOf(b.kind))

function callLine(tool: string, call: AuditCall, paint: Paint): string {
  const words = `${shown(tool)} ${visible(JSON.stringify(call.arguments))}${call.nth === undefined ? '' : ' (called again)'}`
  const effects = inOrder(call.effects).map(effectText).join('; ')
  const seen = effects === '' ? '' : ` with ${effects}`
  switch (call.verdict) {
    case 'fail': return `${paint('red', 'FAIL')} ${words}${seen}`
    case 'ok': return `${paint('green', 'ok')} ${words}${seen}`
    case 'not-exercised': return `${paint('yellow', 'not exercised')} ${words}: ${visible(capped(call.reply.text.split('\n')[0] ?? '', 160))}${seen}`
    case 'not-watched': return `${paint('yellow', 'not watched')} ${words}: nobody could see its ${(call.unwatched ?? []).join(', ')}${seen}`
    default: return call.verdict satisfies never
  }
}

export function toolLines(tool: AuditTool, paint: Paint): readonly string[] {
  return [
    ...tool.flags.map(flag => `${paint('bold', 'FLAG')} ${flagText(tool.name, flag)}${paint('dim', `  ${flag.level}: ${visible(flag.why)}`)}`),
    ...tool.calls.map(call => callLine(tool.name, call, paint)),
  ]
}

const START_SHOWN = 20

function startUpLines({ startUp }: AuditReport): readonly string[] {
  const acts = inOrder(startUp).filter(effect => effect.level === 'acts')
  const more = startUp.length - Math.min(acts.length, START_SHOWN)
  return [...acts.slice(0, START_SHOWN).map(effect => `at start-up: ${effectText(effect)}`), ...more > 0 ? [`at start-up: ${more} more, such as writes to caches (all are in --json and --html)`] : []]
}

export function auditText(report: AuditReport, paint: Paint): string {
  const { summary } = report
  const off = report.watchers.filter(watcher => !watcher.active)
  return [
    ...report.tools.flatMap((tool, at) => [...tool.server !== undefined && tool.server !== report.tools[at - 1]?.server ? [paint('bold', `${visible(tool.server)}:`)] : [], ...toolLines(tool, paint)]),
    ...report.failure === undefined ? [] : [`${paint('red', 'FAILED')} ${report.failure.split('\n').map(visible).join('\n  ')}`],
    ...startUpLines(report).map(line => paint('dim', line)),
    ...report.notes.map(note => `${paint('yellow', 'note')} ${visible(note)}`),
    `watched by ${report.watchers.filter(watcher => watcher.active).map(watcher => watcher.name).join(', ') || 'nobody'}`,
    ...off.map(watcher => paint('dim', `not active: ${watcher.name} (${watcher.sees}): ${visible(watcher.why ?? '')}`)),
    `${summary.tools} tools, ${summary.flagged} flagged; ${summary.exercised} exercised (${summary.share} % of those that should be): ${summary.calls.fail} calls fired, ${summary.calls.ok} ok, ${summary.calls['not-exercised']} not exercised, ${summary.calls['not-watched']} not watched`,
  ].join('\n')
}
