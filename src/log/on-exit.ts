/** One listener for all open logs: what waits is written also when the host ends at once. */
const closers = new Set<() => void>()
let listening = false

function runAll(): void {
  for (const close of closers) {
    try { close() } catch { /* The process is ending; each writer already got its own failure, and the others must be closed too. */ }
  }
}

/** Returns a function that takes it back. */
export function onExit(close: () => void): () => void {
  closers.add(close)
  if (!listening) {
    listening = true
    process.on('exit', runAll)
  }
  return () => { closers.delete(close) }
}
