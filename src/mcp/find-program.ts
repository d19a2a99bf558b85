import { accessSync, constants } from 'node:fs'
import { delimiter, resolve as resolvePath } from 'node:path'

/** The file that a command starts, as the system would find it; undefined: none. */
export function findProgram(name: string, path: string = process.env['PATH'] ?? '', cwd: string = process.cwd()): string | undefined {
  const files = /[/\\]/.test(name) ? [resolvePath(cwd, name)] : path.split(delimiter).filter(folder => folder !== '').map(folder => resolvePath(folder, name))
  return files.find(file => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
