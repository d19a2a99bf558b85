import { createUsher, type Tool, type Usher } from 'usher-router'
import { tracedTools, tracedUsher } from 'usher-router/otel'

export const openTraced = async (tools: readonly Tool[]): Promise<Usher> =>
  tracedUsher(await createUsher({ routes: 'routes', tools: tracedTools(tools), log: 'usher.sqlite' }))
