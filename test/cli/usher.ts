/** Runs the built command line in a scratch folder, as a person would. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../rules/source-files.ts'
import { localFolder } from '../contract/local-folder.ts'

export const BIN = join(ROOT, 'dist/cli/bin.js')

export function scratch() {
  const folder = mkdtempSync(join(localFolder(), 'usher-cli-'))
  // Nothing of a test lands in the owner's state folder.
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_STATE_HOME: join(folder, 'state'), NO_COLOR: '1' }
  return {
    folder,
    env,
    /** Ends when the command ends. */
    run: (args: readonly string[], input = '') => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { cwd: folder, env, input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
      return { status, stdout, stderr, json: () => JSON.parse(stdout) as unknown, lines: () => stdout.trim().split('\n').filter(line => line !== '').map(line => JSON.parse(line) as Record<string, unknown>) }
    },
    start: (args: readonly string[]) => spawn(process.execPath, [BIN, ...args], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] }),
    write: (name: string, text: string) => { const file = join(folder, name); writeFileSync(file, text); return file },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
