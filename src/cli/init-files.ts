/** The files that `usher init` writes: a route, a tool module and a test that belong together. Text only; nothing is written here. */

export interface InitAnswers {
  /** Of the tool, and of the route. */
  readonly name: string
  /** How the owner asks for it. */
  readonly say: string
  /** An effect of the vocabulary, or `none`. */
  readonly effect: string
}

/** Path in the folder -> content. */
export function initFiles(answers: InitAnswers): ReadonlyMap<string, string> {
  return new Map([[`routes/${answers.name}.yaml`, routeFile(answers)], ['tools.mjs', toolsFile(answers)], [`test/${answers.name}.test.mjs`, testFile(answers)]])
}

/** A JSON string is a YAML string, whatever it holds. */
function routeFile({ name, say, effect }: InitAnswers): string {
  const list = (...texts: readonly string[]) => `[${texts.map(text => JSON.stringify(text)).join(', ')}]`
  const armed = effect === 'none' ? '' : `    preset: { act: true }                  # verbatim; no filler and no model ever sees or sets it\n    allow: ${list(effect)}\n`
  const held = effect === 'none' ? '' : `    must_not_fire: ${list(`don't ${say}`, `"${say}" is what the sign says`)}\n`
  return `# What you say, and the one call that it opens. Check it with: usher check routes --tools tools.mjs\nversion: 1\nroutes:\n  - name: ${name}\n    tool: ${name}\n    triggers: ${list(say)}\n${armed}    must_fire: ${list(`please ${say}`)}\n${held}`
}

function toolsFile({ name, say, effect }: InitAnswers): string {
  const quoted = JSON.stringify(`Does it when asked: ${say}.`)
  const body = effect === 'none'
    ? '    effects: {},                                    // none: a model may call it too\n    run: async () => \'nothing yet: write here what it finds out\','
    : `    presetOnly: z.object({ act: z.boolean() }),     // only the route sets this; no model and no filler ever sees it\n    effects: { act: [${JSON.stringify(effect)}] },${' '.repeat(Math.max(1, 24 - effect.length))}// what it does when armed\n    run: async args => args.act ? 'done: write here what it does' : 'not armed, so nothing happened',`
  return `import { defineTool } from 'usher-router'\nimport * as z from 'zod'\n\nexport default [\n  defineTool({\n    name: ${JSON.stringify(name)},\n    description: ${quoted},\n    input: z.object({}),                            // what a model sees\n${body}\n  }),\n]\n`
}

function testFile({ name, say, effect }: InitAnswers): string {
  const asked = JSON.stringify(`please ${say}`)
  return `// node --test test/
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createUsher } from 'usher-router'
import tools from '../tools.mjs'

const place = mkdtempSync(join(tmpdir(), 'usher-'))
const open = () => createUsher({ routes: new URL('../routes', import.meta.url).pathname, tools, log: join(place, 'log.sqlite'), state: join(place, 'state') })

test('fires when I ask, and only when I ask', async () => {
  const usher = await open()
  const [asked] = await usher.decide({ source: 'user', text: ${asked} })
  assert.equal(asked.ready?.args.act, ${effect === 'none' ? 'undefined' : 'true'})
  assert.equal(asked.row.tool, ${JSON.stringify(name)})
  const [overheard] = await usher.decide({ source: 'notification', text: ${asked} })
  assert.equal(overheard.ready, undefined)
  await usher.close()
})
`
}
