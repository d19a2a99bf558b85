/** The call log as one plain page: read-only, no script, and no text from an event is ever HTML. */
import { visible, capped } from '../util/mask.ts'

export interface PageRow { readonly at: string, readonly source: string, readonly text: string, readonly outcome: string, readonly tool: string, readonly why: string }

export function callLogPage(rows: readonly PageRow[]): string {
  const cells = (row: PageRow) => [row.at, row.source, row.text, row.outcome, row.tool, row.why].map(cell => `<td>${escapeHtml(capped(cell, 300))}</td>`).join('')
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Usher: call log</title>
<style>body{font:14px system-ui;margin:2rem;color-scheme:light dark}table{border-collapse:collapse}td,th{text-align:left;padding:.25rem .75rem;border-bottom:1px solid #8884;vertical-align:top}</style>
<h1>Call log</h1><p>${rows.length} decisions, newest first.</p>
<table><thead><tr><th>time<th>source<th>text<th>outcome<th>tool<th>why</tr></thead><tbody>
${rows.map(row => `<tr>${cells(row)}</tr>`).join('\n')}
</tbody></table></html>
`
}

const ENTITIES: ReadonlyMap<string, string> = new Map([['&', '&amp;'], ['<', '&lt;'], ['>', '&gt;'], ['"', '&quot;'], ['\'', '&#39;']])

export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, char => ENTITIES.get(char) ?? char)
}
