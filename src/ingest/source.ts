/** `kind` or `kind:name`: letters, digits, `_`, `-`, `.`; no white space, so that it stays one word in a table. */
export function isSource(text: string): boolean {
  return /^[a-z][a-z0-9_-]{0,39}(:[\p{L}\p{N}_.@+-]{1,80})?$/u.test(text)
}
