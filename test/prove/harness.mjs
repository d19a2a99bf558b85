/** Kills real processes at random moments of a real workload, and looks what the log says afterwards. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openLogReader } from '../../dist/log/reader.js'
import { openSqliteLog } from '../../dist/log/sqlite.js'
import { unexplained } from '../../dist/log/unexplained.js'
import { verifyLog } from '../../dist/log/verify.js'

const WORKLOAD = fileURLToPath(new URL('workload.mjs', import.meta.url))
/** A log takes so many kills before the next one begins. */
const RUNS_A_LOG = 20
/** When to kill: after so many pairs of calls at most, and then so many ms. Counted in calls, since a busy machine makes each of them slow. */
const MOST_PAIRS = 8
const MOST_DELAY_MS = 40

/** mulberry32 (Tommy Ettinger, public domain): when to kill. What the process is doing at that moment is left to the machine. */
function random(seed) {
  let a = seed
  return () => {
    a = (a + 0x6D2B79F5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** One process, killed at its moment. Every fourth run has two at once. */
async function killOne(place, name, moment, broken) {
  const child = spawn(process.execPath, [WORKLOAD, place.file, place.stateDir, place.witnessDir, name, '100000', broken], { stdio: ['ignore', 'pipe', 'pipe'] })
  let problem = ''
  child.stderr.on('data', text => { problem += text })
  const ended = new Promise(resolve => { child.once('exit', (code, signal) => resolve({ code, signal })) })
  await Promise.race([linesOf(child.stdout, 1 + moment.pairs), ended])
  await wait(moment.delay)
  child.kill('SIGKILL')
  const { signal } = await ended
  return signal === 'SIGKILL' ? undefined : `the workload ended by itself: ${problem.slice(-500)}`
}

function linesOf(stream, count) {
  let seen = 0
  return new Promise(resolve => { stream.on('data', bytes => { seen += String(bytes).split('\n').length - 1; if (seen >= count) resolve() }) })
}

/** Everything that must hold after a kill. Returns the faults in words, and counts. */
function inspect(place) {
  const faults = []
  const inFlight = inFlightCalls(place)
  openSqliteLog(place.file, { stateDir: place.stateDir }).close()
  const reader = openLogReader(place.file, { stateDir: place.stateDir })
  const calls = new Map(reader.db.prepare('SELECT call_id, at, outcome, reason FROM calls').all().map(row => [row.call_id, row]))
  const effects = new Set(reader.db.prepare('SELECT call_id FROM effects').pluck().all())
  const unexplainedEffects = unexplained(reader).filter(found => found.kind !== undefined)
  reader.close()
  const witnesses = new Map(readdirSync(place.witnessDir).map(name => [name, readFileSync(join(place.witnessDir, name), 'utf8').split('\n').filter(Boolean)]))
  for (const [callId, times] of witnesses) {
    const call = calls.get(callId)
    if (!call) faults.push(`effect of ${callId} has no call`)
    else if (call.at > Number(times[0])) faults.push(`the row of ${callId} is younger than its effect`)
    if (!effects.has(callId)) faults.push(`effect of ${callId} has no effect row`)
    if (times.length > 1) faults.push(`${callId} ran ${times.length} times`)
  }
  for (const [callId, call] of calls) {
    if (call.outcome === 'called' && !witnesses.has(callId)) faults.push(`${callId} reads called, and its effect is not there`)
    if (call.outcome === 'in-flight') faults.push(`${callId} still reads in flight`)
  }
  for (const callId of inFlight) {
    const call = calls.get(callId)
    if (call.outcome !== 'unknown' || call.reason !== 'crashed') faults.push(`${callId} was in flight and reads ${call.outcome}`)
  }
  for (const found of unexplainedEffects) faults.push(`${found.id} ${found.kind} ${found.target} is unexplained (${found.reason})`)
  const verdict = verifyLog(place.file, { stateDir: place.stateDir })
  if (verdict.kind !== 'ok') faults.push(`the chain does not verify: ${JSON.stringify(verdict)}`)
  return { faults, calls: calls.size, effects: witnesses.size, cut: inFlight.length, cutAfterEffect: inFlight.filter(callId => witnesses.has(callId)).length }
}

/** Before anything recovers them. */
function inFlightCalls(place) {
  const reader = openLogReader(place.file, { recover: false })
  try { return reader.db.prepare('SELECT call_id FROM calls WHERE outcome = \'in-flight\'').pluck().all() } finally { reader.close() }
}

function newPlace(root, n) {
  const witnessDir = join(root, `witness-${n}`)
  mkdirSync(witnessDir)
  return { file: join(root, `log-${n}.db`), stateDir: join(root, 'state'), witnessDir }
}

/** @param options runs, seed, a fault to plant (see workload.mjs), and what to do after each run with (done, figures) */
export async function crashRuns({ runs, seed = 1, broken = '', onRun = () => undefined }) {
  const root = mkdtempSync(join(tmpdir(), 'usher-crash-'))
  const next = random(seed)
  const figures = { runs: 0, kills: 0, calls: 0, effects: 0, cut: 0, cutAfterEffect: 0, faults: [] }
  let place = newPlace(root, 0)
  let before = { calls: 0, effects: 0 }
  try {
    for (let run = 0; run < runs; run++) {
      if (run > 0 && run % RUNS_A_LOG === 0) { place = newPlace(root, run); before = { calls: 0, effects: 0 } }
      const moments = Array.from({ length: run % 4 === 3 ? 2 : 1 }, () => ({ pairs: Math.floor(next() * MOST_PAIRS), delay: next() * MOST_DELAY_MS }))
      const problems = await Promise.all(moments.map((moment, i) => killOne(place, `run${run}-${i}`, moment, broken)))
      const found = inspect(place)
      figures.runs++
      figures.kills += moments.length
      figures.calls += found.calls - before.calls
      figures.effects += found.effects - before.effects
      figures.cut += found.cut
      figures.cutAfterEffect += found.cutAfterEffect
      figures.faults.push(...[...problems.filter(Boolean), ...found.faults].map(fault => `run ${run}: ${fault}`))
      before = found
      onRun(run + 1, figures)
      if (figures.faults.length > 20) break
    }
    return figures
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
