/** The frame of a page for one request: theme, what waits, what is stopped. */
import { getCookie } from './web.ts'
import type { Asking, ConsoleParts } from './parts.ts'
import { clockOf, dayOf } from './format.ts'
import type { Acting, Frame } from './pages/layout.ts'

/** Undefined: the page only reads, or whoever asks has the token alone. */
export async function actingOf(context: Asking, { desk }: ConsoleParts): Promise<Acting | undefined> {
  const session = context.get('session')
  return desk && session ? { csrf: session.csrf, secret: await desk.secret() } : undefined
}

const THEMES: ReadonlySet<string> = new Set(['dark', 'light'])

export async function frameOf(context: Asking, parts: ConsoleParts, more: Pick<Frame, 'title' | 'place'> & Partial<Frame>): Promise<Frame> {
  const { desk } = parts
  const theme = getCookie(context, 'usher-theme')
  const [cards, halted, acting] = desk ? await Promise.all([desk.cards(), desk.halted(), actingOf(context, parts)]) : []
  return {
    theme: theme !== undefined && THEMES.has(theme) ? theme : undefined, acting,
    waiting: cards?.filter(card => card.state === 'waiting').length ?? 0, seq: undefined,
    halted: halted && { since: `${dayOf(halted.since)} ${clockOf(halted.since)}`, who: halted.who, why: halted.why }, ...more,
  }
}
