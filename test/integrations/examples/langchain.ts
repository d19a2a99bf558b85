import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { Tool, Usher } from 'usher-router'
import { langchainTools } from 'usher-router/langchain'

export function withTools(model: BaseChatModel, usher: Usher, tools: readonly Tool[]): void {
  model.bindTools?.(langchainTools(usher, tools))
}
