/** The proxy's side that a client speaks to, over any transport. */
import type { Readable, Writable } from 'node:stream'
import type { Json, JsonObject } from '../../types.ts'
import { type Message, readLine } from '../message.ts'
import { LineSplitter } from '../split-lines.ts'

export interface Face {
  onMessage: (message: Message) => void
  /** What came was no message. */
  onStray: (why: string) => void
  onClose: () => void
  /** @param raw the line as the server wrote it, to be passed on byte for byte where the transport has lines @param related id of the client's request that it belongs to */
  send(value: JsonObject, raw: string | undefined, related: Json | undefined): void
  /** Called once, when the three above are set: nothing that came before is lost. */
  start(): void
  close(): Promise<void>
}

const MAX_LINE = 16 * 1024 * 1024

/** stdio: the streams belong to whoever runs the proxy. */
export function stdioFace(input: Readable, output: Writable): Face {
  const face: Face = {
    onMessage: () => undefined,
    onStray: () => undefined,
    onClose: () => undefined,
    send: (value, raw) => { output.write(`${raw ?? JSON.stringify(value)}\n`) },
    start: () => {
      input.on('data', (chunk: Buffer) => splitter.push(chunk))
      input.on('end', () => { splitter.end(); face.onClose() })
      output.on('error', () => face.onClose())
    },
    close: () => {
      input.removeAllListeners('data')
      input.pause()
      return Promise.resolve()
    },
  }
  const splitter = new LineSplitter(MAX_LINE, line => {
    const reading = readLine(line)
    if (reading.kind === 'message') face.onMessage(reading.message)
    else if (reading.kind !== 'blank') face.onStray(reading.why)
  })
  return face
}
