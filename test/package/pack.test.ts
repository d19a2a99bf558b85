/** The package as a stranger gets it: packed, installed into an empty project, and the README's example run there. Takes minutes: it builds native code. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { read, ROOT } from '../rules/source-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'usher-pack-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const npm = (args: readonly string[], cwd: string) => {
  const ran = spawnSync('npm', args, { cwd, encoding: 'utf8', timeout: 20 * 60_000, env: { ...process.env, npm_config_update_notifier: 'false' } })
  if (ran.status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${ran.status}:\n${ran.stdout}\n${ran.stderr}`)
  return ran.stdout
}

// It compiles native code for minutes: part of every CI run, and of `CI=true npm test`.
test.skipIf(process.env['CI'] === undefined)('npm pack holds the model, installs into an empty project, and the embedding example runs there', () => {
  spawnSync(process.execPath, [join(ROOT, '.ci/prune-bundle.mjs')])
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT)) as { filename: string, size: number, unpackedSize: number, files: { path: string }[] }[]
  const files = new Set(packed?.files.map(file => file.path))
  for (const file of ['dist/index.js', 'dist/index.d.ts', 'dist/cli/bin.js', 'models/all-MiniLM-L6-v2/onnx/model_quantized.onnx', 'models/all-MiniLM-L6-v2/LICENSE', 'models/english-words/lexicon.txt', 'models/english-words/LICENSE', 'models/noun-kinds/nouns.txt', 'models/noun-kinds/LICENSE', 'routes/console.yaml', 'src/example/day.jsonl', 'LICENSE', 'README.md']) expect(files).toContain(file)
  expect([...files].filter(file => /^(test|bench|\.ci|\.usher)\//.test(file))).toEqual([])

  // What no Node program loads is not in it, and nothing that works on one platform only.
  expect([...files].filter(file => /^node_modules\/(@img|protobufjs|@xenova\/transformers\/dist)\/|\.wasm$/.test(file))).toEqual([])
  expect(packed?.size).toBeLessThan(85e6)
  expect(packed?.unpackedSize).toBeLessThan(165e6)

  const tarball = join(folder, packed?.filename ?? '')
  expect(npm(['exec', '--yes', '--package=publint@0.3.25', '--', 'publint', tarball, '--strict'], folder)).toContain('All good!')
  expect(npm(['exec', '--yes', '--package=@arethetypeswrong/cli@0.18.5', '--', 'attw', tarball, '--profile', 'esm-only', '--no-emoji'], folder)).toContain('usher-router v')

  const project = join(folder, 'project')
  spawnSync('mkdir', [project])
  writeFileSync(join(project, 'package.json'), '{"name":"empty","private":true,"type":"module"}')
  const started = Date.now()
  npm(['install', '--no-audit', '--no-fund', tarball], project)
  const seconds = Math.round((Date.now() - started) / 1000)
  const megabytes = () => Number(spawnSync('du', ['-sk', 'node_modules'], { cwd: project, encoding: 'utf8' }).stdout.split('\t')[0]) / 1024
  const whole = megabytes()
  // As the README says it, for an image that runs on one system only; everything below runs without the others.
  const trim = /^find node_modules .*onnxruntime-node.*$/m.exec(read('README.md'))?.[0] ?? 'false'
  expect(spawnSync('sh', ['-ec', trim], { cwd: project, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  expect(whole - megabytes()).toBeGreaterThan(60)
  process.stdout.write(`packed ${Math.round((packed?.size ?? 0) / 1e6)} MB, unpacked ${Math.round((packed?.unpackedSize ?? 0) / 1e6)} MB, installed in ${seconds} s: ${Math.round(whole)} MiB, ${Math.round(megabytes())} MiB for one system\n`)
  copyFileSync(join(ROOT, 'test/readme/lamp.yaml'), join(project, 'lamp.yaml'))
  writeFileSync(join(project, 'main.mjs'), read('test/readme/embedding.ts'))
  const env = { PATH: process.env['PATH'], HOME: project, XDG_STATE_HOME: join(project, 'state') }
  const ran = spawnSync(process.execPath, ['main.mjs'], { cwd: project, encoding: 'utf8', env })
  expect(ran.stderr).toBe('')
  expect(ran.stdout).toMatch(/^called \{ lamp: 'on' \}\nsource-blocked /)

  const usher = spawnSync('npx', ['usher', 'day', '--json'], { cwd: project, encoding: 'utf8', env })
  expect(usher.status).toBe(0)
  expect(usher.stdout.trim().split('\n').length).toBeGreaterThan(60)
  expect(existsSync(join(project, '.usher/log.sqlite'))).toBe(true)
}, 25 * 60_000)
