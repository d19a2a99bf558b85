import { definePluginEntry } from 'openclaw/plugin-sdk/plugin-entry'
import { createUsher, type Tool } from 'usher-router'
import { registerUsher } from 'usher-router/openclaw'

export const plugin = async (tools: readonly Tool[]) => {
  const usher = await createUsher({ routes: 'routes', tools, log: 'usher.sqlite' })
  return definePluginEntry({ id: 'usher', name: 'Usher', description: 'Opens a door only when its owner asked for it.', register: api => registerUsher(api, usher, { effects: { read: {} } }) })
}
