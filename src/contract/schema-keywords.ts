/** Where a JSON Schema holds further schemas (all drafts from 04 to 2020-12). Anything else is data and is never walked as a schema. */
export const ONE_SCHEMA: ReadonlySet<string> = new Set([
  'additionalProperties', 'additionalItems', 'items', 'contains', 'not', 'if', 'then', 'else', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties', 'contentSchema',
])
export const SCHEMA_LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'])
export const SCHEMA_MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])
/** Lists whose order means nothing to a validator. */
export const SET_KEYWORDS: ReadonlySet<string> = new Set(['required', 'type'])
/** Say nothing about which values are valid. */
export const NOTES: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'examples', 'default', 'deprecated', 'readOnly', 'writeOnly', '$schema', '$id', 'id'])
