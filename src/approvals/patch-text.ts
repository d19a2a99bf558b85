/** One hunk of a unified diff, as `git apply` and `patch -p1` take it. */
const CONTEXT = 3
const NO_NEWLINE = '\\ No newline at end of file'

/** @param path relative to where the patch is applied @param before whole text @param after whole text; one run of lines differs */
export function patchText(path: string, before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let tail = 0
  while (tail < old.length - start && tail < now.length - start && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++
  const from = Math.max(0, start - CONTEXT)
  const [oldEnd, nowEnd] = [Math.min(old.length, old.length - tail + CONTEXT), Math.min(now.length, now.length - tail + CONTEXT)]
  const body = [
    ...old.slice(from, start).map(line => ` ${line}`),
    ...old.slice(start, old.length - tail).map(line => `-${line}`),
    ...now.slice(start, now.length - tail).map(line => `+${line}`),
    ...old.slice(old.length - tail, oldEnd).map(line => ` ${line}`),
  ]
  const range = (at: number, length: number): string => `${length === 0 ? at : at + 1},${length}`
  return `--- a/${path}\n+++ b/${path}\n@@ -${range(from, oldEnd - from)} +${range(from, nowEnd - from)} @@\n${body.join('')}`
}

/** Each with its line end, or with the mark that it has none. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  const last = lines.pop()
  return [...lines.map(line => `${line}\n`), ...last === '' || last === undefined ? [] : [`${last}\n${NO_NEWLINE}\n`]]
}
