/** Starting a server with less than the machine could give it, where Linux offers that; and saying so where it does not. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mayUseNetwork, mayWriteFiles } from '../contract/privileges.ts'

export interface SandboxPlan { readonly network: boolean, readonly writes: boolean }

/** What the contracts of one server ask for together: a server is one process, so its widest tool decides. */
export function planFor(privileges: readonly string[]): SandboxPlan {
  return { network: mayUseNetwork(privileges), writes: mayWriteFiles(privileges) }
}

export const NO_SANDBOX: SandboxPlan = { network: true, writes: true }

const SEARCH = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin']
const program = (name: string): string | undefined => SEARCH.map(folder => `${folder}/${name}`).find(path => existsSync(path))

/** Programs of this system that work here; `bwrap` is looked for where `unshare` does not. */
export interface SandboxTools { readonly unshare: string | undefined, readonly bwrap: string | undefined, readonly setpriv: string | undefined }

const works = (words: readonly string[]): boolean => spawnSync(words[0] ?? '', words.slice(1), { stdio: 'ignore', timeout: 5000 }).status === 0

let found: SandboxTools | undefined

/** Everything read-only but scratch files in memory, ended with its parent (bwrap(1)). */
const BOXED = ['--die-with-parent', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/dev/shm']

/** Tried once, by starting `true`: many systems have the program and forbid the act. */
function tools(): SandboxTools {
  if (found) return found
  if (process.platform !== 'linux') return found = { unshare: undefined, bwrap: undefined, setpriv: undefined }
  const yes = program('true') ?? 'true'
  const [unshare, bwrap, setpriv] = ['unshare', 'bwrap', 'setpriv'].map(program)
  const unshares = unshare !== undefined && works([unshare, '--map-root-user', '--mount', '--net', '--', yes])
  return found = {
    unshare: unshares ? unshare : undefined,
    bwrap: !unshares && bwrap && works([bwrap, ...BOXED, '--unshare-net', '--', yes]) ? bwrap : undefined,
    setpriv: setpriv && works([setpriv, '--pdeathsig', 'KILL', '--', yes]) ? setpriv : undefined,
  }
}

/**
 * Makes every mount but the kernel's own read-only, with a fresh /dev/shm for scratch files, then becomes the server. A mount that cannot be
 * made read-only ends it: a half-closed sandbox is none. The server's words are arguments, never part of the script; the first one is a folder
 * that stays writable (for the reports of the effects observer), or empty.
 */
const READ_ONLY = `keep=$1; shift
mount -t tmpfs tmpfs /dev/shm || exit 71
[ -z "$keep" ] || mount --bind "$keep" "$keep" || exit 71
while read -r _ _ _ _ at _; do
  at=$(printf '%b' "$at")
  case "$at" in /proc|/proc/*|/sys|/sys/*|/dev|/dev/*) continue;; esac
  [ -n "$keep" ] && [ "$at" = "$keep" ] && continue
  mount -o remount,bind,ro "$at" || { echo "usher: cannot make $at read-only" >&2; exit 71; }
done </proc/self/mountinfo
exec "$@"`

export interface SandboxedCommand {
  readonly words: readonly string[]
  readonly env: { readonly [name: string]: string }
  /** What was asked for and this system does not offer, in words. */
  readonly missing: readonly string[]
}

/**
 * The command that starts `words` under the plan, ended by the kernel when this process dies.
 * @param keep a folder that stays writable whatever the plan says @param offered what works here; default: found out once
 */
export function sandboxed(words: readonly string[], plan: SandboxPlan, keep = '', offered: SandboxTools = tools()): SandboxedCommand {
  const { unshare, bwrap, setpriv } = offered
  if (!unshare && bwrap && !(plan.network && plan.writes)) return inBubble(bwrap, words, plan, keep)
  const missing: string[] = []
  if (!setpriv) missing.push('the server may outlive a killed runtime (no setpriv --pdeathsig here)')
  // Innermost: a change of user namespace clears the parent-death signal, so it is set after that.
  const bound = setpriv ? [setpriv, '--pdeathsig', 'KILL', '--', ...words] : words
  if (plan.network && plan.writes) return { words: bound, env: {}, missing }
  if (!unshare) {
    if (!plan.network) missing.push('its contract grants no network, and it has one all the same (no unshare and no bwrap here)')
    if (!plan.writes) missing.push('its contract grants no writing, and it may write all the same (no unshare and no bwrap here)')
    return { words: bound, env: {}, missing }
  }
  const flags = ['--map-root-user', ...plan.network ? [] : ['--net'], ...plan.writes ? [] : ['--mount']]
  if (plan.writes) return { words: [unshare, ...flags, '--', ...bound], env: {}, missing }
  return { words: [unshare, ...flags, '--', '/bin/sh', '-c', READ_ONLY, 'usher-sandbox', keep, ...bound], env: { TMPDIR: '/dev/shm' }, missing }
}

/** bubblewrap, where a plain process may not make namespaces of its own. */
function inBubble(bwrap: string, words: readonly string[], plan: SandboxPlan, keep: string): SandboxedCommand {
  const net = plan.network ? [] : ['--unshare-net']
  if (plan.writes) return { words: [bwrap, '--die-with-parent', '--dev-bind', '/', '/', ...net, '--', ...words], env: {}, missing: [] }
  return { words: [bwrap, ...BOXED, ...keep === '' ? [] : ['--bind', keep, keep], ...net, '--', ...words], env: { TMPDIR: '/dev/shm' }, missing: [] }
}
