/** Texts as vectors without a model: each word has a direction of its own, so that texts with the same words are near. Deterministic. */
import { sha256 } from '../../src/util/canonical.ts'
import { normalise } from '../../src/util/text.ts'
import type { HeadCache } from '../../src/heads/cache.ts'
import type { HeadRoute } from '../../src/heads/rows.ts'

const DIMENSION = 64

function direction(word: string): number[] {
  const bytes = Buffer.from(sha256(word) + sha256(`${word}2`), 'hex')
  return Array.from(bytes, byte => (byte - 127.5) / 128)
}

export function wordVector(text: string): Float32Array {
  const sum = new Float64Array(DIMENSION)
  for (const word of normalise(text).split(' ')) direction(word).forEach((value, at) => { sum[at] = (sum[at] as number) + value })
  const length = Math.hypot(...sum)
  return Float32Array.from(sum, value => value / length)
}

export const wordVectors = async (texts: readonly string[]): Promise<Float32Array[]> => texts.map(wordVector)

/** A cache in memory, with what was asked of it. */
export function memoryCache(): HeadCache & { readonly files: Map<string, { head: Map<string, unknown>, body: Uint8Array }> } {
  const files = new Map<string, { head: Map<string, unknown>, body: Uint8Array }>()
  return {
    files,
    names: async () => [...files.keys()],
    read: async (name, expected) => {
      const file = files.get(name)
      return file && Object.entries(expected).every(([key, value]) => file.head.get(key) === value) ? file : undefined
    },
    write: async (name, head, body) => { files.set(name, { head: new Map(Object.entries(JSON.parse(JSON.stringify(head)) as object)), body: Uint8Array.from(body) }) },
    remove: async name => { files.delete(name) },
  }
}

export function route(name: string, phrases: readonly string[], more: Partial<HeadRoute> = {}): HeadRoute {
  return { name, free: true, phrases: phrases.map(text => ({ text, template: text, slots: false })), mustFire: [], never: [], ...more }
}

export const WEATHER = ['what is the weather like', 'will it rain today', 'how warm is it outside', 'do i need an umbrella', 'is it going to snow', 'weather forecast for tomorrow', 'how cold will it get tonight', 'will the sun shine today']
export const TRAINS = ['when does the next train leave', 'is my train late', 'which platform does the train leave from', 'when is the last train home', 'does the train stop at the airport', 'next train to the city', 'how long does the train take', 'train times for tonight']
export const MEALS = ['what is for lunch', 'which meals are on the menu', 'what does the canteen cook', 'is there soup on the menu', 'what can i eat at noon', 'show the menu of the canteen', 'what is the dish of the day', 'does the canteen have vegan meals']
export const THREE: readonly HeadRoute[] = [route('weather', WEATHER), route('trains', TRAINS), route('meals', MEALS)]
export const DOORS = ['open the door', 'let them in', 'unlock the front door', 'buzz the door open', 'open up the entrance', 'let the visitor in']
