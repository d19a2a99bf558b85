/** Which program does a start really run? A shell that runs one plain command stands for that command, anything else for itself. */
import { basename } from 'node:path'
import { isSystemShell } from './find-program.ts'

export interface Program { readonly target: string, readonly args: readonly string[], readonly shell?: string }

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ash', 'ksh'])

/**
 * A shell at a place of its own stands for itself: it may do anything with the words.
 * @param argv as the program gets it, its own name first
 * @param found where the file is, if that is known; else its own folder has to do
 */
export function programOf(file: string, argv: readonly string[], found = file): Program {
  if (SHELLS.has(basename(file)) && (found === basename(file) || isSystemShell(found)) && argv.length === 3 && argv[1] === '-c') {
    const words = plainWords(argv[2] ?? '')
    const [target, ...args] = words ?? []
    if (target !== undefined) return { target, args, shell: file }
  }
  return { target: file, args: argv.slice(1) }
}

/**
 * The words of a command line that no shell could read as anything but one command with literal arguments; undefined for all else
 * (operators, expansions, assignments, comments, escapes).
 */
export function plainWords(line: string): string[] | undefined {
  const words: string[] = []
  // No trim(): it also takes spaces that a shell reads as letters.
  let rest = line.replace(/^[ \t]+|[ \t]+$/g, '')
  while (rest !== '') {
    const word = /^(?:[\w@%+,./:-]|=(?!\w*$)|'[^']*'|"[^"$`\\!]*"|(?<=[^\s])=)+/.exec(rest)?.[0]
    if (word === undefined) return undefined
    words.push(word.replace(/'([^']*)'|"([^"]*)"/g, (_, single: string | undefined, double: string | undefined) => single ?? double ?? ''))
    rest = rest.slice(word.length)
    if (rest !== '' && !/^[ \t]/.test(rest)) return undefined
    rest = rest.replace(/^[ \t]+/, '')
  }
  return words[0] === undefined || words[0].includes('=') ? undefined : words
}
