/** Vectors of the bench's texts, made once an encoder and kept under .usher/bench. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sha256 } from '../../dist/util/canonical.js'
import { normalise } from '../../dist/util/text.js'

const AT_ONCE = 64

export class Vectors {
  #known = new Map()
  #embedder
  #file
  constructor(embedder) {
    this.#embedder = embedder
    const folder = fileURLToPath(new URL('../../.usher/bench/heads', import.meta.url))
    mkdirSync(folder, { recursive: true })
    this.#file = `${folder}/vectors-${sha256(embedder.id).slice(0, 16)}`
    if (!existsSync(`${this.#file}.json`)) return
    const texts = JSON.parse(readFileSync(`${this.#file}.json`, 'utf8'))
    const bytes = readFileSync(`${this.#file}.f32`)
    const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
    texts.forEach((text, at) => this.#known.set(text, numbers.subarray(at * embedder.dimension, (at + 1) * embedder.dimension)))
  }

  /** In the order of the texts. */
  async of(texts) {
    const keys = texts.map(normalise)
    const missing = [...new Set(keys)].filter(key => !this.#known.has(key))
    for (let start = 0; start < missing.length; start += AT_ONCE) {
      await Promise.all(missing.slice(start, start + AT_ONCE).map(async key => this.#known.set(key, (await this.#embedder.embed(key)).vector)))
      if (start % 3200 === 0 && start > 0) console.log(`embedded ${start} of ${missing.length}`)
    }
    if (missing.length > 0) this.#write()
    return keys.map(key => this.#known.get(key))
  }

  #write() {
    const numbers = new Float32Array(this.#known.size * this.#embedder.dimension)
    let at = 0
    for (const vector of this.#known.values()) numbers.set(vector, this.#embedder.dimension * at++)
    writeFileSync(`${this.#file}.f32.new`, Buffer.from(numbers.buffer))
    writeFileSync(`${this.#file}.json.new`, JSON.stringify([...this.#known.keys()]))
    renameSync(`${this.#file}.f32.new`, `${this.#file}.f32`)
    renameSync(`${this.#file}.json.new`, `${this.#file}.json`)
  }
}
