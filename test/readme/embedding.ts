import { createUsher, defineTool } from 'usher-router'
import * as z from 'zod'

const lamp = defineTool({
  name: 'lamp',
  description: 'Says whether the lamp is on.',
  input: z.object({}),                                        // what a model and the filler see
  presetOnly: z.object({ on: z.boolean() }),                  // what only a route may set
  effects: { on: ['device.actuate'] },                        // which key arms which effect
  run: async args => ({ lamp: args.on ? 'on' : 'as it was' }),
})

const usher = await createUsher({ routes: 'lamp.yaml', tools: [lamp], log: 'usher.sqlite' })

const asked = await usher.handle({ source: 'user', text: 'please switch on the lamp' })
console.log(asked.outcomes[0]?.kind, asked.outcomes[0]?.result)       // called { lamp: 'on' }

const overheard = await usher.handle({ source: 'notification', text: 'switch on the lamp' })
console.log(overheard.outcomes[0]?.kind, overheard.outcomes[0]?.why)  // source-blocked ...

await usher.close()
