import { query, type Options } from '@anthropic-ai/claude-agent-sdk'
import type { Usher } from 'usher-router'
import { claudeHooks } from 'usher-router/claude'

export const hooks = (usher: Usher): NonNullable<Options['hooks']> => claudeHooks(usher, { pass: ['Edit'] })
export const ask = (usher: Usher, prompt: string, more: Options = {}) => query({ prompt, options: { ...more, hooks: hooks(usher) } })
