/**
 * Text that SQLite keeps as it is: it stops at NUL in places, and better-sqlite3 turns a lone surrogate into U+FFFD. Such a text is stored as
 * `json:"..."`; so is one that starts with `json:` itself, so that no two texts are stored alike.
 */
const LONE_SURROGATE = /\p{Cs}/u
const MARK = 'json:'

export function toPlain(text: string): string {
  return text.includes('\0') || LONE_SURROGATE.test(text) || text.startsWith(MARK) ? MARK + JSON.stringify(text) : text
}

export function fromPlain(text: string): string {
  return text.startsWith(MARK) ? JSON.parse(text.slice(MARK.length)) as string : text
}
