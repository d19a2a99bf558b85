/** Files that change. The only file that names chokidar. */
import { watch as chokidar } from 'chokidar'
import { UsherError } from '../errors.ts'

export interface Watching { close(): Promise<void> }

/** Ms without a change before somebody looks: editors write a file in several steps. */
const SETTLE_MS = 150

/** Tells once after each burst of changes of the files, or of the files in the folders (not of their sub-folders). */
export async function watchFiles(paths: readonly string[], onChange: () => void): Promise<Watching> {
  let timer: NodeJS.Timeout | undefined
  const watcher = chokidar([...paths], { ignoreInitial: true, depth: 0 })
  watcher.on('all', () => {
    clearTimeout(timer)
    timer = setTimeout(onChange, SETTLE_MS)
  })
  await ready(watcher)
  return { close: async () => { clearTimeout(timer); await watcher.close() } }
}

/**
 * Tells of each file in a folder once it is whole: renamed into it, or not written to for a second. Files that are there already are told too.
 * @param skip names that are not for us
 */
export async function watchArrivals(folder: string, skip: (path: string) => boolean, onFile: (path: string) => void): Promise<Watching> {
  const watcher = chokidar(folder, { depth: 0, followSymlinks: false, ignored: path => path !== folder && skip(path), awaitWriteFinish: { stabilityThreshold: 1000, pollInterval: 100 } })
  watcher.on('add', onFile)
  await ready(watcher)
  return { close: () => watcher.close() }
}

function ready(watcher: ReturnType<typeof chokidar>): Promise<void> {
  return new Promise((resolve, reject) => {
    watcher.once('ready', resolve)
    watcher.on('error', cause => reject(new UsherError('SERVE_FAILED', `cannot watch: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })))
  })
}
