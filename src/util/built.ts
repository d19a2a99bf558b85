/**
 * Workers and preloads are files that Node loads itself, so they must be the built ones, also while tests run the sources.
 * @param from the caller's import.meta.url
 * @param file relative, ending in .js
 */
export function builtFile(from: string, file: string): URL {
  const url = new URL(file, from)
  if (from.endsWith('.ts')) url.pathname = url.pathname.replace(/\/src\/((?:[^/]+\/)*[^/]+)$/, '/dist/$1')
  return url
}
