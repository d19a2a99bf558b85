/**
 * Before packing: what of the bundled `@xenova/transformers` no Node program loads. Its `dist` holds browser builds and WebAssembly (45 MB); Usher loads
 * two files of its `src`. npm has no way to leave files of a bundled dependency out, so they are removed; `npm ci` brings them back.
 */
import { rmSync } from 'node:fs'

rmSync(new URL('../node_modules/@xenova/transformers/dist', import.meta.url), { recursive: true, force: true })
