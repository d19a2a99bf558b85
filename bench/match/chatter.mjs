/** Lines of logs, chats, commits and issues as if a person had typed them, against all routes of the sets at once: nothing should fire. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createAskReader } from '../../dist/ask/reader.js'
import { firing } from '../../dist/eval/eval.js'
import { secondReading } from '../../dist/reader/second.js'

export function chatterLines(dir) {
  return readdirSync(join(dir, 'chatter')).filter(name => name.endsWith('.jsonl.gz')).flatMap(name =>
    gunzipSync(readFileSync(join(dir, 'chatter', name))).toString('utf8').split('\n').filter(Boolean).map(line => JSON.parse(line).text))
}

/**
 * @param tables { name, routes }[]: each table of routes is read by itself, as its owner would have it
 * @param scorer the second reader, asked where the rules would fire; undefined: the rules alone
 */
export async function chatter(title, tables, lines, scorer) {
  const [rules, both] = [[], []]
  for (const { name: set, routes } of tables) {
    const reader = createAskReader(routes)
    const named = new Map(routes.map(route => [route.name, route]))
    for (const text of lines) {
      const reading = reader.read(text, [])
      const asks = firing(reading, 'user', new Map())
      for (const { route } of asks) rules.push({ set, route, text })
      if (asks.length === 0) continue
      const second = scorer ? (await secondReading(text, reading, [], { scorer, routes: named, allowed: () => true, mayFire: () => false })).reading : reading
      for (const { route } of firing(second, 'user', new Map())) both.push({ set, route, text })
    }
  }
  return { title, lines: lines.length, routes: tables.reduce((total, { routes }) => total + routes.length, 0), rules, both }
}
