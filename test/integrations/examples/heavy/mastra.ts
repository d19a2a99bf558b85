import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import type { Tool, Usher } from 'usher-router'
import { mastraTools } from 'usher-router/mastra'

type Model = ConstructorParameters<typeof Agent>[0]['model']

export const houseAgent = (usher: Usher, tools: readonly Tool[], model: Model) =>
  new Agent({ id: 'house', name: 'house', instructions: 'You keep a house.', model, tools: mastraTools(usher, tools, createTool) })
