/** The flags of real schemas: every boolean and every list of values, with what the letter pattern and our rules say. */
import { createHash } from 'node:crypto'
import { armedPairs } from '../../dist/schema/arming.js'
import { walkSchema } from '../../dist/schema/walk.js'

/** The verbs by their letters, anywhere in a name: what this replaces. */
const LETTERS = /send|notify|open|launch|confirm|publish|post|email|charge|pay|purchase|delete|remove|force|commit|deploy|execute|submit|purge|drop|overwrite|transfer|invite|share|grant|merge|push|restart|shutdown|unlock|call|dial|order|book|cancel|wipe|reset|approve|accept|agree|dry_?run|skip_?|no_|disable_?|preview|draft|simulate|sandbox|test_?mode|read_?only/i

const types = schema => [schema.type].flat()
const isBoolean = schema => types(schema).includes('boolean') || [schema.anyOf, schema.oneOf].flat().some(branch => branch && types(branch).includes('boolean'))

/** `{ key, kind, name, letters, ours, widens }`: `ours` could arm an effect; `widens` names only values that mean "all". */
export function flagsOf(tools) {
  return tools.flatMap(({ server, tool, schema }) => {
    const rules = Map.groupBy ? Map.groupBy(armedPairs(schema), ({ path }) => path) : grouped(armedPairs(schema))
    const seen = new Set()
    return walkSchema(schema).places.flatMap(place => {
      const listed = Array.isArray(place.schema.enum)
      if (place.step?.kind !== 'property' || seen.has(place.path) || !(listed || isBoolean(place.schema))) return []
      seen.add(place.path)
      const found = (rules.get(place.path) ?? []).filter(({ rule }) => rule !== 'only-value')
      const name = place.names.at(-1)
      const letters = LETTERS.test(name) || (listed && place.schema.enum.some(value => LETTERS.test(String(value))))
      return [{ key: keyOf(server, tool, place.path), at: `${server}/${tool}${place.path}`, kind: listed ? 'list' : 'boolean', name, schema: place.schema, letters, ours: found.some(({ rule }) => rule !== 'all'), widens: found.length > 0 && found.every(({ rule }) => rule === 'all') }]
    })
  })
}

function grouped(pairs) {
  const groups = new Map()
  for (const pair of pairs) groups.set(pair.path, [...groups.get(pair.path) ?? [], pair])
  return groups
}

/** Labels are kept under a digest, so that no text of the material stands in this project. */
const keyOf = (server, tool, path) => createHash('sha256').update(JSON.stringify([server, tool, path])).digest('hex').slice(0, 16)

/**
 * The sample to read by hand: every flag that either rule raises, then others in the order of their digests, one of each name, until there are `size`.
 * So precision is over all raised flags, and recall over the sample and, weighted, over all.
 */
export function sampleOf(flags, size) {
  const raised = flags.filter(({ letters, ours }) => letters || ours)
  const others = flags.filter(({ letters, ours }) => !letters && !ours).sort((a, b) => a.key < b.key ? -1 : 1)
  const names = new Set()
  const distinct = others.filter(({ name }) => !names.has(name) && names.add(name))
  return [...raised, ...distinct].slice(0, size)
}
