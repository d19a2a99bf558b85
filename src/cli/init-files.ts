/** The files that `usher init` writes: a route, a tool module and a test that belong together. Text only; nothing is written here. */
import { dayOf } from './init-day.ts'

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

/** The handler fails until it is written: the log is not to say that something was done. */
function toolsFile({ name, say, effect }: InitAnswers): string {
  const quoted = JSON.stringify(`Does it when asked: ${say}.`)
  const unwritten = (what: string) => `throw new Error(${JSON.stringify(`${name} does nothing yet: in tools.mjs, write ${what} in place of this line`)})`
  const body = effect === 'none'
    ? `    effects: {},                                    // none: a model may call it too\n    run: async () => {\n      ${unwritten('what it finds out')}\n    },`
    : `    presetOnly: z.object({ act: z.boolean() }),     // only the route sets this; no model and no filler ever sees it\n    effects: { act: [${JSON.stringify(effect)}] },${' '.repeat(Math.max(1, 24 - effect.length))}// what it does when armed\n    run: async args => {\n      if (!args.act) return 'not armed, so nothing happened'\n      ${unwritten(`what causes ${effect}`)}\n    },`
  return `import { defineTool } from 'usher-router'\nimport * as z from 'zod'\n\nexport default [\n  defineTool({\n    name: ${JSON.stringify(name)},\n    description: ${quoted},\n    input: z.object({}),                            // what a model sees\n${body}\n  }),\n]\n`
}

function testFile({ name, say, effect }: InitAnswers): string {
  const armed = effect !== 'none'
  const day = dayOf(say, armed)
  const rows = (calls: boolean) => day.filter(line => line.calls === calls).map(({ source, text, what }) => `  [${[what, source, text].map(one => JSON.stringify(one)).join(', ')}],`).join('\n')
  return `// node --test test/
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createUsher } from 'usher-router'
import tools from '../tools.mjs'

const FIRES = [
${rows(true)}
]
const NEVER = [
${rows(false)}
]

let usher
before(async () => {
  const place = mkdtempSync(join(tmpdir(), 'usher-'))
  usher = await createUsher({ routes: new URL('../routes', import.meta.url).pathname, tools, log: join(place, 'log.sqlite'), state: join(place, 'state') })
})
after(() => usher.close())

for (const [what, source, text] of FIRES) test(\`\${what} fires: \${text}\`, async () => {
  const [decided] = await usher.decide({ source, text })
  assert.equal(decided.row.tool, ${JSON.stringify(name)})
  assert.equal(decided.ready?.args.act, ${armed ? 'true' : 'undefined'}, decided.row.why)
  assert.ok(decided.ready, decided.row.why)
})

for (const [what, source, text] of NEVER) test(\`\${what} does not fire: \${source}: \${text}\`, async () => {
  for (const decided of await usher.decide({ source, text })) assert.equal(decided.ready, undefined, decided.row.why)
})
`
}
