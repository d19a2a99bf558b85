/** What `usher doctor` looks at. Each check says what it found and, where something is wrong, what to do; none changes anything. */
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { verifyContracts } from '../contract/verify.ts'
import { installObserver } from '../effects/observer.ts'
import { openEmbedder } from '../embed/embedder.ts'
import { PINNED_ENCODER } from '../embed/pinned.ts'
import { UsherError } from '../errors.ts'
import { openDatabase } from '../log/db.ts'
import { openLogReader, type LogReader } from '../log/reader.ts'
import { defaultStateDir, existingKey } from '../log/state.ts'
import { verifyLog } from '../log/verify.ts'
import { NativeScan } from '../match/native.ts'
import { bundledReaderDir } from '../reader/scorer.ts'
import { readRoutes } from '../routes/load.ts'
import { problemText } from '../routes/problem.ts'
import { readManifest, readModelFiles } from '../util/model-files.ts'
import { acceptedFolder, pathsOf, type ContractFileOptions } from './contract-options.ts'
import { routesFolder } from './setup.ts'

export interface Found { readonly check: string, readonly status: 'ok' | 'note' | 'wrong', readonly what: string, readonly next?: string }
export interface DoctorOptions extends ContractFileOptions { readonly log: string, readonly routes?: readonly string[], readonly now: number }

type Finding = Omit<Found, 'check'>
const ok = (what: string): Finding => ({ status: 'ok', what })
const note = (what: string, next?: string): Finding => ({ status: 'note', what, ...(next === undefined ? {} : { next }) })
const wrong = (what: string, next: string): Finding => ({ status: 'wrong', what, next })

/** In the order in which one thing needs the other. */
export const CHECKS: readonly { readonly name: string, readonly look: (options: DoctorOptions) => Finding | Promise<Finding> }[] = [
  { name: 'node', look: () => nodeVersion(process.versions.node) },
  // Before anything native is loaded, as it should be in a program.
  { name: 'observer', look: observer },
  { name: 'sqlite', look: native(withDatabase, 'better-sqlite3') },
  { name: 'index', look: native(searches, 'hnswlib-node') },
  { name: 'model', look: encoder },
  { name: 'reader', look: secondReader },
  { name: 'routes', look: routes },
  { name: 'log', look: log },
  { name: 'permissions', look: permissions },
  { name: 'disk', look: disk },
  { name: 'clock', look: clock },
  { name: 'contracts', look: contracts },
]

/** A check that fails in a way nobody foresaw is a finding too. */
export async function examine(options: DoctorOptions, onStep: (done: number, total: number) => void = () => undefined): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const { name, look } of CHECKS) {
    onStep(found.length, CHECKS.length)
    try {
      found.push({ check: name, ...await look(options) })
    } catch (error) {
      found.push({ check: name, ...wrong(error instanceof Error ? error.message : String(error), UsherError.is(error) ? `see ${error.code} in the README` : 'install the package again; if it stays, report it with this message') })
    }
  }
  return found
}

export function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 20 || (major === 20 && minor >= 20) ? ok(version) : wrong(`${version} is too old`, 'install Node 20.20 or newer')
}

function native(look: () => unknown, name: string): () => Promise<Finding> {
  return async () => {
    try {
      await look()
      return ok(`${name} loads and works`)
    } catch (error) {
      return wrong(`${name} does not work: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`, `npm rebuild ${name} (needs python3, make and a C++ compiler), with the Node that runs Usher`)
    }
  }
}

function withDatabase(): void {
  const folder = mkdtempSync(join(tmpdir(), 'usher-doctor-'))
  try {
    const db = openDatabase(join(folder, 'x.sqlite'), { timeout: 1000 })
    try { db.exec('CREATE TABLE t (n)') } finally { db.close() }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function searches(): Promise<void> {
  const scan = await NativeScan.of([Float32Array.of(1, 0), Float32Array.of(0, 1)], 2)
  if (scan.search(Float32Array.of(0, 1), 1)[0]?.label !== 1) throw new UsherError('INDEX_INVALID', 'it found another vector than the nearest')
}

async function encoder(): Promise<Finding> {
  const model = await openEmbedder({ workers: 1 })
  try {
    const started = performance.now()
    const { vector } = await model.embed('is anybody there')
    if (model.id !== PINNED_ENCODER) return wrong(`it is ${model.id}, and thresholds belong to ${PINNED_ENCODER}`, 'install the package again')
    return ok(`${model.id.split('@')[0]}, ${vector.length} dimensions; its files are those of the package; first text after ${Math.round(performance.now() - started)} ms`)
  } finally {
    await model.close()
  }
}

function secondReader(): Finding {
  const folder = bundledReaderDir()
  if (!existsSync(folder)) return note('not there: the rules decide alone', 'install the package again to have it')
  const manifest = readManifest(folder)
  readModelFiles(folder, manifest)
  return ok(`${manifest.name}; its files are those of the package`)
}

function routes(options: DoctorOptions): Finding {
  const paths = routesFolder(options.routes)
  const read = readRoutes(paths)
  if (read.kind === 'invalid') return wrong(read.problems.slice(0, 3).map(problemText).join('; '), 'mend the file; "usher check" shows every problem')
  return ok(`${read.table.routes.size} routes in ${paths.join(', ')}`)
}

function log({ log: file }: DoctorOptions): Finding {
  if (!existsSync(file)) return note(`there is none yet at ${file}`, 'it is made by the first event: npm start, or usher run')
  const verdict = verifyLog(file)
  if (verdict.kind === 'broken' && verdict.first.seq === 0 && !beginsAsDatabase(file)) return wrong(`${file} is no log: it does not begin as a SQLite file does`, 'name the log with --log, or move this file away; a log that was overwritten is in your backup')
  if (verdict.kind === 'broken') return wrong(`row ${verdict.first.seq} is ${verdict.first.kind}: ${verdict.first.detail}`, 'usher verify; keep the file as it is, and find out who changed it')
  return verdict.kind === 'ok' ? ok(`${verdict.rows} rows, unchanged since they were written`) : note(`${verdict.rows} rows that hold together; ${verdict.why}`, 'usher anchor, and keep the line elsewhere')
}

/** sqlite.org/fileformat.html, the first 16 bytes. */
function beginsAsDatabase(file: string): boolean {
  const first = Buffer.alloc(16)
  const opened = openSync(file, 'r')
  try { readSync(opened, first, 0, 16, 0) } finally { closeSync(opened) }
  return first.toString('latin1') === 'SQLite format 3\0'
}

function permissions({ log: file }: DoctorOptions): Finding {
  const state = defaultStateDir()
  const open = [file, `${file}-wal`, state, join(state, 'mask.key')].filter(path => existsSync(path) && (statSync(path).mode & 0o077) !== 0)
  if (open.length > 0) return wrong(`others on this machine may read ${open.join(', ')}`, `chmod go-rwx ${open.join(' ')}`)
  if (!existsSync(state)) return note(`the state folder ${state} is not there yet`)
  return existingKey(state) === undefined ? note(`there is no key in ${state} yet`) : ok(`only you may read the log and ${state}`)
}

const LITTLE = 200 * 1024 * 1024

function disk({ log: file }: DoctorOptions): Finding {
  let folder = dirname(resolve(file))
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  return free < LITTLE ? wrong(`${Math.floor(free / 1024 / 1024)} MB are free at ${folder}; a call whose row cannot be written does not run`, 'make room') : ok(`${Math.floor(free / 1024 / 1024)} MB free`)
}

const AHEAD = 5 * 60_000

function clock({ log: file, now }: DoctorOptions): Finding {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (now < Date.UTC(2026, 0, 1)) return wrong(`it says ${new Date(now).toISOString()}`, 'set the clock: ages, limits and hours of routes rest on it')
  if (!existsSync(file)) return ok(`${new Date(now).toISOString()}, ${zone}`)
  const reader = readable(file)
  if (!reader) return ok(`${new Date(now).toISOString()}, ${zone}; not compared with the log, which cannot be read`)
  try {
    const newest = reader.db.prepare('SELECT max(at) FROM rows').pluck().get()
    if (typeof newest === 'number' && newest > now + AHEAD) return wrong(`the newest row of the log is of ${new Date(newest).toISOString()}, and it is ${new Date(now).toISOString()} now: the clock went back`, 'set the clock; until then limits and ages count wrongly')
  } finally {
    reader.close()
  }
  return ok(`${new Date(now).toISOString()}, ${zone}`)
}

/** What is wrong with a log is said by its own check, and only there. */
function readable(file: string): LogReader | undefined {
  try {
    return openLogReader(file, { recover: false })
  } catch (error) {
    if (UsherError.is(error)) return undefined
    throw error
  }
}

function observer(): Finding {
  const installed = installObserver()
  try {
    const missed = installed.selfCheck()
    return missed.length === 0 ? ok('wraps everything it knows; nothing ran before it') : note(missed.slice(0, 3).join('; '), 'in your own program put import \'usher-router/observe\' first')
  } finally {
    installed.uninstall()
  }
}

function contracts(options: DoctorOptions): Finding {
  const paths = pathsOf(options)
  if (!existsSync(paths.file)) return note('no contract file here: no tool from outside is callable', 'usher contract draft -- SERVER, where you want one')
  const verdict = verifyContracts(paths, { access: true })
  if (verdict.status !== 'ok') return wrong(verdict.problems.slice(0, 3).map(found => found.message).join('; '), verdict.status === 'unsigned' ? 'usher contract review, then usher contract sign' : 'usher contract verify shows every problem')
  return ok(`${verdict.contracts.length} signed; what was accepted before is in ${acceptedFolder(paths)}`)
}
