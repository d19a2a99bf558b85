/** The page over a real Usher with its real desk: cards, switches and proof as the server mounts them. */
import { onTestFinished } from 'vitest'
import type { ConsoleOptions } from '../../../src/console/server.ts'
import { openLogReader } from '../../../src/log/reader.ts'
import { consoleDesk } from '../../../src/serve/desk.ts'
import { bench, type Bench } from '../../approvals/bench.ts'
import { openPage, type Page } from './page.ts'

export interface DeskPage { readonly on: Bench, readonly page: Page }

export function deskOptions(on: Bench): ConsoleOptions {
  const { usher } = on
  const reader = openLogReader(usher.log.location)
  onTestFinished(() => reader.close())
  const desk = consoleDesk({ desk: usher.desk, who: 'alice', log: usher.log, db: reader.db, table: () => usher.table, clock: on.clock })
  return { log: usher.log.location, clock: on.clock, routes: () => ({ table: usher.table, problems: [] }), desk }
}

export async function openDeskPage(): Promise<DeskPage> {
  const on = await bench()
  onTestFinished(() => on.close())
  return { on, page: await openPage(deskOptions(on)) }
}

/** One card that waits; gives its id. */
export async function waitingCard(on: Bench, times = 3): Promise<string> {
  const [outcome] = await on.say(`ring the bell ${times} times`)
  return outcome?.decisionId ?? ''
}
