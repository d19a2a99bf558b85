import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { ToolMessage } from '@langchain/core/messages'
import type { Tool, Usher } from 'usher-router'
import { langchainTools } from 'usher-router/langchain'

export async function turn(model: BaseChatModel, usher: Usher, mine: readonly Tool[], message: string): Promise<readonly ToolMessage[]> {
  const tools = langchainTools(usher, mine)                                  // a model sees the visible schemas only
  const { tool_calls = [] } = await (model.bindTools?.(tools) ?? model).invoke(message)
  const answers: ToolMessage[] = []
  for (const call of tool_calls) answers.push(await tools.find(tool => tool.name === call.name)?.invoke({ ...call, type: 'tool_call' }) as ToolMessage)
  return answers
}
