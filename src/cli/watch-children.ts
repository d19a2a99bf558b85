/** How MCP servers and tools by command are watched: one flag and one variable, for every command that starts them. */
import { UsherError } from '../errors.ts'
import { WATCH_MODES, type WatchMode } from '../mcp/watch-mode.ts'

export const WATCH_FLAG = '--watch-children <how>'
export const WATCH_WORDS = 'how servers and tools by command are watched: preload, strace (compiled ones too, where strace is here), off (default: $USHER_WATCH_CHILDREN, else preload)'

/** Throws BAD_OPTION. */
export function watchChildren(option: string | undefined): WatchMode {
  const [said, from] = option === undefined ? [process.env['USHER_WATCH_CHILDREN'] || 'preload', 'USHER_WATCH_CHILDREN'] : [option, '--watch-children']
  const mode = WATCH_MODES.find(known => known === said)
  if (mode === undefined) throw new UsherError('BAD_OPTION', `${from} takes ${WATCH_MODES.join(', ')}, got ${JSON.stringify(said)}`)
  return mode
}
