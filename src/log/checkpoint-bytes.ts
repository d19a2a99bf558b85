import { serialise } from './serialise.ts'

/** What a checkpoint's keyed hash covers. */
export function checkpointBytes(act: unknown, about: unknown, detail: unknown, at: unknown): string {
  return serialise([act, about, detail, at], { strict: false })
}
