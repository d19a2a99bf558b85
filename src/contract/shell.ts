/** Is a contract's command a shell? A shell turns every argument into a program, so no privilege list could bound it. */
import { closeSync, openSync, readSync, realpathSync } from 'node:fs'

const SHELL = /^(?:r?bash|da?sh|sh|zsh|[mp]?d?ksh(?:93)?|fish|csh|tcsh|ash|elvish|nu|xonsh|yash|rc|oksh|pwsh|powershell|cmd|command|wsl|git-bash)(?:[-.]?\d[\d.]*)?(?:-preview)?(?:\.exe|\.com)?$/i
/** Programs that start the program named by their arguments. */
const WRAPPER = /^(?:env|busybox|toybox|sudo|doas|su|runuser|nohup|nice|ionice|timeout|xargs|setsid|stdbuf|time|chroot|unshare|nsenter|setpriv|script|expect|watch|start|exec|command|flock|parallel|strace|firejail|bwrap)(?:\.exe|-[\d.]+)?$/i
const SCRIPT_FILE = /\.(?:sh|bash|zsh|bat|cmd|ps1)$/i
const RUNNER = /^(?:npx|npm|pnpm|pnpx|yarn|bunx)(?:\.cmd)?$/i
/** Programs that start others as one of their own acts: the words after which the other program stands, or its text for a shell. */
const STARTS: readonly { readonly program: RegExp, readonly flag: RegExp, /** The text goes to a shell by itself. */ readonly always?: true }[] = [
  { program: /^find$/i, flag: /^-(?:exec|execdir|ok|okdir)$/ },
  { program: /^(?:fd|fdfind)$/i, flag: /^(?:-[xX]|--exec(?:-batch)?)$/ },
  { program: RUNNER, flag: /^(?:-c|--call|--shell-mode)(?:=|$)|^-\w*c$/, always: true },
  { program: /^(?:make|gmake)$/i, flag: /^(?:--eval|SHELL)(?:=|$)/, always: true },
  { program: /^(?:vim?|nvim|ex|view)$/i, flag: /^(?:-c|--cmd|\+!)/, always: true },
  { program: /^(?:ssh|scp|sftp)$/i, flag: /ProxyCommand|LocalCommand/i, always: true },
  { program: /^rsync$/i, flag: /^(?:-e|--rsh)(?:=|$)/, always: true },
  { program: /^tar$/i, flag: /^--(?:to-command|checkpoint-action|use-compress-program|rsh-command)(?:=|$)/, always: true },
  { program: /^[gm]?awk$/i, flag: /\bsystem\s*\(|\|\s*getline/, always: true },
]
/** `-c alias.x=!id`: what follows the exclamation mark is for a shell, and these settings name programs. */
const GIT_SETTING = /^(?:alias\.[^=]*=\s*!|(?:core\.(?:sshcommand|editor|pager|fsmonitor|hookspath|askpass)|sequence\.editor|credential\.[^=]*helper|diff\.external|[^=]*\.(?:textconv|command|cmd|driver|clean|smudge|process))=)/i

/** Outside quotes these need a shell to mean anything. */
const OPERATORS = /[|&;<>`\n]|\$\(/

/** The file name: after the last slash of either kind, quotes off. */
function baseName(word: string): string {
  return word.replace(/^["']|["']$/g, '').replace(/^.*[/\\]/, '')
}

/** Splits as a person reads it: quotes group, nothing expands. */
export function commandWords(command: string | readonly string[]): readonly string[] {
  if (typeof command !== 'string') return command
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map(found => found[1] ?? found[2] ?? found[0])
}

/** The interpreter of a script, from its first line; undefined for what is no readable script. */
function shebang(path: string): string | undefined {
  const head = Buffer.alloc(256)
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined // not on this machine: nothing to read, and the words alone decide
  }
  try {
    const text = head.toString('utf8', 0, readSync(file, head, 0, head.length, 0))
    return /^#!\s*([^\r\n]*)/.exec(text)?.[1]
  } catch {
    return undefined // a folder, say: not a script
  } finally {
    closeSync(file)
  }
}

function linkTarget(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // not on this machine: its own name decides
  }
}

/** Does any word after a wrapper (options and assignments passed over) start a shell? `env -S "sh -c x"` hides words inside one word. */
function wrappedShell(words: readonly string[]): string | undefined {
  return words.flatMap(word => word.split(/\s+/)).find(word => SHELL.test(baseName(word)))
}

/** Of `npx -y pkg -c file` only `-y`: what follows the package's name is the package's. */
function runnerOptions(words: readonly string[]): readonly string[] {
  const isName = (word: string, at: number): boolean => !word.startsWith('-') && !/^(?:exec|x|dlx)$/.test(word) && !/^(?:-p|--package|--prefix|-w|--workspace)$/.test(words[at - 1] ?? '')
  const end = words.findIndex(isName)
  return end < 0 ? words : words.slice(0, end)
}

/** A program that is no shell, and told to start one. */
function startedShell(name: string, words: readonly string[], program: string): string | undefined {
  if (/^git(?:\.exe)?$/i.test(name)) {
    const setting = words.map(word => word.replace(/^--config-env=|^-c(?=\w)/, '')).find(word => GIT_SETTING.test(word))
    if (setting !== undefined) return `"${program}" starts a program by its setting "${setting}"`
  }
  for (const { program: starter, flag, always } of STARTS) {
    if (!starter.test(name)) continue
    const at = (starter === RUNNER ? runnerOptions(words) : words).findIndex(word => flag.test(word))
    if (at < 0) continue
    const shell = always ? 'a shell' : wrappedShell(words.slice(at + 1))
    if (shell) return `"${program} ${words[at]}" starts ${always ? shell : `the shell "${shell}"`}`
  }
  return undefined
}

function scriptShell(program: string): string | undefined {
  if (!/[/\\]/.test(program)) return undefined
  const line = shebang(program)
  if (line === undefined) return undefined
  const words = commandWords(line)
  const name = baseName(words[0] ?? '')
  const shell = SHELL.test(name) ? name : WRAPPER.test(name) ? wrappedShell(words.slice(1)) : undefined
  return shell && `"${program}" is a script that ${shell} runs (its first line says "#!${line}")`
}

/**
 * Says why the command is (or starts) a shell, or undefined. A program given by a path is looked at: links are followed and the first
 * line of a script is read; a bare name is judged by its name, so that the answer is the same on every machine.
 */
export function shellCommand(command: string | readonly string[]): string | undefined {
  const words = commandWords(command)
  const program = words[0] ?? ''
  const name = baseName(program)
  if (SHELL.test(name)) return `"${program}" is a shell`
  if (/[/\\]/.test(program) && SHELL.test(baseName(linkTarget(program)))) return `"${program}" is a link to the shell "${linkTarget(program)}"`
  if (SCRIPT_FILE.test(name)) return `"${program}" is a shell script`
  if (WRAPPER.test(name)) {
    const shell = wrappedShell(words.slice(1))
    if (shell) return `"${program}" starts the shell "${shell}"`
  }
  const started = startedShell(name, words.slice(1), program)
  if (started) return started
  const script = scriptShell(program)
  if (script) return script
  if (typeof command === 'string' && OPERATORS.test(command.replace(/"[^"`$]*"|'[^']*'/g, '')))
    return `"${command}" needs a shell to be read: it holds an operator outside quotes`
  return undefined
}
