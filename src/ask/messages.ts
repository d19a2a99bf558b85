/** What a slot for a message took in may be no message: the rest of a sentence, when to send it, or what the speaker wants to be told. */
import type { Alignment } from './align.ts'
import { joinedWords } from './phrases-at.ts'
import type { Token } from './tokens.ts'
import { object, type Objection } from './verdict.ts'
import { TIME_AHEAD } from './words/classes.ts'

/** "text alignment is off", "text Oma wrote on the back": its verb, and the words before it are its subject. */
const STATES = /^(?:is|are|was|were|isn't|aren't|wasn't|weren't|wrote|written|said)$/
const OPENS = /^(?:that|how|what|where|why|who|whether|about|to)$/
/** "sorry if late": no subject, so it says when to send it as well as it may belong to the message. */
const ELLIPTIC = /^(?:if|unless|when|once|until)$/

export function messageObjection({ start, fills }: Alignment, tokens: readonly Token[]): Objection | undefined {
  const at = fills.findIndex(fill => fill.clausal)
  const message = fills[at]
  if (!message) return undefined
  const first = tokens[message.start]
  const whom = fills[at - 1]
  if (first?.pause === 'space' && whom?.end === message.start) {
    if (STATES.test(first.norm) && message.end - message.start > 1) return object('mention', `"${first.norm}" makes it a sentence`, false)
    if (whom.end - whom.start === 1 && tokens[whom.start]?.norm === 'me' && /^(?:tell|ask|show)$/.test(tokens[start]?.norm ?? '') && !/^(?:that|to)$/.test(first.norm)) return object('question', 'the speaker asks to be told', false)
  }
  // "let me know who she is": the speaker is to be told.
  if (whom && tokens[whom.start]?.norm === 'me' && whom.end - whom.start === 1 && /^(?:tell|ask|show|let|give)$/.test(tokens[start]?.norm ?? '') && /^(?:who|what|when|where|how|why|which|whether|if)$/.test(first?.norm ?? '')) return object('question', 'the speaker asks to be told', false)
  if (first && TIME_AHEAD.has(first.norm) && OPENS.test(tokens[message.start + 1]?.norm ?? '')) return object('later', `"${first.norm}" is a later time; scheduled asks are not supported`, false)
  const last = tokens[message.end - 1]
  if (message.end - message.start > 2 && message.end === tokens.length && last?.pause === 'space' && ELLIPTIC.test(tokens[message.end - 2]?.norm ?? '') && tokens[message.end - 2]?.pause === 'space' && /^\p{L}{3,}$/u.test(last.norm)) return object('condition', `"${joinedWords(tokens, message.end - 2, message.end)}" may say when`, false)
  return undefined
}
