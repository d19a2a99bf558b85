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
  ['approvals', async () => (await import('./approvals.ts')).registerApprovals],
  ['approve', async () => (await import('./approvals.ts')).registerApprove],
  ['deny', async () => (await import('./approvals.ts')).registerDeny],
  ['stop', async () => (await import('./switches.ts')).registerStop],
  ['resume', async () => (await import('./switches.ts')).registerResume],
  ['breaker', async () => (await import('./switches.ts')).registerBreaker],
  ['passphrase', async () => (await import('./passphrase.ts')).registerPassphrase],
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
  ['serve', async () => (await import('./serve.ts')).registerServe],
  ['service', async () => (await import('./service.ts')).registerService],
  ['token', async () => (await import('./token.ts')).registerToken],
  ['fleet', async () => (await import('./fleet.ts')).registerFleet],
  ['console', async () => (await import('./console.ts')).registerConsole],
  ['hook', async () => (await import('./hook.ts')).registerHook],
  ['mcp', async () => (await import('./mcp.ts')).registerMcp],
])
