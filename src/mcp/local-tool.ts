/** Version 1's local tools: a signed command that gets its arguments as one line of JSON on stdin and gives its result on stdout. */
import type { Contract } from '../contract/contract.ts'
import { contractKey } from '../contract/contract.ts'
import type { ContractStore } from '../contract/store.ts'
import { UsherError } from '../errors.ts'
import type { CallContext, JsonObject, Tool } from '../types.ts'
import { decodeStrict } from '../contract/read-file.ts'
import { canonicalJson } from '../util/canonical.ts'
import { planFor } from './sandbox.ts'
import { type ProcessOptions, ServerProcess } from './server-process.ts'

export interface LocalOptions {
  readonly store: ContractStore
  readonly cwd?: string
  readonly env?: { readonly [name: string]: string }
  /** ms; default 50 s. */
  readonly callTimeout?: number
  readonly sandbox?: 'auto' | 'off'
  readonly background?: ProcessOptions['background']
  /** Whether what the program does is handed to the effects observer; default `preload`. */
  readonly watch?: ProcessOptions['watch']
}

const MAX_OUTPUT = 16 * 1024 * 1024

/** Tools of version 1 contracts, under their own names. */
export function localTools(options: LocalOptions): readonly Tool[] {
  return options.store.callable().filter(contract => contract.version === 1 && contract.command !== undefined).map((contract): Tool => ({
    name: contractKey(contract), description: '', visible: contract.inputSchema, presetOnly: {}, effects: contract.effects,
    origin: { kind: 'mcp', server: 'local', contractHash: contract.contractHash },
    admit: async () => refusal(options.store, contract),
    run: (args, call) => runLocal(contract, args, call, options),
  }))
}

function refusal(store: ContractStore, contract: Contract): { readonly reason: string, readonly why: string } | undefined {
  const admission = store.admit(contractKey(contract))
  return admission.kind === 'refused' ? admission : undefined
}

/** Resolves with stdout. Rejects with SERVER_FAILED where it gave no answer in time, and with an ordinary error where it exited with another code than 0. */
async function runLocal(contract: Contract, args: JsonObject, call: CallContext, options: LocalOptions): Promise<string> {
  const refused = refusal(options.store, contract)
  if (refused) throw new UsherError('CONTRACT_INVALID', refused.why)
  const child = await ServerProcess.start({
    command: contract.command ?? [], watch: options.watch ?? 'preload', call, ...options.sandbox === 'off' ? {} : { sandbox: planFor(contract.privileges) },
    ...options.cwd === undefined ? {} : { cwd: options.cwd }, ...options.env ? { env: options.env } : {}, ...options.background ? { background: options.background } : {},
  })
  const output: Buffer[] = []
  let length = 0
  child.onLine = line => {
    length += line.length
    if (length <= MAX_OUTPUT) output.push(line.bytes)
  }
  const late = new Promise<'late'>(resolve => {
    const timer = setTimeout(resolve, options.callTimeout ?? 50_000, 'late')
    call.signal.addEventListener('abort', () => resolve('late'), { once: true })
    void child.exited.then(() => clearTimeout(timer))
  })
  // A program that does not read its input may be gone already: its exit code says how it went.
  await child.send(canonicalJson(args)).catch((error: unknown) => { if (!UsherError.is(error)) throw error })
  child.endInput()
  const how = await Promise.race([child.exited, late])
  if (how === 'late') {
    await child.stop()
    throw new UsherError('SERVER_FAILED', `${contract.name} gave no answer in time; whether it took effect is not known`)
  }
  if (length > MAX_OUTPUT) throw new Error(`${contract.name} wrote ${length} bytes; ${MAX_OUTPUT} is the most`)
  if (child.exitCode !== 0) throw new Error(`${contract.name} failed: ${how}${child.stderrTail ? `; the end of its stderr:\n${child.stderrTail.slice(-2000)}` : ''}`)
  const text = decodeStrict(Buffer.concat(output.flatMap((line, at) => at === 0 ? [line] : [Buffer.from('\n'), line])))
  if (text === undefined) throw new Error(`${contract.name} did not answer in UTF-8`)
  return text
}
