import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openEmbedder } from '../../src/embed/embedder.ts'
import { bundledModelDir, readManifest, readModelFiles } from '../../src/embed/model-files.ts'

const folders: string[] = []

/** A copy of the bundled model that a test may damage. */
function copy(): string {
  const dir = mkdtempSync(join(tmpdir(), 'usher-model-'))
  folders.push(dir)
  cpSync(bundledModelDir(), dir, { recursive: true })
  return dir
}

afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true })
})

async function embedWith(modelDir: string): Promise<unknown> {
  const embedder = await openEmbedder({ modelDir })
  try {
    return await embedder.embed('open the console')
  } finally {
    await embedder.close()
  }
}

test('every committed file of the bundled model has the sha256 of its manifest', () => {
  const manifest = readManifest(bundledModelDir())
  expect([...readModelFiles(bundledModelDir(), manifest).keys()].sort()).toEqual(['config.json', 'onnx/model_quantized.onnx', 'tokenizer.json', 'tokenizer_config.json'])
})

test('models/README.md names the sha256 of every file', () => {
  const readme = readFileSync(join(bundledModelDir(), '..', 'README.md'), 'utf8')
  for (const [file, hash] of readManifest(bundledModelDir()).files) expect(readme).toContain(`${hash}  ${file}`)
})

test.each(['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'])('closed: one changed byte in %s is found before the file is used', async file => {
  const dir = copy()
  const bytes = readFileSync(join(dir, file))
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
  writeFileSync(join(dir, file), bytes)
  await expect(embedWith(dir)).rejects.toMatchObject({ code: 'MODEL_CHANGED', message: expect.stringContaining(file) })
})

test('closed: a missing model file is MODEL_MISSING, a missing folder too', async () => {
  const dir = copy()
  rmSync(join(dir, 'onnx/model_quantized.onnx'))
  await expect(embedWith(dir)).rejects.toMatchObject({ code: 'MODEL_MISSING', message: expect.stringContaining('model_quantized.onnx') })
  await expect(openEmbedder({ modelDir: join(dir, 'nowhere') })).rejects.toMatchObject({ code: 'MODEL_MISSING' })
})

test('closed: once the file is right again, the same embedder works', async () => {
  const dir = copy()
  const file = join(dir, 'onnx/model_quantized.onnx')
  const right = readFileSync(file)
  writeFileSync(file, right.subarray(0, 1000))
  const embedder = await openEmbedder({ modelDir: dir })
  await expect(embedder.embed('open the console')).rejects.toMatchObject({ code: 'MODEL_CHANGED' })
  writeFileSync(file, right)
  expect((await embedder.embed('open the console')).vector).toHaveLength(384)
  await embedder.close()
})

test.each([
  ['no JSON', '{'],
  ['a list', '[]'],
  ['null', 'null'],
  ['no name', '{"quantisation":"q8","dimension":384,"maxTokens":512,"weights":"w","files":{}}'],
  ['a dimension that is no whole number', '{"name":"m","quantisation":"q8","dimension":38.4,"maxTokens":512,"weights":"w","files":{}}'],
  ['a hash that is none', '{"name":"m","quantisation":"q8","dimension":384,"maxTokens":512,"weights":"w","files":{"w":"abc"}}'],
  ['weights that are not listed', '{"name":"m","quantisation":"q8","dimension":384,"maxTokens":512,"weights":"constructor","files":{}}'],
])('closed: a manifest with %s is MODEL_CHANGED', async (_, text) => {
  const dir = copy()
  writeFileSync(join(dir, 'model.json'), text)
  await expect(openEmbedder({ modelDir: dir })).rejects.toMatchObject({ code: 'MODEL_CHANGED' })
})
