/** Decides about one alignment: what stands around it, in which form it is said, what its slots hold. */
import type { Alignment } from './align.ts'
import { wrongValue } from './amounts.ts'
import { readAfter, readBefore } from './around.ts'
import { inDictionary } from './dictionary.ts'
import { hasTag, isBaseVerb, isFinite, isWord } from './english.ts'
import { readLeft, type LeftFrame } from './left.ts'
import { inside, type Masks } from './mask.ts'
import { joinedWords } from './phrases-at.ts'
import { readRight, type RightFrame } from './right.ts'
import { kindsOf } from './kinds.ts'
import { misfit } from './slot-kinds.ts'
import type { Token } from './tokens.ts'
import { object, type Objection } from './verdict.ts'
import { LIGHT_VERBS } from './words/actions.ts'
import { ARTICLES, DEFINITE, NUMBER_WORDS, PREPOSITION } from './words/classes.ts'
import { IDIOMS } from './words/idioms.ts'
import { lemmas } from './words/verbs.ts'
import { SUFFIXES } from './words/suffixes.ts'

export interface Judged {
  readonly alignment: Alignment
  readonly objection: Objection | undefined
  readonly rank: number
  /** Where its sentence begins. */
  readonly sentence: number
  readonly steps: readonly string[]
}

export interface Scene {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly masks: Masks
  readonly edits: ReadonlyMap<number, number>
  /** Route -> the words of its own triggers and name. */
  readonly own: ReadonlyMap<string, ReadonlySet<string>>
  readonly left: Map<number, LeftFrame>
  readonly right: Map<number, RightFrame>
  /** What stands farther off, by where a request begins and where it ends. */
  readonly before: Map<number, Objection | undefined>
  readonly after: Map<number, Objection | undefined>
}

/** The first word of the sentence that a word is in. */
export function sentenceStart(tokens: readonly Token[], at: number): number {
  let start = at
  while (start > 0 && tokens[start]?.pause !== 'hard') start--
  return start
}

/** "Lights Up in the City", "Unlock Your Inner Cyclist": every word but the small ones has a capital. */
function headline(tokens: readonly Token[]): boolean {
  const small = (token: Token): boolean => ARTICLES.has(token.norm) || PREPOSITION.has(token.norm) || /^(?:and|or|but|has|is|your)$/.test(token.norm)
  const lower = tokens.filter(token => /^\p{L}/u.test(token.norm) && !token.capital)
  const named = tokens.filter(token => token.capital)
  return named.length >= 3 && (tokens.some(token => token.norm === 'your' && token.capital) ? lower.length === 0 : lower.length > 0 && lower.every(small))
}

/** "[log format] tweak ...": a heading in brackets; "Ring the Bell | Songs", "All Rise (live)": a title. */
function headed(alignment: Alignment, { tokens, text }: Scene): Objection | undefined {
  // "lock, up, hall, key": a list of words.
  const cut = tokens.filter((token, at) => at > alignment.start && at < alignment.end && /^ ?, ?$/.test(token.before) && !alignment.fills.some(fill => at >= fill.start && at < fill.end))
  if (cut.length > 1 && (tokens[alignment.end]?.pause === 'soft' || tokens[alignment.end]?.pause === 'colon') && alignment.steps.length === 0 && alignment.pattern.how === 'as written') return object('mention', 'it is a list of words')
  // A slot may have taken in the bracket: "Hold on Love (remix)".
  const bracket = tokens.findIndex((token, at) => at > alignment.start && at < alignment.end && token.before.includes('('))
  const end = bracket < 0 ? alignment.end : bracket
  const next = tokens[end]
  const own = tokens.slice(alignment.start, end)
  if (next && /^\s*[|·•]\s*$/u.test(next.before)) return object('mention', 'a bar after it makes it a title')
  const titled = own.filter(token => token.capital).length > 1 && own.every(token => token.capital || ARTICLES.has(token.norm) || PREPOSITION.has(token.norm) || !/^\p{L}/u.test(token.norm))
  if (next && titled && own.length < tokens.length) {
    const rest = tokens.slice(end)
    if (/^, ?$/.test(next.before) && rest.length >= 2 && rest.every(token => token.capital)) return object('mention', 'it is written like a title')
    if (/\(/.test(next.before) || (/:\s*$/.test(next.before) && !text.slice(0, tokens[alignment.start]?.start).includes(':'))) return object('mention', 'it is written like a title')
    if (/^[!?.]\s*$/.test(next.before) && ARTICLES.has(next.norm) && tokens.length - alignment.end <= 3) return object('mention', 'it is written like a title')
  }
  if (headline(tokens)) return object('mention', 'it is written like a title')
  return tokens[alignment.start]?.before.includes('[') && tokens[alignment.end]?.before.includes(']') ? object('mention', 'it is a heading in brackets') : undefined
}

function masked(alignment: Alignment, scene: Scene): Objection | undefined {
  const opens = alignment.pattern.elements[0]?.kind === 'slot' && alignment.fills[0]?.start === alignment.start
  if (opens && scene.tokens[alignment.start - 1]?.norm === 'no' && scene.tokens[alignment.start]?.pause === 'space') return object('negation', '"no" stands before it')
  if (/^\s*;\s*$/.test(scene.text.slice(scene.tokens[alignment.end - 1]?.end ?? 0)) && scene.tokens.slice(alignment.start, alignment.end).some(token => token.norm.includes('_'))) return object('code', 'its line looks like code')
  for (let at = alignment.start; at < alignment.end; at++) {
    const token = scene.tokens[at] as Token
    const fill = alignment.fills.find(fill => at >= fill.start && at < fill.end)
    if (inside(scene.masks.code, token.start, token.end)) return object('code', 'its line looks like code')
    if (!fill && inside(scene.masks.quotes, token.start, token.end)) return object('quotation', 'its words are quoted')
  }
  return undefined
}

function wrongForm(alignment: Alignment, left: LeftFrame): Objection | undefined {
  const { pattern, form } = alignment
  if (pattern.form) return form === pattern.form && left.form === 'base' ? undefined : object('left-over', 'its verb is in another form', false)
  if (form === left.form) return undefined
  if (form === 'ed') return object('report', 'its verb tells what happened')
  if (form === 'ing') return object('mention', 'its verb names what goes on')
  return object('mention', `its verb does not go with "${left.form}"`)
}

/** For a trigger that is one verb and an open slot: what code and commit lines are made of, never what people name. */
function vague(words: readonly Token[], oddCase: boolean): boolean {
  const first = words[0]?.norm ?? ''
  if (words.some(token => /#\p{L}|\p{L}\.\w+\.\p{L}/u.test(token.norm) || (token.camel && !oddCase))) return true
  if (first.endsWith('ing') && lemmas(first).some(({ word }) => isBaseVerb(word))) return true
  const definite = /^(?:the|my|our|this|that|these|those|all|both|each|every|everyone|everybody|everything|anyone|anybody|anything|whoever|whatever|whichever|\p{N}.*)$/u.test(first) || words[0]?.capital === true || !(isWord(first) || inDictionary(first))
  if (hasTag(first, 'PastTense', 'Participle') && !words[0]?.capital) return true
  return !definite && words.length > 3 && words.some((token, i) => i > 0 && PREPOSITION.has(token.norm) && token.norm !== 'of')
}

/** Prepositions that turn the object of a bare verb into something else: "call dibs on", "print warnings about". */
const WIDENS = new Set(['on', 'with', 'from', 'about', 'over', 'against', 'to', 'into', 'through', 'without', 'as', 'by', 'until', 'around', 'via', 'per', 'if', 'when', 'for', 'behind', 'under', 'above', 'between'])

const PLACES = new Set(['on', 'by', 'under', 'above', 'behind', 'between', 'around'])

/** A verb and a message: with a particle it is another verb ("log in to the wifi"); with words of programs it is a title ("Announce user-zh list"). */
function looseMessage({ pattern, fills, start }: Alignment, tokens: readonly Token[]): Objection | undefined {
  const [fill] = fills
  if (pattern.needs.length !== 1 || !fill || fills.length > 1 || !fill.clausal || fill.start > start + 1) return undefined
  const own = tokens.slice(fill.start, fill.end)
  if (own.length > 1 && /^(?:in|out|off|up|down|over|back|away|through|around)$/.test(own[0]?.norm ?? '')) return object('other-sense', `"${own[0]?.norm ?? ''}" makes it another verb`, false)
  const told = own.some(token => isFinite(token.norm) || ARTICLES.has(token.norm))
  const technical = own.some((token, i) => token.camel || /\p{L}[._]\p{L}/u.test(token.norm) || (token.before === '-' && i > 0 && !isWord(token.norm) && !inDictionary(token.norm)))
  return technical && !told ? object('mention', 'it is written like a title', false) : undefined
}

function looseObject(alignment: Alignment, scene: Scene): Objection | undefined {
  const { pattern, fills } = alignment
  if (!pattern.bare) return undefined
  const message = looseMessage(alignment, scene.tokens)
  if (message) return message
  // "print the threads and lock information": where the object ends nobody can tell.
  const joined = scene.tokens.slice(alignment.end, alignment.end + 3).map(token => token.norm)
  if (fills.at(-1)?.end === alignment.end && joined[0] === 'and' && joined.length === 3 && scene.tokens[alignment.end]?.pause === 'space' && [joined[1], joined[2]].every(word => kindsOf(word ?? '') !== undefined && !LIGHT_VERBS.has(word ?? '')) && (joined[2] ?? '').length > 3 && !isFinite(joined[2] ?? '') && SUFFIXES.lengthsAt(scene.tokens, alignment.end + 2, scene.tokens.length).length === 0 && !/^(?:play|show|turn|email|text|call)$/.test(joined[1] ?? '')) return object('other-object', `"${joined.join(' ')}" may go on with it`, false)
  const [fill] = fills
  if (!fill || fill.start > alignment.start + 2 || fills.length > 1 || fill.clausal || fill.slot.type !== undefined) return undefined
  const words = scene.tokens.slice(fill.start, fill.end)
  const [turn] = fill.start > alignment.start ? IDIOMS.lengthsAt(scene.tokens, alignment.start, scene.tokens.length) : []
  if (turn !== undefined && words[0]?.capital !== true && fill.end === alignment.end && alignment.start + turn > fill.start) return object('other-sense', `"${joinedWords(scene.tokens, alignment.start, alignment.start + turn)}" is a turn of phrase`, false)
  const [lead = '', link = ''] = words.map(token => token.norm)
  // "install date of the lamp": a noun, and no verb with its object.
  if (link === 'of' && !/^(?:the|all|both|some|most|any|each)$/.test(lead) && words[0]?.capital !== true && /^[xtcip]/.test(kindsOf(lead) ?? '')) return object('other-sense', `"${joinedWords(scene.tokens, alignment.start, fill.start + 1)}" is a thing`, false)
  if (words.length > 1 && /^(?:reminders?|todos?|tasks?|checklist)$/.test(words[words.length - 1]?.norm ?? '') && !DEFINITE.has(lead)) return object('mention', `"${words[words.length - 1]?.norm ?? ''}" makes it a thing`, false)
  const final = words[words.length - 1]?.norm ?? ''
  // "log my brother's browser out": with the particle the verb is another one.
  if (words.length > 1 && /^(?:out|off|down|in|on|over|away|through)$/.test(final) && words[0]?.capital !== true) return object('other-sense', `"${final}" makes it another verb`, false)
  const owner = words.findIndex(token => token.norm.endsWith('\'s'))
  if (owner >= 0 && owner + 1 < words.length && fill.start === alignment.start + 1 && IDIOMS.has(`${scene.tokens[alignment.start]?.norm ?? ''} my ${joinedWords(scene.tokens, fill.start + owner + 1, fill.end)}`)) return object('other-sense', 'it is a turn of phrase', false)
  if (pattern.needs.length === 1 && vague(words, scene.tokens[alignment.start]?.camel === true)) return object('other-object', `"${joinedWords(scene.tokens, fill.start, fill.end)}" may be another thing than its slot is for`, false)
  // "the raised beds", but not "warnings raised by tests".
  const attribute = (i: number): boolean => ARTICLES.has(words[i - 1]?.norm ?? '') && words[i + 1] !== undefined && !PREPOSITION.has(words[i + 1]?.norm ?? '')
  const past = words.find((token, i) => i > 0 && hasTag(token.norm, 'PastTense') && !attribute(i) && (!words[0]?.capital || words[i + 1]?.norm === 'by'))
  if (past) return object('other-sense', `"${past.norm}" makes it a sentence`, false)
  const title = words.every(token => token.capital || PREPOSITION.has(token.norm) || ARTICLES.has(token.norm) || /^\P{L}/u.test(token.norm))
  if (title || /^(?:whoever|whatever|whichever)$/.test(words[0]?.norm ?? '')) return undefined
  const definite = /^(?:the|my|our|this|that|these|those|all|both|every|everyone|everybody|everything|anyone|anybody|anything)$/.test(words[0]?.norm ?? '') || NUMBER_WORDS.has(words[0]?.norm ?? '')
  // "the pots by the door": where a thing is tells which it is.
  const places = (i: number): boolean => definite && PLACES.has(words[i]?.norm ?? '') && /^(?:the|my|our)$/.test(words[i + 1]?.norm ?? '') && words[i - 1]?.norm.endsWith('ing') !== true && !words.some((token, other) => other > 0 && other !== i && PREPOSITION.has(token.norm))
  // "length in the message", "information in stacks page": a place in writing, not where a thing is.
  const within = pattern.needs.length === 1 ? words.find((token, i) => i > 0 && token.norm === 'in' && !token.capital && (!definite || !/^(?:the|my|our|this|that|here|there|\p{N}.*)$/u.test(words[i + 1]?.norm ?? '')) && words[i + 1]?.capital !== true && (isWord(words[i + 1]?.norm ?? '') || inDictionary(words[i + 1]?.norm ?? '')) && !NUMBER_WORDS.has(words[i + 1]?.norm ?? '') && !hasTag(words[i + 1]?.norm ?? '', 'Date', 'Place')) : undefined
  if (within && words.length > 3) return object('other-object', `"${joinedWords(scene.tokens, fill.start, fill.end)}" may be another thing than its slot is for`, false)
  const pointed = definite && words.slice(1, 4).some(token => /^(?:one|ones)$/.test(token.norm))
  const wide = pointed ? undefined : words.find((token, i) => i > 0 && WIDENS.has(token.norm) && !places(i))
  const doing = words.findIndex((token, i) => i > 1 && token.norm.endsWith('ing') && PREPOSITION.has(words[i - 1]?.norm ?? ''))
  if (doing > 0) return object('other-sense', `"${joinedWords(scene.tokens, fill.start, fill.end)}" is a turn of phrase`, false)
  if (words[0]?.norm === 'your') return object('other-object', 'it is not the speaker\'s', false)
  return wide ? object('other-object', `"${joinedWords(scene.tokens, fill.start, fill.end)}" may be another thing than its slot is for`, false) : undefined
}

/** A trigger that is a question itself ("which files are in {folder}") is asked as one. */
const INTERROGATIVE = /^(?:what|what's|whats|which|who|who's|whose|where|where's|wheres|when|why|how|how's|is|are|was|were|does|do|did|has|have|had|will)$/

function asksBack(alignment: Alignment, scene: Scene, left: LeftFrame, right: RightFrame): Objection | undefined {
  const first = alignment.pattern.elements[0]
  if (first?.kind === 'word' && INTERROGATIVE.test(first.word)) return undefined
  if (left.asked) {
    // "can you announce things in one room, or is it always every speaker?": a question about what is possible.
    const choice = scene.tokens.findIndex((token, at) => at >= alignment.start && token.norm === 'or' && /^(?:is|are|do|does|did|only|not|will|just|both|what|how|when)$/.test(scene.tokens[at + 1]?.norm ?? ''))
    return choice > 0 && scene.tokens.slice(choice).some(token => token.asks) ? object('question', 'it asks which of two is so') : undefined
  }
  for (let at = alignment.end - 1; at < scene.tokens.length; at++) {
    const token = scene.tokens[at]
    if (!token || (at >= alignment.end && token.pause === 'hard')) return undefined
    if (!token.asks || inside(scene.masks.quotes, token.start, token.end)) continue
    if (SUFFIXES.lengthsAt(scene.tokens, at + 1, scene.tokens.length).some(length => at + 1 + length === scene.tokens.length && /please|pls|thank/.test(joinedWords(scene.tokens, at + 1, scene.tokens.length)))) return undefined
    if (at === alignment.end - 1) return object('question', 'it ends as a question')
    const next = scene.tokens.slice(alignment.end, at + 1).find((item, i) => i === 0 || item.pause === 'soft')?.norm ?? ''
    if (!right.final) return /^(?:what|which|who|why|how|when|where|is|are|does|did|do)$/.test(next) ? object('question', 'a question goes with it', false) : undefined
    return right.steps.some(step => /you|ya|please|yeah|ok|right/.test(step)) ? undefined : object('question', 'it ends as a question')
  }
  return undefined
}

function once(known: Map<number, Objection | undefined>, at: number, read: () => Objection | undefined): Objection | undefined {
  if (!known.has(at)) known.set(at, read())
  return known.get(at)
}

/** What the sentences around say of it. */
function distant({ start, end }: Alignment, { text, tokens, before, after }: Scene, from: number): Objection | undefined {
  return once(before, start, () => readBefore(text, tokens, from, start)) ?? once(after, end, () => readAfter(tokens, end))
}

export function judgeAlignment(alignment: Alignment, scene: Scene): Judged {
  const { tokens } = scene
  const from = sentenceStart(tokens, alignment.start)
  let left = scene.left.get(alignment.start)
  if (!left) scene.left.set(alignment.start, left = readLeft(tokens, from, alignment.start))
  let right = scene.right.get(alignment.end)
  if (!right) scene.right.set(alignment.end, right = readRight(tokens, scene.edits, alignment.end))
  const objection = masked(alignment, scene) ?? headed(alignment, scene) ?? distant(alignment, scene, from) ?? left.objection ?? wrongForm(alignment, left) ?? right.objection ?? asksBack(alignment, scene, left, right) ?? looseObject(alignment, scene)
    ?? (alignment.pattern.how.endsWith('first') && alignment.pattern.elements[0]?.kind !== 'word' && !left.whole && !startsClause(tokens, alignment.start) ? object('left-over', 'what stands before it is not accounted for', false) : undefined)
    ?? (alignment.pattern.how === 'place first' && !left.whole && !startsClause(tokens, alignment.start) ? object('left-over', 'what stands before it is not accounted for', false) : undefined)
    ?? ((left.runOn || (!left.whole && alignment.pattern.needs.length === 1 && tokens.slice(from, alignment.start).some(token => token.camel || token.norm.includes('_')))) && alignment.pattern.bare && !definiteFill(alignment, tokens) ? object('left-over', 'words before it are not accounted for', false) : undefined)
    ?? (left.steps.some(step => /"you (?:can|may)"$/.test(step)) && !right.steps.some(step => /now|please/.test(step)) ? object('mention', 'it says what may be done') : undefined)
    ?? (left.weak && !right.final ? object('left-over', 'words before it and after it are not accounted for', false) : undefined)
    ?? wrongKind(alignment, scene)
    ?? leavesChoice(alignment, tokens)
    ?? toldState(alignment, tokens)
    ?? deniedNoun(alignment, tokens, from)
    ?? (!left.asked && right.steps.some(step => step.endsWith('"already"')) && !right.steps.some(step => /please|thank|will you|would you/.test(step)) && UNCHANGED.test(tokens[alignment.start]?.norm ?? '') ? object('report', 'it may tell what was done', false) : undefined)
    ?? wrongValue(scene.text, tokens, alignment)
    ?? doubtful(alignment)
  const rank = alignment.pattern.needs.length + (alignment.pattern.paraphrase ? -0.5 : 0) + alignment.pattern.content * 0.2 - alignment.cost
  const steps = [...left.steps, ...(alignment.pattern.how === 'as written' ? [] : [alignment.pattern.how]), ...alignment.steps, ...right.steps]
  return { alignment, objection, rank, steps, sentence: from }
}

/** "a harpist or a cellist" is for the speaker to choose. */
function leavesChoice({ fills }: Alignment, tokens: readonly Token[]): Objection | undefined {
  const fill = fills.find(item => !item.clausal && tokens.slice(item.start + 1, item.end - 1).some((token, i) => token.norm === 'or' && ARTICLES.has(tokens[item.start + i + 2]?.norm ?? '')))
  return fill && object('question', `"${joinedWords(tokens, fill.start, fill.end)}" leaves a choice`, false)
}

/** "Nadine's password reset": its verb has no other form for what was done. */
function toldState({ pattern, start, end }: Alignment, tokens: readonly Token[]): Objection | undefined {
  if (pattern.how !== 'object first') return undefined
  const verb = tokens.findIndex((token, at) => at > start && at < end && UNCHANGED.test(token.norm))
  return verb > 0 && verb === end - 1 && tokens[verb]?.pause === 'space' && pattern.needs.includes(tokens[verb]?.norm ?? '') ? object('report', 'it may tell what was done', false) : undefined
}

/** "no comment he said": a noun that nothing is asked with. */
function deniedNoun(alignment: Alignment, tokens: readonly Token[], from: number): Objection | undefined {
  const { pattern, start } = alignment
  const denied = pattern.bare && start - 1 === from && tokens[from]?.norm === 'no' && tokens[start]?.pause === 'space' && kindsOf(tokens[start]?.norm ?? '') !== undefined
  return denied && !definiteFill(alignment, tokens) ? object('negation', '"no" stands before it', false) : undefined
}

/** Verbs whose past is their present: "put the cat out already". */
const UNCHANGED = /^(?:put|set|shut|cut|let|read|hit|split|quit|spread|bid|reset|cast|burst|shed|upset)$/
const NONE: ReadonlySet<string> = new Set()

/** "defrost the freezer" where the slot is for food. */
function wrongKind({ pattern, fills }: Alignment, { tokens, own }: Scene): Objection | undefined {
  for (const fill of fills) {
    const at = pattern.elements.findIndex(element => element.kind === 'slot' && element.slot === fill.slot)
    const slot = pattern.elements[at]
    const before = pattern.elements[at - 1]
    if (fill.clausal || slot?.kind !== 'slot' || slot.modifier || slot.identifier || slot.values || fill.slot.type !== undefined) continue
    const wrong = misfit(fill.slot.name, tokens, fill.start, fill.end, own.get(pattern.route) ?? NONE, before?.kind === 'word' && before.det !== undefined)
    if (wrong !== undefined) return object('other-object', `"${wrong}" is another kind of thing than {${fill.slot.name}} is for`, false)
  }
  return undefined
}

/** "... return the sandals" after other words is more likely a request than "... return values". */
function definiteFill(alignment: Alignment, tokens: readonly Token[]): boolean {
  const fill = alignment.fills[0]
  const first = fill ? tokens[fill.start] : undefined
  if (!fill || !first) return false
  const named = (first.capital && fill.end - fill.start <= 3) || hasTag(first.norm, 'FirstName', 'MaleName', 'FemaleName', 'Person') || !(isWord(first.norm) || inDictionary(first.norm))
  return named || /^(?:the|my|our|this|that|\p{N}.*)$/u.test(first.norm) || NUMBER_WORDS.has(first.norm)
}

function startsClause(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.pause !== 'space' && tokens[at]?.pause !== 'glue'
}

/** Readings that are too thin to act on. */
function doubtful(alignment: Alignment): Objection | undefined {
  const { pattern } = alignment
  if (pattern.paraphrase && (pattern.content < 2 || alignment.slips > 0)) return object('similar', 'another verb, and too little else to be sure', false)
  if (alignment.slips > 1 && alignment.slips >= pattern.needs.length && alignment.unsure > 0) return object('left-over', 'too many slips to be sure', false)
  return undefined
}
