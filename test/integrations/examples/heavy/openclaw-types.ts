/** That the package's own hooks are what the example was checked against, and not types that let anything through: each line here must fail. */
import { definePluginEntry } from 'openclaw/plugin-sdk/plugin-entry'

export const plugin = definePluginEntry({
  id: 'none', name: 'None', description: 'Never loaded.',
  register: api => {
    // @ts-expect-error -- there is no such hook
    api.on('no_such_hook', () => Promise.resolve())
    // @ts-expect-error -- a decision that is none
    api.on('before_tool_call', event => Promise.resolve({ requireApproval: { title: event.toolName, description: '', severity: 'warning' as const, allowedDecisions: ['perhaps'] } }))
    // @ts-expect-error -- the event has no such field
    api.on('before_tool_call', event => Promise.resolve({ block: true, blockReason: event.nothing }))
    // @ts-expect-error -- the context is a text
    api.on('before_prompt_build', () => Promise.resolve({ prependContext: 7 }))
    // @ts-expect-error -- the context has no such field
    api.on('message_received', (_event, context) => { void context.nothing })
  },
})
