/** Opens everything of this folder over one log and one state folder. */
import { isDead, ownProcess, parseProcess, processText } from '../log/process-id.ts'
import { defaultStateDir } from '../log/state.ts'
import type { CallLog, Clock } from '../ports.ts'
import { Approvals, type ApprovalRuntime, type ApprovalsParts } from './approvals.ts'
import { CardStore } from './card-store.ts'
import { sqliteLogRows, type LogRows } from './log-rows.ts'
import { type BreakerOptions, OwnerState } from './owner-state.ts'
import { Owner } from './owner.ts'
import { PersonProof } from './person-proof.ts'
import { proofMemory } from './proof-memory.ts'

export interface DeskOptions {
  readonly log: CallLog
  readonly clock: Clock
  /** Default: the folder that the log's key is in. */
  readonly stateFolder?: string
  /** How the log's rows are read; default: `log.location` as an SQLite file. */
  readonly rows?: LogRows
  readonly breaker?: BreakerOptions
  /** Without one, cards can be listed, denied, and granted. */
  readonly runtime?: ApprovalRuntime
  readonly onCard?: ApprovalsParts['onCard']
  readonly perSource?: number
  readonly mostWaiting?: number
  /** The owner's `allowed_signers`, whose keys may sign acts, and revoked keys. */
  readonly signers?: string
  readonly revoked?: string
  /** This process runs tools: what descends from it may not approve. */
  readonly runsTools?: boolean
}

export interface Desk {
  readonly approvals: Approvals
  readonly owner: Owner
  readonly proof: PersonProof
  readonly stateFolder: string
  close(): void
}

/** Throws CARDS_FAILED, LOG_OPEN_FAILED. Close it before the log. */
export function openDesk(options: DeskOptions): Desk {
  const { log, clock, stateFolder = defaultStateDir(), runtime, onCard, perSource, mostWaiting, signers, revoked } = options
  let closed = false
  const rows = options.rows ?? sqliteLogRows(log.location)
  const store = new CardStore(stateFolder, log.location)
  if (options.runsTools) store.register(processText(ownProcess()), clock.now(), text => { const id = parseProcess(text); return id === undefined || isDead(id) })
  const owner = new Owner(log, new OwnerState(rows, clock, options.breaker), clock)
  const proof = new PersonProof({ stateFolder, log, store, memory: proofMemory(rows.another?.() ?? rows), clock, ...signers === undefined ? {} : { signers }, ...revoked === undefined ? {} : { revoked } })
  const approvals = new Approvals({
    store, log, clock, owner, proof, ...runtime ? { runtime } : {}, ...onCard ? { onCard } : {}, ...perSource === undefined ? {} : { perSource }, ...mostWaiting === undefined ? {} : { mostWaiting },
  })
  return { approvals, owner, proof, stateFolder, close: () => { if (closed) return; closed = true; if (options.runsTools) store.unregister(processText(ownProcess())); owner.close(); store.close() } }
}
