/** Every command, in the order of the help. Loaded when it is asked for: `usher log` needs no encoder, and a start should be immediate. */
import type { Command } from 'commander'
import type { Io } from '../io.ts'

export type Register = (program: Command, io: Io) => void

export const COMMANDS: ReadonlyMap<string, () => Promise<Register>> = new Map([
  ['day', async () => (await import('./day.ts')).registerDay],
  ['run', async () => (await import('./run.ts')).registerRun],
  ['decide', async () => (await import('./decide.ts')).registerDecide],
  ['unexplained', async () => (await import('./unexplained.ts')).registerUnexplained],
  ['log', async () => (await import('./log.ts')).registerLog],
  ['explain', async () => (await import('./explain.ts')).registerExplain],
  ['blame', async () => (await import('./figures.ts')).registerBlame],
  ['stats', async () => (await import('./figures.ts')).registerStats],
  ['report', async () => (await import('./figures.ts')).registerReport],
  ['check', async () => (await import('./check.ts')).registerCheck],
  ['eval', async () => (await import('./eval.ts')).registerEval],
  ['replay', async () => (await import('./replay.ts')).registerReplay],
  ['fill', async () => (await import('./fill.ts')).registerFill],
  ['schema', async () => (await import('./schema.ts')).registerSchema],
  ['verify', async () => (await import('./trust.ts')).registerVerify],
  ['anchor', async () => (await import('./trust.ts')).registerAnchor],
  ['prune', async () => (await import('./trust.ts')).registerPrune],
  ['routes', async () => (await import('./routes.ts')).registerRoutes],
  ['contract', async () => (await import('./contract.ts')).registerContract],
  ['audit', async () => (await import('./audit.ts')).registerAudit],
  ['proxy', async () => (await import('./proxy.ts')).registerProxy],
  ['console', async () => (await import('./console.ts')).registerConsole],
])
