import { describe, expect, test } from 'vitest'
import { object, say } from './say.ts'

describe('what to ask', () => {
  test.each<readonly [string, Parameters<typeof object>[0][string], string]>([
    ['invoice_id', { type: 'string' }, 'Which invoice?'], ['invoice', { type: 'string' }, 'Which invoice?'], ['id', { type: 'string' }, 'Which id?'], ['file_name', { type: 'string' }, 'Which file?'], ['day', { type: 'string', format: 'date' }, 'Which day?'], ['time', { type: 'string', format: 'time' }, 'At what time?'], ['when', { type: 'string', format: 'date-time' }, 'When?'],
    ['due_date', { type: 'string', format: 'date' }, 'Which due date?'], ['to', { type: 'string', format: 'email' }, 'To which e-mail address?'], ['duration', { type: 'number' }, 'How long?'], ['minutes', { type: 'integer' }, 'How long: minutes?'], ['wait', { type: 'string', format: 'duration' }, 'How long: wait?'], ['price', { type: 'number' }, 'How much: price?'], ['', { type: 'string' }, 'Which value?'], ['level', { enum: ['low', 'high'] }, 'Which level?'], ['wrapped', { type: 'boolean' }, 'Yes or no: wrapped?'],
  ])('%s', (name, schema, question) => {
    expect(say(object({ [name]: schema ?? {} }), 'please')).toMatchObject({ kind: 'unfilled', question })
  })
  test.each<readonly [string, Parameters<typeof object>[0][string], string, string]>([
    ['n', { type: 'integer' }, '1, 2 and 3', 'Which n: 1, 2 or 3?'], ['price', { type: 'number' }, '$1, $2, $3, $4 and $5', 'How much: 1, 2, 3 or 4?'], ['level', { enum: ['low', 'high'] }, 'low, high', 'Which level: "low" or "high"?'], ['when', { type: 'string', format: 'date' }, 'on 4 december or else on 7 december', 'Which day: "2026-12-04" or "2026-12-07"?'],
  ])('two candidates for %s are named', (name, schema, text, question) => {
    expect(say(object({ [name]: schema ?? {} }), text)).toMatchObject({ kind: 'unfilled', question, empty: [{ reason: 'two-candidates' }] })
  })
  test('names and values from outside stay on their line', () => {
    const filled = say(object({ 'a\u2028\u202Eb': { type: 'integer' } }), 'x')
    expect(filled.kind === 'unfilled' && filled.question).toMatch(/^Which [^\n\u2028\u202E]*\?$/)
  })
})
