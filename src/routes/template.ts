/**
 * The language of triggers, as Home Assistant's sentence templates have it: `[optional]`, `(a|b)`, `{slot}`, `{slot:type}`, `{slot:list}`,
 * `{slot:rest}`; brackets may nest, and `\` takes the next bracket or bar as it is.
 */
import type { Slot, SlotType } from '../types.ts'
import { quoted } from '../util/mask.ts'
import { ROUTE_CAPS } from './defaults.ts'
import { didYouMean } from './nearest.ts'

/** An alternative has a number, counted over the template in reading order, so that a dead one can be named. */
export interface Alternative { readonly id: number, readonly at: number, readonly end: number, readonly nodes: readonly TemplateNode[] }
export type TemplateNode =
  | { readonly kind: 'text', readonly text: string }
  | { readonly kind: 'slot', readonly slot: Slot }
  | { readonly kind: 'choice', readonly alternatives: readonly Alternative[], readonly optional: boolean }

export type Template =
  | { readonly kind: 'template', readonly nodes: readonly TemplateNode[], readonly alternatives: number }
  /** `at`: which character of the template, from 0. */
  | { readonly kind: 'bad', readonly at: number, readonly message: string }

export const SLOT_TYPES: readonly SlotType[] = ['rest', 'number', 'integer', 'duration', 'date', 'time', 'datetime', 'email', 'url', 'path', 'phone', 'money', 'word']
const SLOT_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/
const SPECIAL = '[](){}|\\'

class Bad extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

/** @param lists names of the lists that a slot may take its values from; a slot that bears a list's name takes that list */
export function parseTemplate(text: string, lists: ReadonlySet<string> = new Set()): Template {
  try {
    if (text.length > ROUTE_CAPS.triggerLength) throw new Bad(0, `the trigger has ${text.length} characters; ${ROUTE_CAPS.triggerLength} are the most`)
    return new Reader(text, lists).template()
  } catch (error) {
    if (!(error instanceof Bad)) throw error
    return { kind: 'bad', at: error.at, message: error.message }
  }
}

class Reader {
  private at = 0
  private nextId = 0
  private depth = 0
  private readonly text: string
  private readonly lists: ReadonlySet<string>

  constructor(text: string, lists: ReadonlySet<string>) {
    this.text = text
    this.lists = lists
  }

  template(): Template {
    const nodes = this.sequence()
    const stop = this.text[this.at]
    if (stop === '|') throw new Bad(this.at, 'a "|" stands outside of brackets; write (a|b), or \\| for the character')
    if (stop !== undefined) throw new Bad(this.at, `the "${stop}" closes nothing; take it out, or write \\${stop} for the character`)
    return { kind: 'template', nodes, alternatives: this.nextId }
  }

  /** Up to a bar, a closing bracket or the end. */
  private sequence(): TemplateNode[] {
    const nodes: TemplateNode[] = []
    let text = ''
    const flush = () => {
      if (text !== '') nodes.push({ kind: 'text', text })
      text = ''
    }
    for (;;) {
      const char = this.text[this.at]
      if (char === undefined || char === '|' || char === ')' || char === ']' || char === '}') break
      if (char === '\\') text += this.escaped()
      else if (char === '[' || char === '(') {
        flush()
        nodes.push(this.choice(char))
      } else if (char === '{') {
        flush()
        nodes.push(this.slot())
      } else {
        text += char
        this.at++
      }
    }
    flush()
    return nodes
  }

  private escaped(): string {
    const char = this.text[this.at + 1]
    if (char === undefined || !SPECIAL.includes(char)) throw new Bad(this.at, `a "\\" stands before ${char === undefined ? 'the end' : quoted(char)}; it may only stand before one of ${[...SPECIAL].join(' ')}`)
    this.at += 2
    return char
  }

  private choice(open: '[' | '('): TemplateNode {
    const from = this.at
    const close = open === '[' ? ']' : ')'
    if (++this.depth > ROUTE_CAPS.triggerDepth) throw new Bad(from, `brackets are nested more than ${ROUTE_CAPS.triggerDepth} deep; write two triggers instead`)
    const alternatives: Alternative[] = []
    do {
      const at = ++this.at
      const id = this.nextId++
      const nodes = this.sequence()
      if (nodes.length === 0) throw new Bad(at, open === '[' ? 'an empty alternative; take it out' : 'an empty alternative; write [a] or [a|b] where it may be left out')
      alternatives.push({ id, at, end: this.at, nodes })
    } while (this.text[this.at] === '|')
    if (this.text[this.at] !== close) throw new Bad(from, `the "${open}" is not closed; write ${close} after it, or \\${open} for the character`)
    this.at++
    this.depth--
    return { kind: 'choice', alternatives, optional: open === '[' }
  }

  private slot(): TemplateNode {
    const from = this.at
    const end = this.text.indexOf('}', from)
    if (end < 0) throw new Bad(from, 'the "{" is not closed; write {name}, or \\{ for the character')
    const inner = this.text.slice(from + 1, end)
    const colon = inner.indexOf(':')
    const name = (colon < 0 ? inner : inner.slice(0, colon)).trim()
    if (!SLOT_NAME.test(name)) throw new Bad(from, `the slot name ${quoted(name)} must be letters, digits and _, and begin with a letter, like {text:rest}`)
    this.at = end + 1
    if (colon < 0) return { kind: 'slot', slot: this.lists.has(name) ? { name, list: name } : { name } }
    return { kind: 'slot', slot: { name, ...this.kindOf(inner.slice(colon + 1).trim(), from + colon + 2) } }
  }

  private kindOf(kind: string, at: number): Pick<Slot, 'type' | 'list'> {
    const type = SLOT_TYPES.find(known => known === kind)
    if (type) return { type }
    if (this.lists.has(kind)) return { list: kind }
    const known = [...SLOT_TYPES, ...this.lists]
    throw new Bad(at, `${quoted(kind)} is neither a type nor a list of this route${didYouMean(kind, known)}; types: ${SLOT_TYPES.join(', ')}${this.lists.size > 0 ? `; lists: ${[...this.lists].join(', ')}` : ''}`)
  }
}
