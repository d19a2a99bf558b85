import { createUsher, type Tool } from 'usher-router'

declare const routes: string
declare const tools: readonly Tool[]
declare const syncMail: () => Promise<void>

const usher = await createUsher({ routes, tools, log: 'usher.sqlite',
  baseline: { model: ['net.connect:127.0.0.1:11434', 'http.request:POST http://127.0.0.1:11434'] } })   // targets that are yours, at any time
await usher.background('sync', () => syncMail())                                                     // all that this piece of work does
