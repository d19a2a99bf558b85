/** What the sections of the speed benchmark share: options, contenders, and the table that they fill. */
import { mkdirSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Contender } from '../peers/process.mjs'
import { ensurePeer } from '../peers/setup.mjs'

export const MODEL = fileURLToPath(new URL('../../models/all-MiniLM-L6-v2', import.meta.url))
const here = name => fileURLToPath(new URL(name, import.meta.url))

/** Threads of a Python peer's session: both cores, as it does by itself. */
const PEER_THREADS = '2'

export class Context {
  /** @type {{ work: string, target?: string, value?: number, unit?: string, met?: boolean, detail: string, missing?: string }[]} */
  rows = []
  missing = []
  pictures = new Map()
  notes = []
  #peers
  #open = []

  constructor({ quick, onePeer, data }) {
    this.quick = quick
    this.onePeer = onePeer
    this.data = data
    this.cache = here('../../.usher/bench')
    mkdirSync(this.cache, { recursive: true })
    this.#peers = ['semantic-router-0.1.16', 'semantic-router-1.1.1'].flatMap(name => {
      const peer = ensurePeer(name)
      if (peer.missing === undefined) return [peer]
      this.missing.push(`${name} (${peer.missing})`)
      return []
    })
  }

  cacheDir(name) {
    return join(this.cache, name)
  }

  /** A row of the table. `value` is compared with `most` or `least`; a row without either states a figure. */
  row(work, value, { most, least, detail = '', unit = '' }) {
    const target = most !== undefined ? `at most ${most}` : least !== undefined ? `at least ${least}` : 'stated'
    const met = most !== undefined ? value <= most : least !== undefined ? value >= least : undefined
    this.rows.push({ work, target, value, unit, detail, ...(met === undefined ? {} : { met }) })
  }

  /** A target that could not be measured: it counts as missed, by name. */
  unmeasured(work, why) {
    this.rows.push({ work, target: 'not measured', detail: why, met: false, missing: why })
  }

  #start(name, command, args) {
    const contender = new Contender(command, args)
    this.#open.push(contender)
    return { name, contender }
  }

  /** After a section, also one that failed: a contender left over would keep this process alive. */
  async closeAll() {
    await Promise.all(this.#open.splice(0).map(contender => contender.close()))
  }

  usher() {
    return this.#start('usher', process.execPath, [here('./usher_contender.mjs')])
  }

  naive() {
    return this.#start('naive loop', process.execPath, [here('../peers/naive_peer.mjs'), MODEL])
  }

  /** semantic-router, each version that could be had; only one of them in a whole quick run, which has a minute. */
  routers() {
    return (this.onePeer ? this.#peers.slice(0, 1) : this.#peers).map(({ name, python }) => this.#start(name, python, [here('../peers/semantic_router_peer.py'), MODEL, PEER_THREADS]))
  }

  get machine() {
    return `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}, load average ${loadavg()[0].toFixed(1)}`
  }
}
