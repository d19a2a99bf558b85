import { defineTool } from 'usher-router'
import * as z from 'zod'

export const done: string[] = []
export default [
  defineTool({ name: 'weather', description: 'Says the weather.', input: z.object({ city: z.string() }), effects: {}, run: args => { done.push(`weather ${args.city}`); return { sky: 'clear', city: args.city } } }),
  defineTool({ name: 'send', description: 'Sends a message.', input: z.object({ text: z.string() }), effects: { always: ['message.send'] }, run: args => { done.push(`send ${args.text}`); return 'sent' } }),
]
