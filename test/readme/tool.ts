import { defineTool } from 'usher-router'
import * as z from 'zod'

declare const url: string

export const callConsole = defineTool({
  name: 'call_console',
  description: 'Gives the address of the read-only call log page.',
  input: z.object({}),                                  // what a model and the filler see
  presetOnly: z.object({ open: z.boolean() }),          // what only a route (or an approved call) may set
  effects: { open: ['browser.open'] },                  // which key arms which effect; `always: [...]` for the rest
  run: async args => ({ url, opened: args.open === true }),
})
