import { definePluginEntry } from 'openclaw/plugin-sdk/plugin-entry'
import { createUsher } from 'usher-router'
import { registerUsher } from 'usher-router/openclaw'
import tools from './tools.js'

export default definePluginEntry({
  id: 'usher', name: 'Usher', description: 'Opens a door only when its owner asked for it.',
  register: api => registerUsher(api, createUsher({ routes: 'routes', tools, log: 'usher.sqlite' }), { effects: { read: {} } }),
})
