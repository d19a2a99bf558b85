/** A server as a person starts it: a process of the built command line, in a folder of its own, asked over real HTTP. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TokenStore } from '../../src/serve/tokens.ts'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { openLogReader, type LogReader } from '../../src/log/reader.ts'
import { BIN } from '../cli/usher.ts'
import { ROOT } from '../rules/source-files.ts'
import { localFolder } from '../contract/local-folder.ts'

/** Each test has words of its own: the same words for the same route within a moment are a duplicate. */
export const ROUTES = `version: 1
routes:
  - name: record
    tool: record
    triggers: ["write it down", "write down {words:rest}"]
    from: [user, webhook, chat, local, lines, inbox]
    allow: [fs.write]
    must_fire: ["please write it down"]
    must_not_fire: ["why did you write it down?"]
  - name: slow
    tool: slow
    triggers: ["run the slow job"]
    from: [user, webhook]
    allow: [fs.write]
    must_fire: ["run the slow job"]
    must_not_fire: ["do not run the slow job"]
`

export interface Answer { readonly status: number, readonly headers: IncomingHttpHeaders, readonly text: string, json<T = Record<string, never>>(): T, lines<T>(): T[] }
export interface Outcomes { readonly id: string, readonly source: string, readonly eventId: string, readonly duplicate?: true, readonly ignored?: string[], readonly error?: { code: string }, readonly outcomes: { kind: string, reason: string, callId?: string, result?: unknown, route?: string, why?: string }[] }

export interface Running {
  readonly address: string
  readonly port: number
  readonly socket: string
  readonly child: ChildProcess
  /** Standard output after the first line, and standard error. */
  readonly out: () => string
  readonly err: () => string
  ask(path: string, options?: AskOptions): Promise<Answer>
  /** One event as JSON. */
  post(body: object | string, options?: AskOptions): Promise<Answer>
  /** Sends a signal (none: waits only) and gives the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}
export interface AskOptions { readonly method?: string, readonly headers?: OutgoingHttpHeaders, readonly body?: string | Buffer, readonly token?: string, readonly socket?: boolean }

export class Place {
  readonly folder = mkdtempSync(join(localFolder(), 'usher-serve-'))
  readonly state = join(this.folder, 'state')
  readonly log = join(this.folder, 'log.sqlite')
  readonly routes = join(this.folder, 'routes')
  readonly record = join(this.folder, 'record.txt')
  readonly #running = new Set<ChildProcess>()

  constructor() {
    mkdirSync(this.routes)
    mkdirSync(this.state, { mode: 0o700 })
    this.write('routes/routes.yaml', ROUTES)
  }

  get env(): NodeJS.ProcessEnv { return { PATH: process.env['PATH'], HOME: this.folder, XDG_STATE_HOME: join(this.folder, 'xdg'), NO_COLOR: '1', USHER_TEST_RECORD: this.record } }
  write(name: string, text: string): string { const file = join(this.folder, name); writeFileSync(file, text); return file }
  /** As `usher token add` makes it: where there is a log, it names the file. */
  token(name: string, source: string, answers: 'full' | 'kind' = 'full'): string {
    const store = new TokenStore(this.state)
    const made = store.add({ name, source, answers, at: Date.now() })
    if (existsSync(this.log)) {
      const log = openSqliteLog(this.log, { stateDir: this.state })
      log.act({ who: 'test', act: 'tokens.write', about: store.digest, detail: { file: store.file, what: `add ${name}` }, at: Date.now() })
      log.close()
    }
    return made
  }
  get pageToken(): string { return readFileSync(join(this.state, 'page.token'), 'utf8').trim() }
  recorded(): string[] { return existsSync(this.record) ? readFileSync(this.record, 'utf8').trim().split('\n') : [] }
  reader(): LogReader { return openLogReader(this.log, { stateDir: this.state }) }
  /** Rows of one kind in the log, oldest first. */
  rows(kind: string): Record<string, unknown>[] {
    const reader = this.reader()
    try {
      return (reader.db.prepare('SELECT body FROM rows WHERE kind = ? ORDER BY seq').pluck().all(kind) as string[]).map(body => JSON.parse(body) as Record<string, unknown>)
    } finally { reader.close() }
  }
  acts(act: string): Record<string, unknown>[] { return this.rows('act').filter(body => body['act'] === act) }

  /** The arguments that every test's server has. */
  args(more: readonly string[] = []): string[] {
    return ['serve', '--json', '--no-reader', '--state', this.state, '--log', this.log, '--routes', this.routes, '--tools', join(ROOT, 'test/serve/tools.mjs'), ...more]
  }

  spawn(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    const child = spawn(process.execPath, [BIN, ...args], { cwd: this.folder, env: { ...this.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#running.add(child)
    child.once('exit', () => this.#running.delete(child))
    return child
  }

  /** Resolves when the server has printed its address. */
  async start(more: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Running> {
    const child = this.spawn(this.args(more), env)
    let out = ''
    let err = ''
    child.stdout?.on('data', (chunk: Buffer) => { out += chunk.toString() })
    child.stderr?.on('data', (chunk: Buffer) => { err += chunk.toString() })
    await until(() => out.includes('\n') || child.exitCode !== null)
    if (!out.includes('\n')) throw new Error(`the server ended with ${child.exitCode}: ${err}`)
    const { address, socket } = JSON.parse(out.slice(0, out.indexOf('\n'))) as { address: string, socket: string }
    const port = Number(new URL(address).port)
    const ask = (path: string, options: AskOptions = {}) => send(options.socket ? { socketPath: socket } : { host: '127.0.0.1', port }, path, options)
    return {
      address, port, socket, child, out: () => out.slice(out.indexOf('\n') + 1), err: () => err, ask,
      post: (body, options = {}) => ask('/events', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), ...options, headers: { 'content-type': 'application/json', ...options.headers } }),
      end: async signal => {
        if (signal) child.kill(signal)
        await until(() => child.exitCode !== null || child.signalCode !== null)
        return child.exitCode
      },
    }
  }

  /** Ends what is left and removes the folder. */
  async remove(): Promise<void> {
    for (const child of this.#running) child.kill('SIGKILL')
    await until(() => this.#running.size === 0)
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 3000; tries++) {
    if (await check()) return
    await sleep(20)
  }
  throw new Error(`waited for a minute: ${check.toString()}`)
}

type Where = { readonly socketPath: string } | { readonly host: string, readonly port: number }

export function send(where: Where, path: string, options: AskOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }), ...options.headers }
    const asked = request({ ...where, path, method: options.method ?? 'GET', headers, agent: false }, response => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: <T>() => JSON.parse(text) as T, lines: <T>() => text.trim().split('\n').map(line => JSON.parse(line) as T) })
      })
    })
    asked.on('error', reject)
    asked.end(options.body)
  })
}
