/** Rules about one trigger: it would fire on talk. */
import { quoted } from '../../util/mask.ts'
import { isOpen, openSlotsTouch } from '../expand.ts'
import { finding, type Finding } from '../finding.ts'
import { firstOfEachTrigger, type LintContext, type Sentence } from './context.ts'
import { isCommonWord, isEverydayTalk, LIGHT_VERBS } from './words.ts'

export function everydaySentence(context: LintContext): Finding[] {
  return firstOfEachTrigger(context.sentences.filter(isEveryday)).map(({ route, phrase }) =>
    finding(context.effectful(route) ? 'error' : 'warning', 'everyday-sentence', route, `${quoted(phrase.text)} is said all day to no machine, so it is no sign of an ask; add the thing it is about, as in "yes, <do what>"`, phrase.line))
}

/** A set phrase, or several words of which none names anything. */
function isEveryday({ phrase, words, content, hasSlot }: Sentence): boolean {
  return !hasSlot && (isEverydayTalk(words.join(' ')) || (words.length > 1 && content.every(word => LIGHT_VERBS.has(word)) && content.length < 2)) && phrase.text !== ''
}

export function oneCommonWord(context: LintContext): Finding[] {
  const alone = context.sentences.filter(sentence => !sentence.hasSlot && sentence.words.length === 1 && !isEveryday(sentence) && isCommonWord(sentence.words[0] ?? ''))
  return firstOfEachTrigger(alone).map(({ route, phrase }) =>
    finding(context.effectful(route) ? 'error' : 'warning', 'one-common-word', route, `the trigger ${quoted(phrase.text)} is one common word, which also stands alone in lists, titles and answers; add a second word, as in "${phrase.text} <what>"`, phrase.line))
}

/** "put on {x}", "note down {x}": in talk nearly anything follows such a verb. */
export function bareVerbSlot(context: LintContext): Finding[] {
  const bare = context.sentences.filter(({ phrase, content }) => content.length <= 1 && phrase.parts.some(isOpen))
  return firstOfEachTrigger(bare).map(({ route, phrase }) =>
    finding(context.effectful(route) ? 'warning' : 'info', 'bare-verb-slot', route, `${quoted(phrase.text)} is a verb and an open slot, so talk that begins like it fits too; give the slot a list ({slot:list_name}) or a type ({slot:number}), name it after what it holds ({person}, {place}, {food}: another kind of thing does not fit then), or add the noun that is always said`, phrase.line))
}

export function touchingSlots(context: LintContext): Finding[] {
  return firstOfEachTrigger(context.sentences.filter(({ phrase }) => openSlotsTouch(phrase.parts))).map(({ route, phrase }) =>
    finding('warning', 'slots-touch', route, `in ${quoted(phrase.text)} two open slots stand side by side, so nothing says where the first ends; put a word between them, or give one a list or a type`, phrase.line))
}
