/** bubblewrap in place of unshare: the same closed doors, tried with a real one where it is installed (`apt-get install bubblewrap`, or its path in USHER_TEST_BWRAP). */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sandboxed, type SandboxPlan, type SandboxTools } from '../../src/mcp/sandbox.ts'
import { scratch } from '../contract/keys.ts'

const BWRAP = [process.env['USHER_TEST_BWRAP'] ?? '', '/usr/bin/bwrap'].find(path => path !== '' && existsSync(path))
const offered = (bwrap: string | undefined): SandboxTools => ({ unshare: undefined, bwrap, setpriv: undefined })

test('closed: where neither is there, it is said for each door that stays open', () => {
  expect(sandboxed(['x'], { network: false, writes: false }, '', offered(undefined)).missing).toHaveLength(3)
  expect(sandboxed(['x'], { network: true, writes: true }, '', offered(undefined)).missing).toEqual(['the server may outlive a killed runtime (no setpriv --pdeathsig here)'])
})

test('the words of a server\'s command stay words', () => {
  const evil = ['node', '--bind', '$(id)', '; touch x']
  for (const plan of [{ network: false, writes: false }, { network: false, writes: true }, { network: true, writes: false }]) {
    const { words } = sandboxed(evil, plan, '', offered('/usr/bin/bwrap'))
    expect(words.slice(words.indexOf('--') + 1)).toEqual(evil)
  }
})

describe.skipIf(BWRAP === undefined)('a real one', () => {
  const run = (plan: SandboxPlan, script: string, keep = '') => {
    const { words, env } = sandboxed(['/bin/sh', '-c', script], plan, keep, offered(BWRAP))
    return spawnSync(words[0] ?? '', words.slice(1), { encoding: 'utf8', env: { ...process.env, ...env } })
  }
  test('without the network, only its own loopback is there', () => {
    const there = run({ network: true, writes: true }, 'tail -n +3 /proc/net/dev | wc -l')
    const gone = run({ network: false, writes: true }, 'tail -n +3 /proc/net/dev | grep -v " lo:" | wc -l')
    expect(Number(there.stdout)).toBeGreaterThan(0)
    expect(gone).toMatchObject({ status: 0, stdout: '0\n' })
  })
  test('without writing, nothing but scratch files in memory and the kept folder is written', () => {
    const folder = scratch()
    const keep = join(folder, 'keep')
    mkdirSync(keep)
    const ran = run({ network: true, writes: false }, `touch ${folder}/a; touch ${keep}/b && touch "$TMPDIR/c" && echo fine`, keep)
    expect(ran.stdout).toBe('fine\n')
    expect([existsSync(join(folder, 'a')), existsSync(join(keep, 'b'))]).toEqual([false, true])
  })
  test('with writing, files are as ever', () => {
    const folder = scratch()
    expect(run({ network: false, writes: true }, `touch ${folder}/a`).status).toBe(0)
    expect(existsSync(join(folder, 'a'))).toBe(true)
  })
})
