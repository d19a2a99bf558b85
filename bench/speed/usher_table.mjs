/** A route table as the loader makes it, from names and phrases: what a YAML file of a hundred thousand lines would give. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadRoutes } from '../../dist/index.js'
import { routeTable } from '../../dist/routes/table.js'

export function tableOf(routes) {
  const dir = mkdtempSync(join(tmpdir(), 'usher-bench-routes-'))
  try {
    const [first, ...rest] = routes
    const file = join(dir, 'routes.yaml')
    writeFileSync(file, `version: 1\nroutes:\n  - name: first\n    tool: act\n    triggers: ${JSON.stringify(first.utterances)}\n    preset: { go: true }\n    allow: [device.actuate]\n`)
    const template = [...loadRoutes([file]).routes.values()][0]
    return routeTable([first, ...rest].map(({ name, utterances }) => ({ ...template, name, phrases: utterances.map(text => ({ text, template: text, parts: [{ kind: 'text', text }] })) })), [file])
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
