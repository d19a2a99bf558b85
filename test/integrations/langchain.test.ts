import { AIMessage, ToolMessage } from '@langchain/core/messages'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { langchainTools } from '../../src/integrations/langchain.ts'
import { adapterCases } from './adapter-cases.ts'

let ids = 0

adapterCases({
  name: '@langchain/core', approvals: false,
  turn: async (bench, { tool: name, args }) => {
    const tools = langchainTools(bench.usher, bench.tools)
    // As a tool node does with the calls of an AI message.
    const message = new AIMessage({ content: '', tool_calls: [{ id: `call-${++ids}`, name, args: { ...args }, type: 'tool_call' }] })
    const [call] = message.tool_calls ?? []
    const found = tools.find(tool => tool.name === call?.name)
    const answer = call && await found?.invoke({ ...call, type: 'tool_call' })
    const offered = new Map(tools.map(tool => [tool.name, convertToOpenAITool(tool).function.parameters] as const))
    return { offered, answer: answer instanceof ToolMessage ? parsed(String(answer.content)) : answer, asked: false }
  },
})

function parsed(text: string): unknown {
  try { return JSON.parse(text) } catch { return text }
}
