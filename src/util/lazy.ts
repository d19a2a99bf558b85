/** Packages that only some runs need, loaded at their first use: a start pays for nothing that it does not do. */
import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** @param name a package that can be had by `require`: at once, so that whoever uses it need not wait */
export function lazily<T>(name: string): () => T {
  let loaded: T | undefined
  return () => loaded ??= load(name) as T
}
