/** Where a command prints, and how it ends: 0 done, 1 refused or found, 2 used wrongly. */
import { styleText } from 'node:util'

export type ExitCode = 0 | 1 | 2
export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan' | 'magenta'

export interface Io {
  out(text: string): void
  err(text: string): void
  /** Colours and wide tables only for a person at a terminal. */
  readonly terminal: boolean
  readonly columns: number
  paint(style: Style, text: string): string
  /** The worst code wins, so that a later success does not hide it. */
  exit(code: ExitCode): void
  readonly code: ExitCode
}

export function processIo(): Io {
  const terminal = process.stdout.isTTY === true
  const colours = terminal && !process.env['NO_COLOR']
  let code: ExitCode = 0
  return {
    out: text => { process.stdout.write(`${text}\n`) },
    err: text => { process.stderr.write(`${text}\n`) },
    terminal,
    columns: terminal ? process.stdout.columns : 160,
    paint: (style, text) => colours ? styleText(style, text) : text,
    exit: next => { if (next > code) code = next },
    get code() { return code },
  }
}

/** A line on stderr that is drawn over itself; nothing where nobody watches. */
export function progress(label: string): { step(done: number, total: number): void, end(): void } {
  const watched = process.stderr.isTTY === true
  let last = 0
  return {
    step: (done, total) => {
      if (!watched || (Date.now() - last < 100 && done < total)) return
      last = Date.now()
      process.stderr.write(`\r${label} ${done} of ${total}\x1b[K`)
    },
    end: () => { if (watched && last > 0) process.stderr.write('\r\x1b[K') },
  }
}
