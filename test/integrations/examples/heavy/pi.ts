import { Agent, type AgentTool } from '@mariozechner/pi-agent-core'
import type { Tool, Usher } from 'usher-router'
import { piGate, piTools } from 'usher-router/pi'

export function houseAgent(usher: Usher, tools: readonly Tool[], others: AgentTool[]): Agent {
  const ours = piTools(usher, tools)
  const gate = piGate(usher, { session: 'house', ours: ours.map(tool => tool.name), effects: { read: {} } })
  const agent = new Agent({ ...gate })
  agent.state.tools = [...ours, ...others]
  return agent
}
