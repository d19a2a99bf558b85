/** Every command, in the order of the help. */
import type { Command } from 'commander'
import type { Io } from '../io.ts'
import { registerDay } from './day.ts'
import { registerDecide } from './decide.ts'
import { registerRun } from './run.ts'

export const COMMANDS: readonly ((program: Command, io: Io) => void)[] = [registerDay, registerRun, registerDecide]
