/** The report as one page that an owner can read and send on: no script, no request, nothing from outside that is not escaped. */
import { shown } from '../contract/show-text.ts'
import { capped, visible } from '../util/mask.ts'
import { effectText, flagText, inOrder } from './text.ts'
import type { AuditCall, AuditReport, AuditTool, Verdict } from './report.ts'

const ESCAPES: { readonly [char: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' }
const escaped = (text: string): string => visible(text).replace(/[&<>"']/g, char => ESCAPES[char] ?? char)

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --fail: #c62828; --warn: #a15c00; --ok: #2e7d32; }
@media (prefers-color-scheme: dark) { :root { --fail: #ff8a80; --warn: #ffc46b; --ok: #81c995; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin: 2rem 0 .3rem; border-top: 1px solid var(--line); padding-top: 1rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
code { font: 13px/1.4 ui-monospace, monospace; white-space: pre-wrap; } .fail { color: var(--fail); font-weight: 600; } .warn { color: var(--warn); font-weight: 600; } .ok { color: var(--ok); font-weight: 600; } .dim { opacity: .7; }
td:first-child { width: 8rem; } ul { padding-left: 1.2rem; margin: .2rem 0; }`

const WORDS: { readonly [verdict in Verdict]: { readonly text: string, readonly style: string } } = {
  'fail': { text: 'FAIL', style: 'fail' }, 'ok': { text: 'ok', style: 'ok' }, 'not-exercised': { text: 'not exercised', style: 'warn' }, 'not-watched': { text: 'not watched', style: 'warn' },
}
const CONCLUSION = { 0: 'Every tool that had to be called was called, and nothing fired.', 1: 'Something fired.', 2: 'Nothing fired, but something could not be judged: that is no pass.' } as const

export function htmlReport(report: AuditReport, version: string): string {
  const { summary } = report
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>usher audit</title><style>${STYLE}</style></head><body>
<h1>usher audit: <code>${escaped(report.server)}</code></h1>
<p class="${summary.exit === 0 ? 'ok' : summary.exit === 1 ? 'fail' : 'warn'}">${CONCLUSION[summary.exit]}</p>
${report.failure === undefined ? '' : `<p class="fail">The server could not be judged: <code>${escaped(report.failure)}</code></p>`}
<p>${summary.tools} tools, ${summary.flagged} flagged, ${summary.exercised} exercised (${summary.share} % of those that should be). ${summary.calls.fail} calls fired, ${summary.calls.ok} were ok, ${summary.calls['not-exercised']} were not exercised, ${summary.calls['not-watched']} were not watched.</p>
${report.tools.map(toolPart).join('\n')}
<h2>Who watched</h2>
<table>${report.watchers.map(watcher => `<tr><td class="${watcher.active ? 'ok' : 'warn'}">${watcher.active ? 'active' : 'not active'}</td><td>${escaped(watcher.name)}: ${escaped(watcher.sees)}${watcher.why === undefined ? '' : ` <span class="dim">(${escaped(watcher.why)})</span>`}</td></tr>`).join('')}</table>
${report.startUp.length === 0 ? '' : `<h2>At start-up, before any call</h2><ul>${inOrder(report.startUp).map(effect => `<li><code>${escaped(effectText(effect))}</code></li>`).join('')}</ul>`}
${report.notes.length === 0 ? '' : `<h2>Notes</h2><ul>${report.notes.map(note => `<li>${escaped(note)}</li>`).join('')}</ul>`}
<p class="dim">usher ${escaped(version)}. Arguments and paths that begin with <code>{scratch}</code> or hold <code>usher-canary</code> belong to nobody.</p>
</body></html>
`
}

function toolPart(tool: AuditTool): string {
  return `<h2><code>${escaped(shown(tool.name))}</code></h2>
<table>${tool.flags.map(flag => `<tr><td class="${flag.level === 'arms' ? 'fail' : 'warn'}">${flag.level === 'arms' ? 'FLAG' : 'look here'}</td><td><code>${escaped(flagText(tool.name, flag))}</code><br>${escaped(flag.why)}</td></tr>`).join('')}${tool.calls.map(callRow).join('')}</table>`
}

function callRow(call: AuditCall): string {
  const { text, style } = WORDS[call.verdict]
  const effects = inOrder(call.effects).map(effect => `<li><code>${escaped(effectText(effect))}</code> <span class="dim">seen by ${escaped([effect.watcher, ...effect.also ?? []].join(', '))}</span></li>`).join('')
  const unwatched = call.verdict === 'not-watched' ? `<br>nobody could see its ${(call.unwatched ?? []).join(', ')}` : ''
  return `<tr><td class="${style}">${text}</td><td><code>${escaped(JSON.stringify(call.arguments))}</code>${call.nth === undefined ? '' : ' (called again)'}${unwatched}${effects === '' ? '' : `<ul>${effects}</ul>`}<div class="dim">${escaped(capped(call.reply.text, 300))}</div></td></tr>`
}
