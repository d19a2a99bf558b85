/** `preload`: Node and Python children report from inside. `strace`: the same, and every program in any language is traced. `off`: nothing. */
export const WATCH_MODES = ['preload', 'strace', 'off'] as const

export type WatchMode = typeof WATCH_MODES[number]
