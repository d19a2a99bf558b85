/** What NODE_OPTIONS names: whatever goes wrong with the preload, the child starts, and then counts as not reporting. */
try {
  await import('./child-preload.ts')
} catch {
  // The child must not notice: without its first line it is shown as a child that nobody watches.
}

