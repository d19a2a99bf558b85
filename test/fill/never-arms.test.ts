import { describe, expect, test } from 'vitest'
import { args, capture, object, say } from './say.ts'

describe('nothing that the filler gives can arm', () => {
  test.each([
    ['send it, true, yes', { send: { type: 'boolean' } }],
    ['yes, confirm', { confirm: { const: true } }],
    ['yes, confirm', { confirm: { enum: [true] } }],
    ['yes, confirm', { confirm: { type: 'boolean', not: { const: false } } }],
    ['send it', { action: { type: 'string', enum: ['send'] } }],
    ['send it', { action: { type: 'string', enum: ['read', 'send'] } }],
    ['delete them', { method: { type: 'string', enum: ['get', 'delete'] } }],
    ['no dry run please', { dry_run: { type: 'boolean' } }],
    ['verbose, please: true', { verbose: { type: 'boolean' } }],
  ])('fill:never-arms: "%s" leaves it to a preset or a person', (text, properties) => {
    expect(say(object(properties), text)).toMatchObject({ kind: 'unfilled', filled: [] })
  })

  test.each([
    ['list all', 'query', 'all', { type: 'string' }],
    ['list *', 'query', '*', { type: 'string' }],
    ['tell everyone', 'to', 'everyone', { type: 'string' }],
    ['say yes', 'confirm', 'yes', { type: 'string' }],
    ['make it -1', 'limit', '-1', { type: 'integer' }],
    ['in all states', 'state', 'all', { type: 'string', enum: ['open', 'all'] }],
    ['do run it off', 'dry_run', 'off', { type: 'string' }],
    ['to bob and everyone', 'to', 'bob and everyone', { type: 'array', items: { type: 'string' } }],
    ['then delete', 'steps', 'delete', { type: 'array', items: { type: 'string', enum: ['read', 'delete'] } }],
  ])('fill:never-arms: in "%s" the slot {%s} says "%s", which widens or arms', (text, name, said, schema) => {
    expect(args(say(object({ [name]: schema }), text, { captures: [capture(text, name, said)] }))).toBe(`unfilled /${name} arming`)
  })

  test('fill:never-arms: no default of the schema is copied', () => {
    const schema = object({ to: { type: 'string', default: 'team@example.org' }, notify: { type: 'boolean', default: true }, limit: { type: 'integer', default: 10 } }, { required: [] })
    expect(args(say(schema, 'hello'))).toEqual({})
  })

  test('fill:never-arms: a required armed key tells that only a preset may give it', () => {
    expect(say(object({ confirm: { const: true } }), 'yes')).toMatchObject({ question: expect.stringContaining('preset or a person') as string })
  })

  test('fill:never-arms: a list entry that stands for a boolean gives none', () => {
    const more = { lists: new Map([['l', [{ in: ['sure'], out: true }]]]), synonyms: new Map([['state', 'l']]) }
    expect(args(say(object({ state: { enum: ['low', true] } }), 'sure', more))).toBe('unfilled /state missing')
    expect(args(say(object({ state: { enum: ['low', true] } }), 'sure', { ...more, captures: [capture('sure', 'state', 'sure', { list: 'l' })] }))).toBe('unfilled /state arming')
  })

  test('words that only look like an effect are filled', () => {
    expect(args(say(object({ postal_code: { type: 'string' } }), 'to 10115', { captures: [capture('to 10115', 'postal_code', '10115')] }))).toEqual({ postal_code: '10115' })
    expect(args(say(object({ state: { type: 'string', enum: ['open', 'closed'] } }), 'the closed ones'))).toEqual({ state: 'closed' })
    expect(args(say(object({ order: { type: 'integer' } }), 'order 1'))).toEqual({ order: 1 })
  })
})
