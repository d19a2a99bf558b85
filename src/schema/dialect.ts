/** Which draft of JSON Schema a document is written in. */
import { keyword } from './subschemas.ts'
import type { JsonObject } from '../types.ts'

export type Dialect = 'draft-04' | 'draft-06' | 'draft-07' | '2019-09' | '2020-12'

const BY_ADDRESS: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft-04/schema', 'draft-04'],
  ['json-schema.org/draft-06/schema', 'draft-06'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
])

/** By `$schema`, whatever the scheme and with or without a closing `#`; 2020-12 where there is none. Undefined: one that nobody here knows. */
export function dialectOf(schema: JsonObject): Dialect | undefined {
  const named = keyword(schema, '$schema')
  if (named === undefined) return '2020-12'
  return typeof named === 'string' ? BY_ADDRESS.get(named.replace(/^https?:\/\//, '').replace(/#$/, '')) : undefined
}

/** Keywords that only some drafts know. In another draft a validator passes them over in silence, so they are a finding. */
const KNOWN_IN: ReadonlyMap<string, readonly Dialect[]> = new Map<string, readonly Dialect[]>([
  ['prefixItems', ['2020-12']],
  ['$dynamicRef', ['2020-12']],
  ['$recursiveRef', ['2019-09']],
  ['dependentRequired', ['2019-09', '2020-12']],
  ['dependentSchemas', ['2019-09', '2020-12']],
  ['unevaluatedProperties', ['2019-09', '2020-12']],
  ['unevaluatedItems', ['2019-09', '2020-12']],
  ['minContains', ['2019-09', '2020-12']],
  ['maxContains', ['2019-09', '2020-12']],
  ['additionalItems', ['draft-04', 'draft-06', 'draft-07', '2019-09']],
  ['const', ['draft-06', 'draft-07', '2019-09', '2020-12']],
  ['contains', ['draft-06', 'draft-07', '2019-09', '2020-12']],
  ['propertyNames', ['draft-06', 'draft-07', '2019-09', '2020-12']],
  ['if', ['draft-07', '2019-09', '2020-12']],
])

/** Keywords of this schema object that its draft does not know. */
export function foreignKeywords(schema: JsonObject, dialect: Dialect): readonly string[] {
  return Object.keys(schema).filter(name => KNOWN_IN.get(name)?.includes(dialect) === false)
}
