/** The frame of a page for one request: theme, what waits, what is stopped. */
import { getCookie } from './web.ts'
import type { Asking, ConsoleParts } from './parts.ts'
import { clockOf, dayOf } from './format.ts'
import type { Frame } from './pages/layout.ts'

const THEMES: ReadonlySet<string> = new Set(['dark', 'light'])

export async function frameOf(context: Asking, parts: ConsoleParts, more: Pick<Frame, 'title' | 'place'> & Partial<Frame>): Promise<Frame> {
  const { desk } = parts
  const theme = getCookie(context, 'usher-theme')
  const [cards, halted, secret] = desk ? await Promise.all([desk.cards(), desk.halted(), desk.secret()]) : []
  return {
    theme: theme !== undefined && THEMES.has(theme) ? theme : undefined, csrf: desk && context.get('session')?.csrf, acts: desk !== undefined,
    waiting: cards?.filter(card => card.state === 'waiting').length ?? 0, secretless: secret === 'none', seq: undefined,
    halted: halted && { since: `${dayOf(halted.since)} ${clockOf(halted.since)}`, who: halted.who, why: halted.why }, ...more,
  }
}
