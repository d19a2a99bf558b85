/** The only file that names the NATS client. Loaded when events come from JetStream, since nobody else needs the packages. */
import type { JsMsg } from '@nats-io/jetstream'
import { UsherError } from '../errors.ts'
import { Backoff } from './backoff.ts'

export interface NatsMessage {
  readonly subject: string
  /** Its place in the stream: the id of an event that has none of its own. */
  readonly seq: number
  /** When the stream took it, ms since 1970. */
  readonly at: number
  /** 1 the first time. */
  readonly delivery: number
  readonly id: string | undefined
  readonly bytes: Uint8Array
  /** Resolves when the server has it: what is acknowledged is never sent again. */
  ack(): Promise<void>
  /** Send it again, after so many ms. */
  again(afterMs: number): void
  /** Never again. */
  park(): void
  /** It is being worked on: do not send it to another machine yet. */
  working(): void
}

export interface NatsConsumer {
  /** Ends when `stop` was called. Throws SERVER_FAILED when the consumer is gone. */
  messages(): AsyncIterable<NatsMessage>
  /** Takes no more; what was delivered and not taken goes to another machine. */
  stop(): void
  /** Rejects where the stream does not confirm it. */
  publish(subject: string, text: string, id: string): Promise<void>
  /** Messages that the stream holds for this consumer and has not delivered. */
  pending(): Promise<number>
  /** Messages that are not acknowledged yet, delivered or not. */
  open(): Promise<number>
  /** Sends what waits, and closes. */
  close(): Promise<void>
}

export interface NatsOptions {
  readonly url: string
  readonly stream: string
  readonly consumer: string
  /** Messages that may be under way at once. */
  readonly inFlight: number
  /** A credentials file (`nsc`), where the server asks for one. */
  readonly credentials?: string
  readonly onConnection?: (state: string) => void
}

async function packages() {
  try {
    return { transport: await import('@nats-io/transport-node'), jetstream: await import('@nats-io/jetstream') }
  } catch (cause) {
    throw new UsherError('SERVER_FAILED', 'events from NATS need the packages @nats-io/transport-node and @nats-io/jetstream; install them: npm install @nats-io/transport-node @nats-io/jetstream', { cause })
  }
}

async function open(options: Pick<NatsOptions, 'url' | 'credentials' | 'onConnection'>) {
  const { transport, jetstream } = await packages()
  const { readFileSync } = await import('node:fs')
  const backoff = new Backoff()
  try {
    const connection = await transport.connect({
      servers: options.url, name: 'usher', maxReconnectAttempts: -1, reconnectDelayHandler: () => backoff.wait(), waitOnFirstConnect: false, timeout: 5000,
      ...(options.credentials === undefined ? {} : { authenticator: transport.credsAuthenticator(readFileSync(options.credentials)) }),
    })
    void (async () => { for await (const status of connection.status()) {
      if (status.type === 'reconnect') backoff.reset()
      options.onConnection?.(status.type)
    } })()
    return { connection, jetstream }
  } catch (cause) {
    throw new UsherError('SERVER_FAILED', `cannot connect to ${publicServers(options.url)}: ${cause instanceof Error ? cause.message : String(cause)}; is nats-server running there, with JetStream (-js)?`, { cause })
  }
}

/** Without what stands before the @: a password or a token. */
const publicServers = (url: string): string => url.replace(/(^|,|\/\/)[^/,]*@/g, '$1')

/** Throws SERVER_FAILED: no server, no stream or consumer of that name. */
export async function openConsumer(options: NatsOptions): Promise<NatsConsumer> {
  const { connection, jetstream } = await open(options)
  const js = jetstream.jetstream(connection)
  const consumer = await js.consumers.get(options.stream, options.consumer).catch(async (cause: unknown) => {
    await connection.close()
    throw new UsherError('SERVER_FAILED', `there is no consumer ${options.consumer} on the stream ${options.stream}: ${cause instanceof Error ? cause.message : String(cause)}; usher fleet init --events makes both`, { cause })
  })
  const state = { stopped: false }
  let current: { stop(): void } | undefined
  async function* messages(): AsyncGenerator<NatsMessage> {
    while (!state.stopped) {
      // After a lost server the client comes back by itself; where it gives up, a new pull begins.
      const pulled = await consumer.consume({ max_messages: options.inFlight, expires: 5000 }).catch(() => undefined)
      if (!pulled) { await new Promise(resolve => setTimeout(resolve, 500).unref()); continue }
      current = pulled
      try {
        for await (const message of pulled) {
          yield wrap(message)
          if (state.stopped) return
        }
      } catch (cause) {
        if (state.stopped) return
        options.onConnection?.(`pull ended: ${cause instanceof Error ? cause.message : String(cause)}`)
        await new Promise(resolve => setTimeout(resolve, 500).unref())
      }
    }
  }
  return {
    messages,
    stop: () => { state.stopped = true; current?.stop() },
    publish: async (subject, text, id) => { await js.publish(subject, text, { msgID: id }) },
    pending: async () => (await consumer.info()).num_pending,
    open: async () => { const info = await consumer.info(); return info.num_pending + info.num_ack_pending },
    close: async () => { state.stopped = true; current?.stop(); await connection.drain().catch(() => connection.close()) },
  }
}

function wrap(message: JsMsg): NatsMessage {
  return {
    subject: message.subject, seq: message.seq, at: Math.round(Number(message.timestampNanos) / 1e6), delivery: message.info.deliveryCount, id: message.headers?.get('Nats-Msg-Id') || undefined, bytes: message.data,
    ack: async () => { await message.ackAck() },
    again: afterMs => { message.nak(afterMs) },
    // Without a reason: servers before 2.10 do not know one, and would send the message for ever. It stands in the log.
    park: () => { message.term() },
    working: () => { message.working() },
  }
}

export interface StreamSetup {
  readonly url: string
  readonly stream: string
  readonly subjects: readonly string[]
  readonly consumer: string
  readonly credentials?: string
  /** Seconds without a sign of life before a message goes to another machine. */
  readonly ackWait: number
  /** Under way at once over all machines. */
  readonly inFlight: number
}

/** Makes the stream and its durable consumer, or leaves those that are there. Throws SERVER_FAILED. */
export async function makeStream(setup: StreamSetup): Promise<void> {
  const { connection, jetstream } = await open(setup)
  try {
    const manager = await jetstream.jetstreamManager(connection)
    await manager.streams.info(setup.stream).catch(() => manager.streams.add({ name: setup.stream, subjects: [...setup.subjects], duplicate_window: 120e9 }))
    await manager.consumers.info(setup.stream, setup.consumer).catch(() => manager.consumers.add(setup.stream, { durable_name: setup.consumer, ack_policy: jetstream.AckPolicy.Explicit, ack_wait: setup.ackWait * 1e9, max_deliver: -1, max_ack_pending: setup.inFlight }))
  } catch (cause) {
    throw new UsherError('SERVER_FAILED', `cannot make the stream ${setup.stream}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  } finally {
    await connection.close()
  }
}
