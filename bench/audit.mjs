// What the audit finds in the zoo, with and without each of its means. Every run is behind a namespace without a network. Needs a build, `unshare`
// and a C compiler; without `strace` its rows are missing.
// node bench/audit.mjs [--write]
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const zoo = name => join(root, 'test/fixtures/zoo', name)
// The servers' own place "outside", for the runs that have no copy of the disk to write to.
const outside = join(root, '.usher', 'zoo-outside')
const scratch = mkdtempSync(join(tmpdir(), 'usher-zoo-'))
const binary = join(scratch, 'beast')
const built = spawnSync('cc', ['-O1', '-static', '-o', binary, zoo('beast.c')])
const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout.trim()

const SERVERS = [
  { language: 'JavaScript', command: ['node', zoo('beast.mjs'), outside] },
  ...python ? [{ language: 'Python', command: [python, zoo('beast.py')] }] : [],
  ...built.status === 0 ? [{ language: 'C', command: [binary, outside] }] : [],
]
const MEANS = [
  { name: 'all of them', flags: [] },
  { name: 'without strace', flags: ['--trace', 'shims'] },
  { name: 'without unshare', flags: ['--with-network', '--trace', 'strace'] },
  { name: 'without both', flags: ['--with-network', '--trace', 'shims'] },
]

const acts = name => !name.includes('quiet')

function figures({ command }, flags) {
  rmSync(outside, { force: true })
  const { stdout } = spawnSync('unshare', ['-rn', process.execPath, join(root, 'dist/cli/bin.js'), 'audit', '--all', '--json', ...flags, '--', ...command], { encoding: 'utf8', cwd: scratch, maxBuffer: 1 << 26 })
  const { tools } = JSON.parse(stdout)
  const fired = tool => tool.calls.some(call => call.verdict === 'fail')
  const honest = tool => tool.calls.some(call => call.verdict !== 'ok')
  const acting = tools.filter(tool => acts(tool.name))
  const quiet = tools.filter(tool => !acts(tool.name))
  return {
    acting: acting.length, found: acting.filter(fired).length, falseAlarms: quiet.filter(fired).map(tool => tool.name), quiet: quiet.length,
    falseComfort: acting.filter(tool => !honest(tool)).map(tool => tool.name), notWatched: [...acting, ...quiet].filter(tool => !fired(tool) && tool.calls.some(call => call.verdict === 'not-watched')).length,
    missed: acting.filter(tool => !fired(tool)).map(tool => tool.name),
  }
}

const percent = (part, whole) => whole === 0 ? '-' : `${(100 * part / whole).toFixed(0)} %`
mkdirSync(join(root, '.usher'), { recursive: true })
const rows = []
for (const { name, flags } of MEANS) {
  for (const server of SERVERS) {
    const one = figures(server, flags)
    rows.push(`| ${name} | ${server.language} | ${one.found} of ${one.acting} (${percent(one.found, one.acting)}) | ${percent(one.found, one.found + one.falseAlarms.length)} | ${one.notWatched} | ${one.falseComfort.length} | ${one.missed.join(', ')} |`)
    process.stderr.write(`${rows.at(-1)}\n`)
  }
}
rmSync(scratch, { recursive: true, force: true })
rmSync(outside, { force: true })

const text = `# What \`usher audit\` finds in the zoo

\`node bench/audit.mjs --write\` runs every server of \`test/fixtures/zoo\` with \`--all\`: each tool acts in another way (a program by name, by absolute path or
through a shell, \`fetch\`, a raw socket, UDP, a look-up alone, mail, files at home and outside, a delete, a late timer, a detached child, a flag two levels deep,
a second call, a local socket of another process, an SQLite file), or does nothing that counts. *Recall*: acting tools with at least one \`fail\`. *Precision*: of
the tools with a \`fail\`, those that act. *Not watched*: tools that got this verdict because a class of effects had no watcher. *False comfort*: acting tools whose
every call reads \`ok\`; it has to be 0 whatever is missing.

| watchers | server | recall | precision | not watched | false comfort | missed |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`
if (process.argv.includes('--write')) writeFileSync(join(root, 'bench/RESULTS-audit.md'), text)
else process.stdout.write(text)
