/** The recipes that never end, as they stand on their page: started, driven, and stopped when they have printed what the page shows. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BIN, scratch } from '../cli/usher.ts'
import { blocksOf, notPrinted } from './blocks.ts'

const BLOCKS = blocksOf('src/integrations/recipes.md')
const place = scratch()
afterAll(() => place.remove())
mkdirSync(join(place.folder, 'bin'))
mkdirSync(join(place.folder, 'inbox'))
writeFileSync(join(place.folder, 'bin/usher'), `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`)
chmodSync(join(place.folder, 'bin/usher'), 0o755)
const env = { ...place.env, PATH: `${join(place.folder, 'bin')}:${process.env['PATH']}` }

/** The block whose script holds these words, and what the page shows below it. */
function recipe(words: string) {
  const at = BLOCKS.findIndex(block => block.mark === 'driven' && block.body.includes(words))
  const shown = BLOCKS.slice(at).find(block => block.lang === 'text')
  if (at < 0 || !shown) throw new Error(`no driven block holds ${words}`)
  return { script: BLOCKS[at]?.body ?? '', shown: shown.body }
}

/** Starts a script in a process group of its own; `again` is done each half second until its output is enough. */
async function driven(argv: readonly [string, ...string[]], again: () => void, enough: (output: string) => boolean): Promise<string> {
  const child = spawn(argv[0], argv.slice(1), { cwd: place.folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => { output += text })
  const closed = new Promise(resolve => { child.once('close', resolve) })
  try {
    for (let round = 0; round < 120 && !enough(output); round++) {
      again()
      await new Promise(resolve => { setTimeout(resolve, 500) })
    }
    return output
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await closed
  }
}

const RECIPES: readonly { readonly name: string, readonly needs: readonly string[], readonly run: () => Promise<void> }[] = [
  { name: 'fswatch', needs: ['fswatch', 'jq'], run: async () => {
    const { script, shown } = recipe('fswatch')
    let files = 0
    const output = await driven(['sh', '-c', script], () => { writeFileSync(join(place.folder, 'inbox', files++ === 0 ? 'warm up' : 'please open the console'), '') }, text => notPrinted(shown, text).length === 0)
    expect(notPrinted(shown, output)).toEqual([])
    // The recipe once took fswatch's flags for words of the name.
    expect(output).not.toContain('Created')
  } },
  { name: 'D-Bus', needs: ['dbus-run-session', 'dbus-monitor', 'gdbus', 'jq', 'awk'], run: async () => {
    const { script, shown } = recipe('dbus-monitor')
    const file = place.write('notify.sh', `( while sleep 1; do gdbus call --session --dest org.freedesktop.Notifications --object-path /org/freedesktop/Notifications --method org.freedesktop.Notifications.Notify mail 0 "" "New mail" "please open the console" "[]" "{}" 5000 2>/dev/null; done ) &\n${script}`)
    expect(notPrinted(shown, await driven(['dbus-run-session', '--', 'sh', file], () => undefined, text => notPrinted(shown, text).length === 0))).toEqual([])
  } },
  { name: 'Home Assistant', needs: ['curl'], run: async () => {
    const { script, shown } = recipe('usher serve')
    let answer = ''
    const post = (output: string, body: object) => spawnSync('curl', ['-s', '-H', `Authorization: Bearer ${/^\S{20,}$/m.exec(output)?.[0] ?? ''}`, '-H', 'content-type: application/json', '-d', JSON.stringify(body), 'http://127.0.0.1:8199/events'], { encoding: 'utf8' }).stdout
    await driven(['sh', '-c', script], () => undefined, output => {
      if (!output.includes('http://127.0.0.1:8199/')) return false
      answer = post(output, { id: 'timer-1', text: 'set a timer for 6 minutes' })
      const impostor = JSON.parse(post(output, { id: 'timer-2', text: 'set a timer for 7 minutes', source: 'user' })) as unknown
      expect(impostor).toMatchObject({ source: 'voice', ignored: ['source'] })
      return true
    })
    expect(JSON.parse(answer)).toMatchObject(JSON.parse(shown) as object)
  } },
]

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const here = RECIPES.filter(({ needs }) => needs.every(has))
for (const { name, needs } of RECIPES.filter(one => !here.includes(one))) process.stdout.write(`not run: the recipe for ${name}, since ${needs.filter(one => !has(one)).join(', ')} is not installed here\n`)

test('each recipe that is said to be driven is driven here', () => {
  expect(BLOCKS.filter(block => block.mark === 'driven').length).toBe(RECIPES.length)
})

test.each(here)('gate:explicit, ingest:owns: the recipe for $name runs as it stands, and prints what stands below it', async ({ run }) => {
  await expect(run()).resolves.toBeUndefined()
})
