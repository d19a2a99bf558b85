/** Every command, in the order of the help. */
import type { Command } from 'commander'
import type { Io } from '../io.ts'
import { registerConsole } from './console.ts'
import { registerDay } from './day.ts'
import { registerDecide } from './decide.ts'
import { registerEval } from './eval.ts'
import { registerExplain } from './explain.ts'
import { registerBlame, registerReport, registerStats } from './figures.ts'
import { registerLog } from './log.ts'
import { registerReplay } from './replay.ts'
import { registerRun } from './run.ts'
import { registerPrune, registerVerify } from './trust.ts'
import { registerUnexplained } from './unexplained.ts'

export const COMMANDS: readonly ((program: Command, io: Io) => void)[] = [
  registerDay, registerRun, registerDecide,
  registerUnexplained, registerLog, registerExplain, registerBlame, registerStats, registerReport,
  registerEval, registerReplay,
  registerVerify, registerPrune, registerConsole,
]
