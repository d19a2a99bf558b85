import { mkdirSync, symlinkSync, writeFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { localModules } from '../../src/contract/local-modules.ts'
import { scratch } from './keys.ts'

function made(files: { readonly [name: string]: string }): (script: string) => readonly string[] {
  const folder = realpathSync(scratch())
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return script => localModules(join(folder, script)).map(file => relative(folder, file)).sort()
}

describe('contract:human: code that a script brings along', () => {
  test('imports, exports, requires, workers and URLs, through several files, once each, circles too', () => {
    const of = made({
      'main.mjs': 'import a from "./a.mjs"\nexport * from \'./lib/b.js\'\nawait import(`./c.mjs`)\nnew Worker(new URL("./w.js", import.meta.url))\nimport "pkg"\n',
      'a.mjs': 'import "./main.mjs"; import "./a.mjs"', 'lib/b.js': 'require("../d"); require("./e")', 'c.mjs': '', 'w.js': '', 'd.cjs': '', 'lib/e/index.js': '', 'unused.mjs': '', 'data.json': '{}',
    })
    expect(of('main.mjs')).toEqual(['a.mjs', 'c.mjs', 'd.cjs', 'lib/b.js', 'lib/e/index.js', 'w.js'])
  })

  test('TypeScript under the names that it will be built as; addresses of files; queries', () => {
    const folder = realpathSync(scratch())
    for (const name of ['x.ts', 'y.mts', 'z.mjs']) writeFileSync(join(folder, name), '')
    writeFileSync(join(folder, 'main.ts'), `import './x.js'; import './y.mjs?fresh'; import 'file://${folder}/z.mjs'`)
    expect(localModules(join(folder, 'main.ts')).map(file => relative(folder, file)).sort()).toEqual(['x.ts', 'y.mts', 'z.mjs'])
  })

  test('Python: modules and packages beside the script, relative ones too', () => {
    const of = made({ 'server.py': 'import os, helper\nfrom pack.inner import thing\n', 'helper.py': 'from deep import one', 'pack/__init__.py': '', 'pack/inner.py': 'from . import sibling\n', 'pack/sibling.py': '', 'deep/__init__.py': '', 'deep/one.py': '', 'other.py': '' })
    expect(of('server.py')).toEqual(['deep/__init__.py', 'deep/one.py', 'helper.py', 'pack/__init__.py', 'pack/inner.py', 'pack/sibling.py'])
  })

  test('a link is followed to the real file; what is not there brings nothing', () => {
    const folder = realpathSync(scratch())
    writeFileSync(join(folder, 'real.mjs'), '')
    symlinkSync('real.mjs', join(folder, 'link.mjs'))
    writeFileSync(join(folder, 'main.mjs'), 'import "./link.mjs"; import "./gone.mjs"; import "./constructor"')
    expect(localModules(join(folder, 'main.mjs'))).toEqual([join(folder, 'real.mjs')])
    expect(localModules(join(folder, 'nowhere.mjs'))).toEqual([])
  })
})
