/**
 * Code files that a script brings along from its own disk: whoever changes one of them changes the script. Found by the texts in it, not by running or
 * parsing: every string that names a code file beside it counts (`import`, `require`, a worker's path, `new URL`), which is more than is imported and
 * never less. Names computed at run time, and packages by their bare name (their lock file is pinned instead), are not found.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const CODE = /\.(?:[cm]?[jt]sx?|node|wasm|py)$/
const SCRIPT = /\.(?:[cm]?[jt]sx?|py)$/
const NAMED = /["'`]((?:\.{1,2}\/|\/|file:\/\/\/)[^"'`\n\\$]{1,1024}|\.{1,2})["'`]/g
/** `import a.b, c`, `from .a import b`. */
const PYTHON = /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+([^\n#]+)|import[ \t]+([^\n#]+))/gm
const ENDINGS = ['', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.node', '/index.js', '/index.cjs', '/index.mjs', '/index.ts']
const MAX_FILES = 2000
/** A bundle; beyond it is no script that a person wrote. */
const MAX_BYTES = 16 * 1024 * 1024

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

/** TypeScript names the file that will be built: `./a.js` may be `./a.ts` here. */
function resolved(path: string): string | undefined {
  const written = /\.([cm]?)jsx?$/.test(path) ? [path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')] : []
  return [...ENDINGS.map(ending => path + ending), ...written].find(file => CODE.test(file) && isFile(file))
}

function namedFiles(text: string, folder: string): readonly string[] {
  return [...text.matchAll(NAMED)].flatMap(([, name = '']) => {
    const path = name.startsWith('file:') ? urlPath(name) : resolve(folder, name.replace(/[?#].*$/, ''))
    const file = path === undefined ? undefined : resolved(path)
    return file === undefined ? [] : [file]
  })
}

function urlPath(text: string): string | undefined {
  try {
    return fileURLToPath(text)
  } catch {
    return undefined // no address of a file
  }
}

/** Modules beside the script, or in packages beside it. @param folder of the script */
function pythonFiles(text: string, folder: string): readonly string[] {
  const words = (list: string): readonly string[] => list.replace(/[()]/g, '').split(',').map(part => part.trim().split(/\s+/)[0] ?? '').filter(word => /^[\w.]+$/.test(word))
  const names = [...text.matchAll(PYTHON)].flatMap(([, from, what = '', plain]) => from === undefined ? words(plain ?? '') : [from, ...words(what).map(word => from.endsWith('.') ? `${from}${word}` : `${from}.${word}`)])
  return names.flatMap(name => {
    const dots = /^\.*/.exec(name)?.[0].length ?? 0
    const base = resolve(folder, ...Array.from({ length: Math.max(0, dots - 1) }, () => '..'))
    const parts = name.slice(dots).split('.').filter(part => part !== '')
    // Importing a.b runs a/__init__.py as well.
    return parts.flatMap((_part, at) => {
      const path = join(base, ...parts.slice(0, at + 1))
      return [`${path}.py`, join(path, '__init__.py')].filter(isFile)
    })
  })
}

/** All code that the script brings along, itself not among it; real paths, in the order found. A script that is not there brings none. */
export function localModules(script: string): readonly string[] {
  if (!isFile(script)) return []
  const first = realpathSync(script)
  const found = new Set([first])
  for (const file of found) {
    if (!SCRIPT.test(file) || statSync(file).size > MAX_BYTES) continue
    const text = readFileSync(file, 'utf8')
    for (const next of file.endsWith('.py') ? pythonFiles(text, dirname(file)) : namedFiles(text, dirname(file))) if (found.size < MAX_FILES) found.add(realpathSync(next))
  }
  found.delete(first)
  return [...found]
}
