/** Decides about one alignment: what stands around it, in which form it is said, what its slots hold. */
import type { Alignment } from './align.ts'
import { wrongValue } from './amounts.ts'
import { readAfter, readBefore } from './around.ts'
import { conditionInFront, deniedAlone, toldOf } from './denials.ts'
import { readLeft, type LeftFrame } from './left.ts'
import { inside, type Masks } from './mask.ts'
import { messageObjection } from './messages.ts'
import { joinedWords } from './phrases-at.ts'
import { readRight, type RightFrame } from './right.ts'
import { definiteFill, looseObject } from './loose-object.ts'
import { misfit } from './slot-kinds.ts'
import { tailObjection } from './tails.ts'
import type { Token } from './tokens.ts'
import { object, type Objection } from './verdict.ts'
import { ARTICLES, AUX, PREPOSITION, SUBJECT } from './words/classes.ts'
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
  readonly own: (route: string) => ReadonlySet<string> | undefined
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
  // "cancel the print (remix)", "... [solved]": what a title or a subject line is marked with.
  if (next && /[([]$/.test(next.before) && /[)\]]/.test(tokens[end + 1]?.before ?? text.slice(next.end)) && /^(?:song|remix|live|official|video|lyrics?|acoustic|instrumental|karaoke|single|album|solved|closed|fixed|wip|draft)$/.test(next.norm)) return object('mention', 'it is marked like a title')
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

/** A trigger that is a question itself ("which files are in {folder}") is asked as one. */
const INTERROGATIVE = /^(?:what|what's|whats|which|who|who's|whose|where|where's|wheres|when|why|how|how's|is|are|was|were|does|do|did|has|have|had|will)$/

function asksBack(alignment: Alignment, scene: Scene, left: LeftFrame, right: RightFrame): Objection | undefined {
  const first = alignment.pattern.elements[0]
  if (first?.kind === 'word' && INTERROGATIVE.test(first.word)) return undefined
  // "do we need eggs": a trigger that tells what is needed, turned round.
  const inverts = scene.tokens[alignment.start - 1]
  if (first?.kind === 'word' && SUBJECT.has(first.word) && inverts && scene.tokens[alignment.start]?.pause === 'space' && AUX.has(inverts.norm)) return object('question', `"${inverts.norm} ${first.word} ..." asks a question`)
  if (left.asked) {
    // "can you announce things in one room, or is it always every speaker?": a question about what is possible.
    const choice = scene.tokens.findIndex((token, at) => at >= alignment.start && token.norm === 'or' && /^(?:is|are|do|does|did|only|not|will|just|both|what|how|when)$/.test(scene.tokens[at + 1]?.norm ?? ''))
    return choice > 0 && scene.tokens.slice(choice).some(token => token.asks) ? object('question', 'it asks which of two is so') : undefined
  }
  for (let at = alignment.end - 1; at < scene.tokens.length; at++) {
    const token = scene.tokens[at]
    if (!token || (at >= alignment.end && token.pause === 'hard')) return undefined
    if (!token.asks || inside(scene.masks.quotes, token.start, token.end)) continue
    if (SUFFIXES.lengthsAt(scene.tokens, at + 1, scene.tokens.length).some(length => at + 1 + length === scene.tokens.length && /please|pls|thank|^(?:yes|yep|yeah)$/.test(joinedWords(scene.tokens, at + 1, scene.tokens.length)))) return undefined
    if (at === alignment.end - 1) return passesOnQuestion(alignment, scene.tokens) ? undefined : object('question', 'it ends as a question')
    const next = scene.tokens.slice(alignment.end, at + 1).find((item, i) => i === 0 || item.pause === 'soft')?.norm ?? ''
    if (!right.final) return /^(?:what|which|who|why|how|when|where|is|are|does|did|do)$/.test(next) ? object('question', 'a question goes with it', false) : undefined
    return right.steps.some(step => /you|ya|please|yeah|ok|right/.test(step) && !step.endsWith('"right"')) ? undefined : object('question', 'it ends as a question')
  }
  return undefined
}

/** "tell reception did a courier call?": the message asks, and not who sends it. */
function passesOnQuestion({ fills, end }: Alignment, tokens: readonly Token[]): boolean {
  const fill = fills.at(-1)
  if (!fill?.clausal || fill.end !== end || end - fill.start < 3) return false
  const [first, second] = [tokens[fill.start]?.norm ?? '', tokens[fill.start + 1]?.norm ?? '']
  return /^(?:is|are|was|were|did|does|do|has|have|can|could|will|would|should|shall|may|any|anyone|anybody)$/.test(first) || (/^(?:what|what's|who|who's|where|where's|when|when's|why|how|how's|which)$/.test(first) && (AUX.has(second) || first.endsWith('\'s') || /^(?:many|much|long|far|often|about)$/.test(second)))
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
  const objection = masked(alignment, scene) ?? headed(alignment, scene) ?? distant(alignment, scene, from) ?? left.objection ?? wrongForm(alignment, left) ?? right.objection ?? asksBack(alignment, scene, left, right) ?? looseObject(alignment, tokens)
    ?? (alignment.pattern.how.endsWith('first') && alignment.pattern.elements[0]?.kind !== 'word' && !left.whole && !startsClause(tokens, alignment.start) ? object('left-over', 'what stands before it is not accounted for', false) : undefined)
    ?? (alignment.pattern.how === 'place first' && !left.whole && !startsClause(tokens, alignment.start) ? object('left-over', 'what stands before it is not accounted for', false) : undefined)
    ?? ((left.runOn || (!left.whole && alignment.pattern.needs.length === 1 && tokens.slice(from, alignment.start).some(token => token.camel || token.norm.includes('_')))) && alignment.pattern.bare && !definiteFill(alignment, tokens) ? object('left-over', 'words before it are not accounted for', false) : undefined)
    ?? (left.steps.some(step => /"you (?:can|may)"$/.test(step)) && !right.steps.some(step => /now|please|thank/.test(step)) ? object('mention', 'it says what may be done') : undefined)
    ?? (left.weak && !right.final ? object('left-over', 'words before it and after it are not accounted for', false) : undefined)
    ?? wrongKind(alignment, scene)
    ?? tailObjection(alignment, tokens)
    ?? messageObjection(alignment, tokens)
    ?? leavesChoice(alignment, tokens)
    ?? toldState(alignment, tokens)
    ?? ownSubject(alignment, tokens)
    ?? deniedNoun(alignment, tokens, from)
    ?? deniedAlone(alignment, tokens, from)
    ?? toldOf(alignment, tokens, from)
    ?? conditionInFront(alignment, tokens)
    ?? (alignment.steps.includes('filler "what"') && /^(?:tell|show|read|let|ask)$/.test(tokens[alignment.start]?.norm ?? '') ? object('question', '"what" asks to be told', false) : undefined)
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
  return verb > 0 && tokens.slice(verb + 1, end).every(token => /^(?:just|now|already|again|today|earlier|yesterday)$/.test(token.norm)) && tokens[verb]?.pause === 'space' && pattern.needs.includes(tokens[verb]?.norm ?? '') ? object('report', 'it may tell what was done', false) : undefined
}

/** "give me a minute while I upload it": what the slot in front took ends with who does it. */
function ownSubject({ pattern, fills, start }: Alignment, tokens: readonly Token[]): Objection | undefined {
  const front = pattern.how === 'object first' ? fills.find(fill => fill.start === start && fill.end > fill.start + 1) : undefined
  const last = front && tokens[front.end - 1]
  return last && SUBJECTS.has(last.norm) && tokens[front.end]?.pause === 'space' ? object('mention', `"${last.norm}" is the one who does it`, false) : undefined
}

const SUBJECTS: ReadonlySet<string> = new Set(['i', 'we', 'he', 'she', 'they', 'who', 'somebody', 'someone', 'nobody', 'everybody', 'everyone'])

/** "no comment he said": a noun that nothing is asked with. */
function deniedNoun(alignment: Alignment, tokens: readonly Token[], from: number): Objection | undefined {
  const { pattern, start } = alignment
  const denied = pattern.bare && start - 1 === from && tokens[from]?.norm === 'no' && tokens[start]?.pause === 'space'
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
    const wrong = misfit(fill.slot.name, tokens, fill.start, fill.end, own(pattern.route) ?? NONE, before?.kind === 'word' && before.det !== undefined)
    if (wrong !== undefined) return object('other-object', `"${wrong}" is another kind of thing than {${fill.slot.name}} is for`, false)
  }
  return undefined
}

function startsClause(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.pause !== 'space' && tokens[at]?.pause !== 'glue'
}

/** Readings that are too thin to act on. */
function doubtful(alignment: Alignment): Objection | undefined {
  const { pattern } = alignment
  if (pattern.paraphrase && (pattern.content < 2 || alignment.slips > 0)) return object('similar', 'another verb, and too little else to be sure', false)
  if (alignment.slips > 1 && alignment.slips >= pattern.needs.length && alignment.unsure > 1) return object('left-over', 'too many slips to be sure', false)
  return undefined
}
