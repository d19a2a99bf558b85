/** Several processes write one log at once; afterwards no row is lost and the chain verifies. Also `npm run prove:writers -- --processes 4 --calls 2500`. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { openLogReader } from '../../dist/log/reader.js'
import { verifyLog } from '../../dist/log/verify.js'

const WRITER = fileURLToPath(new URL('writer.mjs', import.meta.url))

export async function writeAtOnce({ processes, calls }) {
  const root = mkdtempSync(join(tmpdir(), 'usher-writers-'))
  const file = join(root, 'log.db')
  const stateDir = join(root, 'state')
  const started = performance.now()
  try {
    const ends = await Promise.all(Array.from({ length: processes }, (_, i) => new Promise(resolve => {
      const child = spawn(process.execPath, [WRITER, file, stateDir, `writer${i}`, String(calls)], { stdio: ['ignore', 'inherit', 'pipe'] })
      let problem = ''
      child.stderr.on('data', text => { problem += text })
      child.once('exit', code => resolve({ code, problem }))
    })))
    const seconds = (performance.now() - started) / 1000
    const reader = openLogReader(file, { stateDir })
    const count = sql => reader.db.prepare(sql).pluck().get()
    const result = {
      failed: ends.filter(end => end.code !== 0).map(end => end.problem), seconds, verdict: verifyLog(file, { stateDir }), calls: count('SELECT count(DISTINCT call_id) FROM calls WHERE outcome = \'called\''), events: count('SELECT count(*) FROM events'),
      /** Next to each other in the chain, from different processes: they really wrote at once. */
      switches: count('SELECT count(*) FROM calls a JOIN calls b ON b.seq = (SELECT min(seq) FROM calls WHERE seq > a.seq) WHERE substr(a.call_id, 1, 7) <> substr(b.call_id, 1, 7)'),
      genesis: count('SELECT count(*) FROM rows WHERE kind = \'genesis\''),
    }
    reader.close()
    return result
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { processes: { type: 'string', default: '4' }, calls: { type: 'string', default: '2500' } } })
  const result = await writeAtOnce({ processes: Number(values.processes), calls: Number(values.calls) })
  process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`)
  process.exitCode = result.failed.length === 0 && result.verdict.kind === 'ok' && result.calls === Number(values.processes) * Number(values.calls) ? 0 : 1
}
