import { Agent } from '@openai/agents'
import type { Tool, Usher } from 'usher-router'
import { agentTools } from 'usher-router/openai-agents'

export const houseAgent = (usher: Usher, tools: readonly Tool[]): Agent =>
  new Agent({ name: 'house', instructions: 'You keep a house.', tools: agentTools(usher, tools) })
