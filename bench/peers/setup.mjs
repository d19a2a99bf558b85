/** Virtual environments of the peers, each its own, pinned. A peer that cannot be had is said by name, with the reason; nothing else fails because of it. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = name => fileURLToPath(new URL(name, import.meta.url))

export const PEERS = ['semantic-router-0.1.16', 'semantic-router-1.1.1', 'hassil-3.13.0']

/** @returns {{ name: string, python: string } | { name: string, missing: string }} */
export function ensurePeer(name) {
  const requirements = here(`./${name}.txt`)
  const dir = here(`../.venv-${name}`)
  const python = `${dir}/bin/python`
  const stamp = `${dir}/installed.txt`
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === readFileSync(requirements, 'utf8')) return { name, python }
  rmSync(dir, { recursive: true, force: true })
  for (const [command, ...args] of [['python3', '-m', 'venv', dir], [python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]]) {
    const ended = spawnSync(command, args, { encoding: 'utf8' })
    if (ended.status === 0) continue
    rmSync(dir, { recursive: true, force: true })
    const why = ended.error ? ended.error.message : (ended.stderr || ended.stdout).trim().split('\n').at(-1)
    return { name, missing: `${command.split('/').at(-1)} ${args.slice(0, 3).join(' ')}: ${why}` }
  }
  writeFileSync(stamp, readFileSync(requirements, 'utf8'))
  return { name, python }
}
