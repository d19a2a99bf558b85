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

function ready(watcher: ReturnType<typeof chokidar>): Promise<void> {
  return new Promise((resolve, reject) => {
    watcher.once('ready', resolve)
    watcher.on('error', cause => reject(new UsherError('SERVE_FAILED', `cannot watch: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })))
  })
}
