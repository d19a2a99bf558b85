import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeHtml, html } from '../../src/console/html.ts'
import { markedWords, shownText, type Mark } from '../../src/console/words.ts'
import { words } from './support/page.ts'

const HOSTILE = fc.oneof(
  fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }),
  fc.constantFrom('<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '\u202Egnp.exe', 'a\u200Bb', '</textarea>', '&lt;b&gt;', '\'onmouseover=\'x', 'javascript:alert(1)', '\uD800', '\0', '<!--', ']]>', '\u2028'),
)

test('whatever is put in is text: no tag, no quote, no reordering or invisible character comes out of it', () => {
  fc.assert(fc.property(HOSTILE, text => {
    const made = html`<p title="${text}">${text}</p>`.text
    expect(made.match(/[<>]/g)).toHaveLength(4)
    expect(made.match(/"/g)).toHaveLength(2)
    expect(made).not.toMatch(/[\u200B-\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029\0\uFEFF]/)
  }), { seed: 9, numRuns: 1000 })
})

test('parts: html stays, lists are joined, nothing shows as nothing, and numbers are numbers', () => {
  expect(html`<b>${html`<i>${'<'}</i>`}${[html`x`, 'y&']}${undefined}${false}${7}</b>`.text).toBe('<b><i>&lt;</i>xy&amp;7</b>')
  expect(escapeHtml('a "b" \'c\' & <d>')).toBe('a &quot;b&quot; &#39;c&#39; &amp; &lt;d&gt;')
})

describe('an event\'s words', () => {
  const mark = (kind: Mark['kind'], label: string, start: number, end: number): Mark => ({ kind, label, span: { start, end } })

  test('the clause that asks is underlined, and each argument stands in brackets with its name', () => {
    const made = markedWords('please take a note: buy milk, thanks', [mark('ask', 'asks', 7, 28), mark('arg', 'text', 20, 28)]).text
    expect(made).toBe('please <mark class="ask">take a note: </mark><mark class="ask arg"><span class="tag">[text:</span>buy milk<span class="tag">]</span></mark>, thanks')
  })
  test('arguments that overlap keep both of their names', () => {
    expect(words(markedWords('at nine on monday', [mark('arg', 'when', 3, 17), mark('arg', 'day', 11, 17)]).text)).toBe('at [when: nine on [day: monday ] ]')
  })
  test('a mark of which nothing is shown is left out, and one that is cut ends with the text', () => {
    expect(words(markedWords('short', [mark('arg', 'a', 2, 900), mark('arg', 'b', 40, 50), mark('arg', 'c', 3, 3), mark('arg', 'd', -1, 2)]).text)).toBe('sh [a: ort ]')
  })
  test('nothing of the text is lost or added, whatever the marks are', () => {
    const marks = fc.array(fc.tuple(fc.constantFrom<'ask' | 'arg'>('ask', 'arg'), fc.nat(40), fc.nat(40)), { maxLength: 6 })
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'ab<>&"\' é') , maxLength: 30 }), marks, (text, list) => {
      const made = markedWords(text, list.map(([kind, start, length]) => mark(kind, 'x', start, start + length))).text
      const back = made.replace(/<span class="tag">[^<]*<\/span>/g, '').replace(/<[^>]*>/g, '').replace(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': '\'' })[name] ?? '')
      expect(back).toBe(text)
    }), { seed: 9, numRuns: 500 })
  })
  test('an escape is told apart from the same characters typed, and a line break stays one', () => {
    expect(shownText('a\u202Eb').text).toBe('a<span class="esc">\\u202e</span>b')
    expect(shownText('a\\u202eb').text).toBe('a\\u202eb')
    expect(shownText('a\nb').text).toBe('a<span class="esc">↵</span>\nb')
  })
})
