/**
 * `covers` of vocabulary/effects.ts in SQL, so that the owner's view gives the same answer as the program. A property test compares the two.
 *
 * GLOB's `*` is our `*`; its other signs are made literal.
 */
import { EFFECT_KINDS, FULFILS } from '../vocabulary/effects.ts'

const quote = (text: string) => `'${text.replaceAll('\'', '\'\'')}'`

/** Rows (meant, kind, target): a declared kind covers a seen kind, where given only with that target. */
function fulfilRows(): string[] {
  const rows = EFFECT_KINDS.map(kind => `(${quote(kind)}, ${quote(kind)}, NULL)`)
  for (const [meant, seen] of Object.entries(FULFILS)) {
    for (const pattern of seen as readonly string[]) {
      const colon = pattern.indexOf(':')
      rows.push(colon < 0 ? `(${quote(meant)}, ${quote(pattern)}, NULL)` : `(${quote(meant)}, ${quote(pattern.slice(0, colon))}, ${quote(pattern.slice(colon + 1))})`)
    }
  }
  return rows
}

/** A common table expression. */
export const FULFILS_CTE = `fulfils(meant, seen, seen_target) AS (VALUES ${fulfilRows().join(', ')})`

/** SQLite refuses a pattern over 50,000 bytes with an error, which would blind the whole view. */
const MAX_PATTERN = 10_000

const matches = (pattern: string, target: string) => `CASE WHEN ${pattern} IS NULL THEN 1 WHEN length(${pattern}) > ${MAX_PATTERN} THEN 0 ELSE ${target} GLOB replace(replace(${pattern}, '[', '[[]'), '?', '[?]') END`

/** The last part of a path; of a text without `/` the text. */
const baseName = (path: string) => `replace(${path}, rtrim(${path}, replace(${path}, '/', '')), '')`

/**
 * Is the seen effect within one of the declared patterns?
 * @param allowed SQL giving a JSON array of patterns, or NULL
 */
export function coversSql(allowed: string, kind: string, target: string): string {
  const either = (pattern: string) => `(${matches(pattern, target)} OR (${kind} = 'process.start' AND ${matches(pattern, baseName(target))}))`
  // The declared pattern, cut at its first colon.
  const patterns = `SELECT CASE WHEN instr(value, ':') = 0 THEN value ELSE substr(value, 1, instr(value, ':') - 1) END AS kind, CASE WHEN instr(value, ':') = 0 THEN NULL ELSE substr(value, instr(value, ':') + 1) END AS target
      FROM json_each(coalesce(${allowed}, '[]')) WHERE type = 'text'`
  return `EXISTS (SELECT 1 FROM (${patterns}) p JOIN fulfils f ON f.meant = p.kind AND f.seen = ${kind} WHERE p.target IS NOT '' AND ${either('f.seen_target')} AND ${either('p.target')})`
}
