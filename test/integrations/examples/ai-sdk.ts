import { generateText, stepCountIs, type LanguageModel, type ToolSet } from 'ai'
import { createUsher } from 'usher-router'
import { aiTools, route, usherTools } from 'usher-router/ai-sdk'

export async function answer(model: LanguageModel, mine: ToolSet, message: string): Promise<string> {
  const tools = await usherTools(mine, { weather: { effects: {} }, send: { effects: { always: ['message.send'] } } })  // what you have, and what it may do
  const usher = await createUsher({ routes: 'routes', tools, log: 'usher.sqlite' })
  const { note } = await route(usher, { source: 'user', text: message })     // what the words ask for is done before the model's turn
  const { text } = await generateText({ model, tools: aiTools(usher, tools), stopWhen: stepCountIs(5), system: note, prompt: message })
  await usher.close()
  return text
}
