/**
 * Events that were taken with 202, on disk until they are handled: an answer that says "accepted" must survive `kill -9`. After a restart they
 * are handled by the same ids, so none is handled twice; and by their own receipt time, so what became old in between is `expired`.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { UsherError } from '../errors.ts'
import type { Event } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { readPrivate, writePrivate } from './private-files.ts'

/** Bytes beyond which the file is written anew with what still waits. */
const COMPACT_AT = 16 * 1024 * 1024

export class Spool {
  readonly #file: string
  #fd: number
  #bytes = 0
  readonly #pending = new Map<string, Event>()

  /** Throws SERVE_FAILED for a file that others can read. */
  constructor(file: string) {
    this.#file = file
    for (const event of readLeft(readPrivate(file) ?? '')) this.#pending.set(keyOf(event), event)
    this.#fd = this.#rewrite()
  }

  /** What waits, oldest first. */
  get pending(): readonly Event[] { return [...this.#pending.values()] }

  /** On the disk on return. Throws where it cannot be written: then the events must be refused. */
  keep(events: readonly Event[]): void {
    this.#write(events.map(event => JSON.stringify({ keep: event })))
    fsyncSync(this.#fd)
    for (const event of events) this.#pending.set(keyOf(event), event)
  }

  /** Handled. Not forced to the disk: after a crash the id is known to the log. */
  done(event: Event): void {
    if (!this.#pending.delete(keyOf(event))) return
    if (this.#pending.size === 0) {
      ftruncateSync(this.#fd, 0)
      this.#bytes = 0
      return
    }
    this.#write([JSON.stringify({ done: keyOf(event) })])
    if (this.#bytes > COMPACT_AT) {
      closeSync(this.#fd)
      this.#fd = this.#rewrite()
    }
  }

  close(): void { closeSync(this.#fd) }

  #write(lines: readonly string[]): void {
    const bytes = Buffer.from(lines.map(line => `${line}\n`).join(''))
    const written = writeSync(this.#fd, bytes)
    this.#bytes += written
    if (written !== bytes.length) throw new UsherError('SERVE_FAILED', `${this.#file} took ${written} of ${bytes.length} bytes; is the disk full?`)
  }

  #rewrite(): number {
    const text = [...this.#pending.values()].map(event => `${JSON.stringify({ keep: event })}\n`).join('')
    writePrivate(this.#file, text)
    this.#bytes = Buffer.byteLength(text)
    return openSync(this.#file, 'a', 0o600)
  }
}

const keyOf = (event: Event): string => JSON.stringify([event.source, event.id])

/** A last line that was cut off belongs to a request that was never answered. */
function readLeft(text: string): readonly Event[] {
  const left = new Map<string, Event>()
  for (const line of text.split('\n')) {
    const entry = parse(line)
    if (!isRecord(entry)) continue
    const { keep, done } = entry
    if (isRecord(keep)) left.set(keyOf(keep as unknown as Event), keep as unknown as Event)
    if (typeof done === 'string') left.delete(done)
  }
  return [...left.values()]
}

function parse(line: string): unknown {
  try { return JSON.parse(line) } catch { return undefined } // cut off, or empty
}
