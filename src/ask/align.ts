/** Aligns a pattern with the words of a text, one element after the other. */
import type { Alignment, Reading, SlotFill, State } from './alignment.ts'
import { restartOf } from './corrections.ts'
import { isBaseVerb } from './english.ts'
import { meantAt } from './false-starts.ts'
import { isName, isSo } from './heard.ts'
import { kindsOf } from './kinds.ts'
import type { Hit } from './lattice.ts'
import type { Element, Pattern } from './patterns.ts'
import { joinedWords } from './phrases-at.ts'
import { asideOf, isDefinite, pointsAt, repairsOf, saidAgain } from './repairs.ts'
import type { Token } from './tokens.ts'
import { LIGHT_VERBS } from './words/actions.ts'
import { ARTICLES, DEFINITE, EMPHATIC, INDEFINITE, INSIDE, INSIDE_PHRASES, PARTICLE, PREPOSITION } from './words/classes.ts'
import { BETWEEN_LIST, PREFIXES, PREFIX_LIST } from './words/prefixes.ts'

export type { Alignment, Reading, SlotFill } from './alignment.ts'

const MAX_COST = 3.2

class Aligner {
  readonly #found: Alignment[] = []
  readonly #pattern: Pattern
  readonly #reading: Reading
  readonly #start: number

  constructor(pattern: Pattern, reading: Reading, start: number) {
    this.#pattern = pattern
    this.#reading = reading
    this.#start = start
  }

  run(): readonly Alignment[] {
    this.#step(0, this.#start, { cost: 0, fills: [], steps: [], form: 'base', slips: 0, unsure: 0, rough: 0, loose: 0, exact: 0 })
    return this.#found
  }

  #step(element: number, at: number, state: State): void {
    if (state.cost > MAX_COST || this.#reading.budget.left-- <= 0) return
    const next = this.#pattern.elements[element]
    if (!next) { this.#done(at, state); return }
    if (next.kind === 'pause') { this.#pause(next, element, at, state); return }
    const token = this.#reading.tokens[at]
    if (!token) {
      if (next.kind === 'back' && !next.must) this.#step(element + 1, at, state)
      return
    }
    if (at > this.#start) {
      if (token.pause === 'hard') {
        if (next.kind === 'back' && !next.must) this.#step(element + 1, at, state)
        return
      }
      this.#skips(element, at, state)
    }
    this.#match(next, element, at, state)
  }

  #pause(next: { readonly must: boolean, readonly comma?: boolean }, element: number, at: number, state: State): void {
    const pause = this.#reading.tokens[at]?.pause
    if (next.must && pause !== 'colon' && !(next.comma === true && pause === 'soft')) return
    this.#step(element + 1, at, { ...state, cost: state.cost + 0.1 })
    for (const length of BETWEEN_LIST.lengthsAt(this.#reading.tokens, at, this.#reading.tokens.length)) this.#step(element + 1, at + length, { ...state, cost: state.cost + 0.3, pointed: true })
    // "my card, can you freeze it": wrappers may stand between the object and its verb.
    for (const length of PREFIX_LIST.lengthsAt(this.#reading.tokens, at, this.#reading.tokens.length)) {
      const phrase = joinedWords(this.#reading.tokens, at, at + length)
      const kind = PREFIXES.get(phrase)
      if (kind === 'base' || kind === 'particle') this.#step(element, at + length, { ...state, cost: state.cost + 0.1, steps: [...state.steps, `wrapper "${phrase}"`] })
    }
  }

  #match(next: Element, element: number, at: number, state: State): void {
    const { tokens } = this.#reading
    const token = tokens[at] as Token
    const pauseCost = at > this.#start && (token.pause === 'soft' || token.pause === 'colon') ? 0.3 : 0
    const paid = pauseCost > 0 ? { ...state, cost: state.cost + pauseCost } : state
    if (next.kind === 'slot') { this.#slot(next, element, at, paid); return }
    if (next.kind === 'back') { this.#back(next.must, element, at, paid); return }
    if (next.kind === 'synonym') { this.#synonym(next, element, at, paid); return }
    if (next.kind !== 'word') return
    const verb = this.#pattern.elements[element - 1]
    if (next.det && (token.norm === 'me' || token.norm === 'us') && verb?.kind === 'word' && verb.head === true) this.#step(element, at + 1, { ...paid, cost: paid.cost + 0.3 })
    if (next.det) { this.#determiner(next.det, element, at, paid); return }
    const previous = verb
    const follows = !(previous?.kind === 'word' && previous.det)
    const hit = this.#reading.lattice[at]?.get(next.word)
    if (hit) this.#word(next, hit, element, at, paid)
    if (hit?.longer) this.#word(next, hit.longer, element, at, paid)
    // "frontdoor" for "front door"
    const after = this.#pattern.elements[element + 1]
    const both = after?.kind === 'word' && !next.det && !after.det ? this.#reading.lattice[at]?.get(next.word + after.word) : undefined
    // "rollback plan": written as one it is a noun.
    const noun = both !== undefined && after?.kind === 'word' && PARTICLE.has(after.word) && next.head === true && this.#pattern.elements[element + 2]?.kind === 'slot' && !pointsAt(this.#reading.tokens[at + both.length])
    if (both && after?.kind === 'word' && !hit && !noun && !(both.verb === true && next.head === true) && !(both.how === 'sound' && both.length === 1 && token.norm.length < 5)) {
      const slipped = both.how === 'slip' || both.how === 'sound'
      this.#step(element + 2, at + both.length, { ...paid, cost: paid.cost + 0.3 + both.cost, slips: paid.slips + (slipped ? 1 : 0), unsure: paid.unsure + (slipped ? 1 : 0), rough: paid.rough + (both.rough === true ? 1 : 0), exact: paid.exact + (slipped ? 0 : 2), steps: [...paid.steps, `"${token.norm}" = "${next.word} ${after.word}"`] })
    }
    // "lock front door" / "lock the front door": a definite article may be added, never an indefinite one.
    if (follows && element > 0 && DEFINITE.has(token.norm) && !hit && !PREPOSITION.has(next.word) && !PARTICLE.has(next.word)) this.#step(element, at + 1, { ...paid, cost: paid.cost + 0.3 })
    if (EMPHATIC.has(token.norm) && element > 0) this.#step(element, at + 1, { ...paid, cost: paid.cost + 0.3 })
    if (/^(?:this|it|everything)$/.test(token.norm) && element === 1 && PREPOSITION.has(next.word) && !PARTICLE.has(next.word)) this.#step(element, at + 1, { ...paid, cost: paid.cost + 0.4 })
    if ((token.norm === 'me' || token.norm === 'us') && previous?.kind === 'word' && previous.head === true && !hit) this.#step(element, at + 1, { ...paid, cost: paid.cost + 0.4 })
    if (token.norm === 'up' && element === 1 && !hit) this.#step(element, at + 1, { ...paid, cost: paid.cost + 0.5 })
  }

  #word(next: Extract<Element, { kind: 'word' }>, hit: Hit, element: number, at: number, state: State): void {
    const verb = next.head === true || this.#pattern.form !== undefined
    const isForm = hit.how === 'form'
    let form = state.form
    let cost = state.cost + hit.cost
    if (isForm && hit.form !== 's' && verb && form === 'base') {
      form = hit.form === 'ing' ? 'ing' : 'ed'
      cost -= hit.cost
    } else if (isForm && hit.form === 's') {
      // One and many are not the same thing, and "locks" is not an order.
      if (verb) return
      cost += 1.2
    } else if (isForm) {
      // "start running" is no way to say "start the run".
      if (hit.form === 'ed' && element === 1 && isBaseVerb(next.word) && kindsOf(next.word) === undefined) return
      if (hit.form === 'ing' && this.#pattern.elements[element - 1]?.kind === 'word' && (this.#pattern.elements[element - 1] as { det?: string }).det !== undefined) return
      cost += 0.7
    }
    const slipped = hit.how === 'slip' || hit.how === 'sound'
    if (hit.how === 'exact' && isSo(this.#reading.tokens[at], next.word, this.#pattern.elements[element + 1])) return
    if (hit.verb === true && next.head === true) return
    if (slipped && isName(this.#reading.tokens, at, at + hit.length)) return
    if (slipped && (next.word.length < 3 || (at > this.#start && this.#reading.tokens[at]?.pause === 'soft'))) return
    const steps = hit.how === 'exact' ? state.steps : [...state.steps, `${hit.how} "${joinedWords(this.#reading.tokens, at, at + hit.length)}" = "${next.word}"`]
    this.#step(element + 1, at + hit.length, { ...state, cost, form, steps, slips: state.slips + (slipped ? 1 : 0), unsure: state.unsure + (slipped && hit.sure !== true ? 1 : 0), rough: state.rough + (hit.rough === true ? 1 : 0), loose: state.loose + (slipped && hit.typical !== true && !(hit.how === 'slip' && hit.sure === true && next.word.length >= 6) ? 1 : 0), exact: state.exact + ((slipped && !(hit.how === 'slip' && hit.sure === true && next.word.length >= 5)) || ARTICLES.has(next.word) || PREPOSITION.has(next.word) ? 0 : 1) })
  }

  #determiner(det: 'definite' | 'indefinite', element: number, at: number, state: State): void {
    const norm = this.#reading.tokens[at]?.norm ?? ''
    const own = this.#pattern.elements[element]
    const same = own?.kind === 'word' && own.word === norm
    const agrees = det === 'definite' ? DEFINITE.has(norm) : INDEFINITE.has(norm)
    if (same || agrees) this.#step(element + 1, at + 1, { ...state, cost: state.cost + (same ? 0 : 0.2) })
    // Left out, as in headlines and in haste; another kind of determiner is another thing.
    if (!agrees) this.#step(element + 1, at, { ...state, cost: state.cost + 0.35 })
  }

  #back(needed: boolean, element: number, at: number, state: State): void {
    const norm = this.#reading.tokens[at]?.norm ?? ''
    if (/^(?:it|them|that|this|him|her|these|those|one)$/.test(norm)) {
      this.#step(element + 1, at + 1, state)
      // "open them up": it only rounds the verb off, unless the verb means something else with it.
      const verb = this.#reading.tokens[at - 1]?.norm ?? ''
      if (this.#reading.tokens[at + 1]?.norm === 'up' && element === this.#pattern.elements.length - 1 && !LIGHT_VERBS.has(verb) && !/^(?:turn|hold|take|pick|call|look|hang|pull|let|set|ring|back|cheer|mix|blow|beat)$/.test(verb)) this.#step(element + 1, at + 2, { ...state, cost: state.cost + 0.2 })
    }
    if (/^(?:that|this)$/.test(norm) && this.#reading.tokens[at + 1]?.norm === 'one') this.#step(element + 1, at + 2, state)
    if (!needed || state.pointed === true) this.#step(element + 1, at, { ...state, cost: state.cost + 0.3 })
  }

  #synonym(next: Extract<Element, { kind: 'synonym' }>, element: number, at: number, state: State): void {
    for (const length of next.words.lengthsAt(this.#reading.tokens, at, this.#reading.tokens.length)) {
      const said = this.#reading.tokens.slice(at, at + length).map(token => token.norm).join(' ')
      this.#step(element + 1, at + length, { ...state, cost: state.cost + 1, steps: [...state.steps, `"${said}" for "${next.of}"`], exact: state.exact + 1 })
    }
  }

  #slot(next: Extract<Element, { kind: 'slot' }>, element: number, at: number, state: State): void {
    // "kick-ass", "check-in": one word, and not a verb with its object.
    const opening = this.#reading.tokens[at]
    if (at > this.#start && opening?.before === '-') return
    // "Renew: a journal": a heading, unless a message follows.
    if (this.#pattern.bare && !next.clausal && at === this.#start + 1 && opening?.pause === 'colon' && /^an?$/.test(opening.norm)) return
    // "unlock, ride, dock": a list of verbs.
    if (this.#pattern.bare && at === this.#start + 1 && opening?.pause === 'soft' && /^, ?$/.test(opening.before) && isBaseVerb(opening.norm) && !opening.capital) return
    const rest = this.#pattern.elements.slice(element + 1).filter(item => item.kind !== 'pause' && !(item.kind === 'back' && !item.must))
    const last = rest.length === 0
    const follows = this.#pattern.elements[element + 1]
    const fixed = follows?.kind === 'word' && !follows.det ? follows.word : undefined
    const { lattice, edits } = this.#reading
    // Most ends are ruled out by the word that must follow, a filler or two aside.
    const may = (end: number): boolean => fixed === undefined || lattice[end]?.has(fixed) === true || lattice[end + 1]?.has(fixed) === true || lattice[end + 2]?.has(fixed) === true || edits.has(end) || this.#pairs(end, element + 1)
    for (const end of this.#reading.slotEnds(next, at, last, may)) {
      this.#step(element + 1, end, { ...state, cost: state.cost + 0.01 * (end - at) + (end === at + 1 && /^(?:him|her|them)$/.test(this.#reading.tokens[at]?.norm ?? '') ? 0.6 : 0), fills: [...state.fills, { slot: next.slot, clausal: next.clausal, possessive: next.possessive === true, start: at, end, last }] })
    }
  }

  #pairs(at: number, element: number): boolean {
    const [first, second] = [this.#pattern.elements[element], this.#pattern.elements[element + 1]]
    return first?.kind === 'word' && second?.kind === 'word' && this.#reading.lattice[at]?.has(first.word + second.word) === true
  }

  /** Fillers, stutter, restarts and corrections between two words of the request. */
  #skips(element: number, at: number, state: State): void {
    const { tokens, edits, lattice } = this.#reading
    const token = tokens[at] as Token
    const previous = tokens[at - 1]
    if (INSIDE.has(token.norm) && !this.#reading.lattice[at]?.has(this.#wanted(element))) this.#step(element, at + 1, { ...state, cost: state.cost + 0.2, steps: [...state.steps, `filler "${token.norm}"`] })
    if (previous && previous.norm === token.norm) this.#step(element, at + 1, { ...state, cost: state.cost + 0.2, steps: [...state.steps, `stutter "${token.norm}"`] })
    for (const length of INSIDE_PHRASES.lengthsAt(tokens, at, tokens.length)) {
      this.#step(element, at + length, { ...state, cost: state.cost + 0.3, steps: [...state.steps, `filler "${joinedWords(tokens, at, at + length)}"`] })
    }
    const closed = asideOf(tokens, at)
    if (closed !== undefined) this.#step(element, closed, { ...state, cost: state.cost + 0.4, steps: [...state.steps, `aside "${joinedWords(tokens, at, closed)}"`] })
    // "the, um, picture books": the article waits for the name.
    if (this.#pattern.elements[element]?.kind === 'slot' && DEFINITE.has(token.norm) && tokens[at + 1]?.pause === 'soft' && INSIDE.has(tokens[at + 1]?.norm ?? '') && tokens[at + 2]?.pause === 'soft') this.#step(element, at + 2, { ...state, cost: state.cost + 0.4, steps: [...state.steps, `filler "${tokens[at + 1]?.norm ?? ''}"`] })
    const meant = meantAt(tokens, lattice, at, this.#wanted(element))
    if (meant !== undefined) this.#step(element, meant, { ...state, cost: state.cost + 0.5, steps: [...state.steps, `false start "${token.norm}"`] })
    const again = restartOf(tokens, at)
    if (again !== undefined) this.#step(element, again, { ...state, cost: state.cost + 0.4, steps: [...state.steps, `restart at "${token.norm}"`] })
    const next = this.#pattern.elements[element]
    // "card found, no freeze": the verb that a bare "no" stands before is denied.
    const denied = next?.kind === 'word' && next.head === true
    for (let ahead = 1; ahead <= 7; ahead++) {
      const after = edits.get(at + ahead)
      if (denied && after !== undefined && tokens[at + ahead]?.pause === 'hard') break
      if (denied && after === at + ahead + 1 && tokens[at + ahead]?.norm === 'no' && tokens[after]?.pause === 'space') continue
      // What a message says is not corrected on its sender's behalf, unless its own words show it.
      const holds = next?.kind === 'slot' && next.clausal && tokens[after ?? 0]?.norm !== token.norm
      const told = tokens.slice(at, at + ahead).some((item, i) => i > 0 && /^(?:is|are|was|were)$/.test(item.norm))
      if (after !== undefined && !told && !holds && !edits.has(at + ahead - 1)) this.#step(element, after, { ...state, cost: state.cost + 0.2 + 0.1 * ahead, steps: [...state.steps, `correction "${tokens.slice(at, at + ahead).map(item => item.norm).join(' ')}" dropped`] })
      if (tokens[at + ahead]?.pause === 'hard') break
    }
  }

  #wanted(element: number): string {
    const next = this.#pattern.elements[element]
    return next?.kind === 'word' ? next.word : ''
  }

  #corrected(end: number, state: State): void {
    const last = state.fills.at(-1)
    for (const { start, end: to } of last ? repairsOf(this.#pattern, this.#reading, end, state.fills) : []) {
      this.#keep(to, { ...state, cost: state.cost + 0.3, fills: [...state.fills.slice(0, -1), { ...last as SlotFill, start, end: to, last: true }], steps: [...state.steps, 'its value corrected'] })
    }
    const again = saidAgain(this.#pattern, this.#reading, end)
    if (again !== undefined) this.#keep(again, { ...state, cost: state.cost + 0.3, steps: [...state.steps, 'its end said again'] })
  }

  #keep(end: number, state: State): void {
    this.#found.push({ pattern: this.#pattern, start: this.#start, end, cost: state.cost, fills: state.fills, form: state.form, steps: state.steps, slips: state.slips, unsure: state.unsure, exactContent: state.exact })
  }

  #done(end: number, state: State): void {
    const pattern = this.#pattern
    if (state.unsure > 0 && state.exact < 1) return
    if (state.loose > 0 && pattern.bare && pattern.needs.length === 1 && !(state.unsure === 0 && isDefinite(this.#reading.tokens, state.fills))) return
    if (state.rough > 1 || (state.rough === 1 && (pattern.bare || pattern.paraphrase || state.unsure > 1))) return
    this.#corrected(end, state)
    this.#keep(end, state)
  }
}

/** All ways in which the pattern fits the text from this word on. */
export function align(pattern: Pattern, reading: Reading, start: number): readonly Alignment[] {
  return new Aligner(pattern, reading, start).run()
}
