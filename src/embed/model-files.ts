/** Where the encoder's files are, and what it is called. */
import { fileURLToPath } from 'node:url'
import type { ModelManifest } from '../util/model-files.ts'

export { readManifest, readModelFiles, type ModelManifest } from '../util/model-files.ts'

/** The model that comes with the package. */
export function bundledModelDir(): string {
  return fileURLToPath(new URL('../../models/all-MiniLM-L6-v2', import.meta.url))
}

/** Name, weights and quantisation in one word: what thresholds and stored vectors belong to. */
export function encoderId(manifest: ModelManifest): string {
  return `${manifest.name}@${manifest.files.get(manifest.weights) ?? ''}/${manifest.quantisation}`
}
