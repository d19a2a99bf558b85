/** Lines of logs, chats, commits and issues as if a person had typed them, against all routes of the sets at once: nothing should fire. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createAskReader } from '../../dist/ask/reader.js'
import { evalRoutes, firing } from '../../dist/eval/eval.js'

export function chatterLines(dir) {
  return readdirSync(join(dir, 'chatter')).filter(name => name.endsWith('.jsonl.gz')).flatMap(name =>
    gunzipSync(readFileSync(join(dir, 'chatter', name))).toString('utf8').split('\n').filter(Boolean).map(line => JSON.parse(line).text))
}

export function chatter(sets, lines) {
  const fires = []
  const ms = []
  for (const set of sets) {
    const reader = createAskReader(evalRoutes(set.routes))
    for (const text of lines) {
      const start = performance.now()
      const asks = firing(reader.read(text, []), 'user', new Map())
      ms.push(performance.now() - start)
      for (const { route } of asks) fires.push({ set: set.name, route, text })
    }
  }
  return { lines: lines.length, routes: sets.reduce((total, set) => total + set.routes.length, 0), fires, ms }
}
