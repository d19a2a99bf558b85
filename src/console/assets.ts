/** The files of the page: no asset comes from anywhere else. */
import { readFileSync } from 'node:fs'
import type { ConsoleAccess } from './access.ts'
import type { Asking } from './parts.ts'

const TYPES: ReadonlyMap<string, string> = new Map([['console.css', 'text/css'], ['console.js', 'text/javascript'], ['icon.svg', 'image/svg+xml']])
/** From `dist/console` as from `src/console`: they are no TypeScript, so the build leaves them where they are. */
const FOLDER = new URL('../../src/console/static/', import.meta.url)

export function asset(context: Asking, access: ConsoleAccess): Response {
  const name = context.req.param('name') ?? ''
  const type = TYPES.get(name)
  if (context.req.header('host') !== new URL(access.origin).host) return context.text('this page answers to its own address only\n', 421)
  if (type === undefined) return context.text('no such file\n', 404)
  return context.body(readFileSync(new URL(name, FOLDER)), 200, { 'content-type': `${type}; charset=utf-8` })
}
