/** What opens an address: the desktop's own program, or a stand-in that only writes down what would have been opened. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Opener {
  /** Resolves when the program ended; rejects where it could not start or failed. */
  open(address: string): Promise<void>
}

const PROGRAMS: { readonly [platform: string]: string } = { darwin: 'open', win32: 'explorer.exe' }

export function desktopOpener(): Opener {
  const program = Object.hasOwn(PROGRAMS, process.platform) ? PROGRAMS[process.platform] as string : 'xdg-open'
  return { open: address => start(program, address, process.env) }
}

/** @param record the file that gets a line for each address */
export function recordingOpener(record: string): Opener {
  const program = fileURLToPath(new URL('../../src/example/stand-in/xdg-open', import.meta.url))
  return { open: address => start(program, address, { ...process.env, USHER_OPENED: record }) }
}

function start(program: string, address: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [address], { stdio: 'ignore', env })
    child.on('error', reject)
    child.on('exit', code => code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`)))
  })
}
