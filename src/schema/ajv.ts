/** One validator library for all drafts. The only file that names it. */
import type { Ajv, AnySchemaObject, ErrorObject, Options } from 'ajv'
import type { JsonObject } from '../types.ts'
import { lazily } from '../util/lazy.ts'
import type { Dialect } from './dialect.ts'
import { compilePattern } from './patterns.ts'

type Draft = new (options: Options) => Ajv
const library = lazily<{ readonly Ajv: Draft }>('ajv')
const library2019 = lazily<{ readonly Ajv2019: Draft }>('ajv/dist/2019.js')
const library2020 = lazily<{ readonly Ajv2020: Draft }>('ajv/dist/2020.js')
const libraryDraft04 = lazily<{ readonly default: Draft }>('ajv-draft-04')
const draft06 = lazily<AnySchemaObject>('ajv/dist/refs/json-schema-draft-06.json')
const formats = lazily<{ readonly default: (target: Ajv) => void }>('ajv-formats')

/**
 * No coercion, no defaults, nothing removed: arguments are judged, never changed. `ownProperties`: `toString` is present only if
 * somebody sent it. `inlineRefs` off, so that a definition used often is compiled once.
 */
const OPTIONS: Options = {
  strict: false, ownProperties: true, coerceTypes: false, useDefaults: false, removeAdditional: false, allErrors: false, inlineRefs: false,
  validateSchema: false, addUsedSchema: false, logger: false, unicodeRegExp: false, validateFormats: true, code: { regExp: boundedRegExp() },
}

/** ajv's hook for another engine. A pattern that cannot be run holds for every text; the finding was made when the schema was looked at. */
function boundedRegExp(): NonNullable<NonNullable<Options['code']>['regExp']> {
  const engine = (source: string) => {
    const pattern = compilePattern(source)
    // ajv tells patterns apart by their text: without it, the first one of all would stand for every other.
    return { test: (text: string) => pattern.kind === 'bad' || pattern.test(text), toString: () => source }
  }
  return Object.assign(engine, { code: 'boundedRegExp()' })
}

const instances = new Map<Dialect, { readonly ajv: Ajv, uses: number }>()
/** An instance keeps the values that compiled code names, so it is replaced now and then. */
const MAX_USES = 1_000

/** One instance a draft for a while: building one costs more than compiling an ordinary schema. */
function instance(dialect: Dialect): Ajv {
  const known = instances.get(dialect)
  if (known && known.uses++ < MAX_USES) return known.ajv
  const ajv = make(dialect)
  instances.set(dialect, { ajv, uses: 0 })
  formats().default(ajv)
  // A pattern that is no regular expression is a finding about that pattern, not the end of the tool.
  ajv.addFormat('regex', true)
  ajv.addKeyword({ keyword: TICK, validate: tick, errors: false })
  return ajv
}

/** The keyword that counts each entry into a definition; a schema from outside that uses it has it taken out first. */
export const TICK = 'x-usher-tick'
/** Definitions entered while one call is judged: a recursive union could otherwise double its work on every level. */
const MAX_TICKS = 50_000
export class TooMuchWork extends Error {}
let ticks = 0

function tick(): boolean {
  if (++ticks > MAX_TICKS) throw new TooMuchWork()
  return true
}

function make(dialect: Dialect): Ajv {
  switch (dialect) {
    case 'draft-04': return new (libraryDraft04().default)(OPTIONS)
    case 'draft-06': return withDraft06(new (library().Ajv)(OPTIONS))
    case 'draft-07': return new (library().Ajv)(OPTIONS)
    case '2019-09': return new (library2019().Ajv2019)(OPTIONS)
    case '2020-12': return new (library2020().Ajv2020)(OPTIONS)
    default: return dialect satisfies never
  }
}

function withDraft06(ajv: Ajv): Ajv {
  ajv.addMetaSchema(draft06())
  return ajv
}

/** Is the schema itself valid by its draft's own schema? Gives what is wrong, or undefined. */
export function metaProblem(schema: JsonObject, dialect: Dialect): string | undefined {
  const ajv = instance(dialect)
  const { $schema: _, ...rest } = schema
  const address = META[dialect]
  return ajv.validateSchema({ $schema: address, ...rest }) ? undefined : describe(ajv.errors?.[0])
}

const META: Readonly<Record<Dialect, string>> = {
  'draft-04': 'http://json-schema.org/draft-04/schema#',
  'draft-06': 'http://json-schema.org/draft-06/schema#',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
}

export interface Failure { readonly path: string, readonly keyword: string, readonly message: string, /** The key that is missing, or one too many. */ readonly missing: string | undefined, readonly extra: string | undefined }
export type Checker = (value: unknown) => Failure | undefined

const ROOT = 'usher:root'

/**
 * Throws what ajv throws for a schema that it cannot compile; the check throws TooMuchWork.
 * @param pointer which subschema to compile; `''` for the whole
 */
export function compileSchema(schema: JsonObject, dialect: Dialect, pointer: string): Checker {
  const ajv = instance(dialect)
  const root = { ...schema, $schema: META[dialect] }
  const wanted = pointer === '' ? root : { $schema: META[dialect], $ref: `${ROOT}#${encodeURI(pointer)}` }
  try {
    if (wanted !== root) ajv.addSchema(root, ROOT)
    const validate = ajv.compile(wanted)
    return value => {
      ticks = 0
      return validate(value) ? undefined : failure(validate.errors?.[0])
    }
  } finally {
    // The compiled function holds what it needs; a schema kept here would stay for the life of the process.
    ajv.removeSchema(ROOT).removeSchema(root).removeSchema(wanted)
  }
}

function failure(error: ErrorObject | undefined): Failure {
  const params = (error?.params ?? {}) as { readonly missingProperty?: string, readonly additionalProperty?: string, readonly unevaluatedProperty?: string }
  return { path: error?.instancePath ?? '', keyword: error?.keyword ?? '', message: error?.message ?? 'does not fit', missing: params.missingProperty, extra: params.additionalProperty ?? params.unevaluatedProperty }
}

function describe(error: ErrorObject | undefined): string {
  return error ? `${error.instancePath || 'the root'} ${error.message ?? 'does not fit'}` : 'does not fit'
}
