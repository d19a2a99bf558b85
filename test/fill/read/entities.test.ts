import { describe, expect, test } from 'vitest'
import { readEmails, readPaths, readPhones, readUrls, readUuids } from '../../../src/fill/read/entities.ts'
import type { Reading } from '../../../src/fill/read/reading.ts'

function values(read: (text: string) => readonly Reading[], text: string): readonly unknown[] {
  return read(text).map(({ value, start, end }) => { expect(text.slice(start, end)).toBe(value); return value })
}

describe('the value is the very characters', () => {
  test.each<readonly [string, readonly string[]]>([
    ['to bob@example.org.', ['bob@example.org']], ['<a.b+c@mail.example.co.uk>', ['a.b+c@mail.example.co.uk']], ['a@x.example, b@y.example', ['a@x.example', 'b@y.example']], ['jürgen@bücher.example', ['jürgen@bücher.example']], ['bob@localhost', []], ['@bob', []], ['bob at example.org', []], ['a@b@c.example', []],
  ])('e-mail: "%s"', (text, expected) => { expect(values(readEmails, text)).toEqual(expected) })

  test.each<readonly [string, readonly string[]]>([
    ['see https://example.org/a.', ['https://example.org/a']], ['(https://example.org/a_(b))', ['https://example.org/a_(b)']], ['https://example.org/?q=1&r=2!', ['https://example.org/?q=1&r=2']], ['"http://x.example"', ['http://x.example']], ['wss://x.example:8080/s', ['wss://x.example:8080/s']], ['[https://x.example]', ['https://x.example']], ['https://example.org/a?!.', ['https://example.org/a']], ['https://example.org/a).,', ['https://example.org/a']], ['https://example.org/(a)', ['https://example.org/(a)']], ['https://example.org/a))', ['https://example.org/a']], ['{https://x.example}', ['https://x.example']], ['example.org', []], ['javascript:alert(1)', []], ['xhttps://a.example', []],
  ])('URL: "%s"', (text, expected) => { expect(values(readUrls, text)).toEqual(expected) })

  test.each<readonly [string, readonly string[]]>([
    ['in /etc/hosts.', ['/etc/hosts']], ['~/notes/todo.md', ['~/notes/todo.md']], ['./a/b', ['./a/b']], ['../a', ['../a']], [String.raw`C:\temp\a.txt`, [String.raw`C:\temp\a.txt`]], ['src/main.ts', ['src/main.ts']], ['report.pdf', ['report.pdf']], ['my.notes.txt, now', ['my.notes.txt']], ['https://example.org/a/b', []], ['bob@example.org', []], ['/tmp/a https://x.example/b/c', ['/tmp/a']], ['https://x.example/b/c /tmp/a', ['/tmp/a']], ['a@x.example,/tmp/a', ['/tmp/a']], ['hello', []], ['v1.2', []], ['end.', []],
    ['"my file.txt"', ['my file.txt']], ['\u201Cmy file.txt\u201D', ['my file.txt']], ['\'a b/c d.txt\'', ['b/c', 'd.txt']], ['"see a.txt there"', ['a.txt']], ['"a.txt', ['a.txt']], ['"a.txt" and b.txt', ['a.txt', 'b.txt']], ['"my file.txt" or other.txt', ['my file.txt', 'other.txt']], ['e.g. this', []], ['at 9 a.m. sharp', []], ['i.e', []], ['say "hello there"', []],
  ])('path: "%s"', (text, expected) => { expect(values(readPaths, text)).toEqual(expected) })

  test.each<readonly [string, readonly string[]]>([
    ['call +49 30 1234567', ['+49 30 1234567']], ['(030) 123-4567', ['(030) 123-4567']], ['555-123-4567.', ['555-123-4567']], ['0301234567', ['0301234567']], ['555-1234', ['555-1234']], ['12-34-56', []], ['123456789012345', ['123456789012345']], ['123', []], ['2026-11-30', []], ['12 34', []], ['1234567890123456789', []], ['192.0.2.1:80', []],
  ])('phone: "%s"', (text, expected) => { expect(values(readPhones, text)).toEqual(expected) })

  test('each says what it is', () => {
    expect([readEmails('a@x.example'), readUrls('https://x.example'), readPhones('0301234567'), readPaths('/a'), readUuids('123e4567-e89b-12d3-a456-426614174000')].map(([first]) => first?.how)).toEqual(['e-mail address', 'URL', 'phone number', 'path', 'UUID'])
  })
  test('UUID', () => {
    expect(values(readUuids, 'id 123e4567-e89b-12d3-a456-426614174000, x123e4567-e89b-12d3-a456-426614174000')).toEqual(['123e4567-e89b-12d3-a456-426614174000'])
  })
})
