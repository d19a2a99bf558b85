/* oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema */
import { describe, expect, test } from 'vitest'
import { armedDefaults, armedPairs, canArm, isArming } from '../../src/schema/arming.ts'
import type { Json, JsonObject } from '../../src/types.ts'

const flag = (name: string, more: JsonObject = {}): JsonObject => ({ type: 'object', properties: { [name]: { type: 'boolean', ...more } } })
/** Which of the two values arms: `true`, `false`, or `-` for neither. */
const arms = (name: string, more?: JsonObject) => ([true, false] as const).filter(value => isArming(flag(name, more), `/${name}`, value)).join('+') || '-'

describe('fill:never-arms: a flag arms by whole words, in any casing and form', () => {
  test.each([
    'send', 'notify', 'open', 'launch', 'confirm', 'publish', 'post', 'email', 'charge', 'pay', 'purchase', 'delete', 'remove', 'force', 'commit', 'deploy', 'execute', 'submit', 'purge', 'drop', 'overwrite', 'transfer',
    'invite', 'share', 'grant', 'merge', 'push', 'restart', 'shutdown', 'unlock', 'call', 'dial', 'order', 'book', 'cancel', 'wipe', 'reset', 'approve', 'accept', 'agree',
    'shouldSend', 'auto_commit', 'isForced', 'Send', 'SEND', 'send_now', 'send-email', 'sendHTTPRequest', 'autoSubmit', 'auto-merge', 'submits', 'sending', 'published', 'paid', 'sent', 'committed', 'submitted', 'notifications',
    'enable_notifications', 'enableNotifications', 'send_notification', 'hard_delete', 'bulkDelete', 'delete_logs', 'force_push', 'create_and_publish', 'acceptTerms', 'agree_to_terms', 'allow_overwrite', 'should_open', 'auto_start', 'isPublished',
    'is_confirmed', 'isShared', 'public', 'permanent', 'make_public', 'is_live', 'yes', 'notify_users', 'dropTarget', 'activate', 'deactivate', 'revoke_access', 'terminate', 'trigger_build', 'install', 'Ｓend',
  ])('%s: true', name => {
    expect(arms(name)).toBe('true')
  })
  test.each([
    'dry_run', 'dryRun', 'DryRun', 'dryrun', 'isDryRun', 'preview', 'preview_mode', 'draft', 'is_draft', 'save_as_draft', 'simulate', 'sandbox', 'test_mode', 'testMode', 'read_only', 'readOnly', 'validate_only', 'no_send', 'noSend', 'skip_notification', 'disable_notifications',
    'dont_send', 'do_not_send', 'suppress_email', 'without_notify', 'should_not_notify', 'require_confirmation', 'private', 'noop',
  ])('%s: false', name => {
    expect(arms(name)).toBe('false')
  })
  test.each(['skip_confirmation', 'no_confirm', 'disable_safety', 'noVerification', 'bypass_approval', 'ignore_policy', 'skip_checks', 'disable_dry_run', 'without_backup', 'skip_preview'])('%s: true takes a safeguard away', name => {
    expect(isArming(flag(name), `/${name}`, true)).toMatchObject({ rule: 'safeguard-off' })
    expect(isArming(flag(name), `/${name}`, false)).toBeUndefined()
  })
  test.each([
    'forcedColors', 'open_count', 'sender', 'postal_code', 'payload', 'deployment_id', 'is_open', 'isOpen', 'has_opened', 'include_deleted', 'show_archived', 'only_open', 'order_by', 'orderDesc', 'email_verified', 'verbose', 'recursive', 'posterior', 'emailer', 'calling_code',
    'bookmark', 'callback', 'pushover', 'overdrop', 'compost', 'droplet', 'repository', 'includeHeaders', 'exclude_sent', 'failed_only', 'sort_order', 'was_sent', 'preview_length', 'count', 'printBackground', 'skip_existing', 'no_cache', 'disable_color', 'case_sensitive', 'confirmation_url', 'payment_required', 'x', '', 'draft_id', 'autoWrap', 'page',
  ])('%s: neither', name => {
    expect(arms(name)).toBe('-')
  })
})

describe('the place tells a filter from a deed', () => {
  test('a state beside the parameters of a search chooses', () => {
    const search = { type: 'object', properties: { archived: { type: 'boolean' }, is_published: { type: 'boolean' }, send: { type: 'boolean' }, query: { type: 'string' } } }
    expect(isArming(search, '/archived', true)).toBeUndefined()
    expect(isArming(search, '/is_published', true)).toBeUndefined()
    expect(isArming(search, '/send', true)).toBeDefined()
  })
  test('so does one that stands in a filter, but a plain order is one anywhere', () => {
    const inside = { type: 'object', properties: { runs_filter: { type: 'object', properties: { published: { type: 'boolean' }, event: { enum: ['push', 'release', 'purge'] } } } } }
    expect(isArming(inside, '/runs_filter/published', true)).toBeUndefined()
    expect(isArming(inside, '/runs_filter/event', 'push')).toBeUndefined()
    expect(isArming(inside, '/runs_filter/event', 'purge')).toBeDefined()
  })
  test('fill:never-arms: a description takes nothing away: whoever writes it could write anything', () => {
    for (const description of ['Filter by archived state', 'Only return archived ones', 'Harmless']) {
      expect(arms('archived', { description })).toBe('true')
      expect(isArming({ properties: { action: { enum: ['purge', 'keep'], description } } }, '/action', 'purge')).toBeDefined()
    }
  })
  test('an empty leaf is about the property around it', () => {
    const schema = { type: 'object', properties: { notify: { type: 'object', properties: { enabled: { type: 'boolean' } } }, colors: { type: 'object', properties: { enabled: { type: 'boolean' } } } } }
    expect(isArming(schema, '/notify/enabled', true)).toMatchObject({ rule: 'verb' })
    expect(isArming(schema, '/colors/enabled', true)).toBeUndefined()
  })
  test.each([
    ['Set to true to delete the branch after merging', 'true'], ['If true, the server sends a message to all members', 'true'], ['Whether to publish the post', 'true'], ['Skips the confirmation prompt', 'true'], ['Automatically deletes old entries', 'true'], ['When True, will send it', 'true'],
    ['Email of the owner', '-'], ['Whether the result is sorted', '-'], ['Include deleted entries', '-'], ['Order of the rows', '-'], ['Show it. Deletes nothing', '-'],
  ])('a name that says nothing is judged by its description: "%s"', (description, expected) => {
    expect(arms('flag_x', { description })).toBe(expected)
  })
})

describe('values of other types', () => {
  const of = (name: string, inner: JsonObject, value: Json) => isArming({ type: 'object', properties: { [name]: inner } }, `/${name}`, value)?.rule

  test.each([['true'], ['yes'], ['on'], ['Y'], [' TRUE '], ['1'], ['enabled']])('fill:never-arms: "%s" is a yes', value => {
    expect(of('send', { type: 'string' }, value)).toBe('verb')
    expect(of('title', { type: 'string' }, value)).toBeUndefined()
  })
  test.each([['false'], ['no'], ['off'], ['0'], ['']])('fill:never-arms: "%s" is a no', value => {
    expect(of('dry_run', { type: 'string' }, value)).toBe('inverted')
    expect(of('send', { type: 'string' }, value)).toBeUndefined()
  })
  test('one and zero are booleans only where nothing else is legal', () => {
    expect(of('send', { type: 'integer', minimum: 0, maximum: 1 }, 1)).toBe('verb')
    expect(of('order', { type: 'integer' }, 1)).toBeUndefined()
    expect(of('dry_run', { enum: [0, 1] }, 0)).toBe('inverted')
  })
  test.each(['*', '**', '*.*', '.*', '@here', '@channel', 'Infinity', 'them all', 'all', 'ALL', ' everyone ', '@everyone', '%', 'any', 'unlimited', 'All.'])('fill:never-arms: "%s" means everything', value => {
    expect(of('to', { type: 'string' }, value)).toBe('all')
  })
  test('a negative count has no limit', () => {
    expect(of('limit', { type: 'integer' }, -1)).toBe('all')
    expect(of('max_results', { type: 'integer' }, -1)).toBe('all')
    expect(of('offset', { type: 'integer' }, -1)).toBeUndefined()
    expect(of('limit', { type: 'integer' }, 0)).toBeUndefined()
    expect(of('count', { type: 'number' }, -1.5)).toBeUndefined()
  })
  test.each<readonly [JsonObject, Json]>([[{ const: true }, true], [{ const: 'go' }, 'go'], [{ enum: ['only'] }, 'only'], [{ enum: [true] }, true], [{ enum: ['one', null] }, 'one'], [{ anyOf: [{ const: 5 }, { type: 'null' }] }, 5], [{ $ref: '#/$defs/C' }, 'go'], [{ enum: ['low', 5], allOf: [{ const: 5 }] }, 5], [{ enum: ['a', 'b'], allOf: [{ enum: ['b', 'c'] }] }, 'b'], [{ const: 'b', anyOf: [{ enum: ['b', 'c'] }] }, 'b'], [{ enum: ['b', 'c'], const: 'c' }, 'c'], [{ enum: ['b', 'b'] }, 'b']])('fill:never-arms: the only legal value is no evidence: %j', (inner, value) => {
    expect(isArming({ properties: { kind: inner }, $defs: { C: { const: 'go' } } }, '/kind', value)).toMatchObject({ rule: 'only-value' })
  })
  test.each<readonly [JsonObject, Json]>([[{ enum: ['b', 'c'], anyOf: [{ const: 'b' }, { const: 'c' }] }, 'b'], [{ anyOf: [{ const: 'b' }, { enum: ['c', null] }] }, 'c'], [{ enum: ['b', 'c'], allOf: [{ enum: ['c', 'b'] }] }, 'b'], [{ const: 'b', allOf: [{ const: 'c' }] }, 'b'], [{ const: null }, 'b'], [{ enum: [null] }, null]])('one of several, or of none, is not the only one: %j', (inner, value) => {
    expect(isArming({ properties: { kind: inner } }, '/kind', value)).toBeUndefined()
  })
  test('consts in branches are a list of values', () => {
    const inner = { anyOf: [{ const: 'send' }, { const: 'keep' }] }
    expect(of('kind', inner, 'send')).toBe('enum-verb')
    expect(of('kind', inner, 'keep')).toBeUndefined()
  })
  test.each([['action', 'send'], ['method', 'delete_workflow'], ['event', 'APPROVE'], ['op', 'create'], ['type', 'delete'], ['mode', 'overwrite'], ['what', 'read_and_send']])('fill:never-arms: %s: "%s" orders something', (name, value) => {
    expect(of(name, { enum: [value, 'get'] }, value)).toBe('enum-verb')
  })
  test.each([['state', 'open'], ['status', 'closed'], ['sort', 'created'], ['order', 'asc'], ['channel', 'email'], ['method', 'get_workflow'], ['method', 'list'], ['type', 'post'], ['kind', 'open_question'], ['stage', 'deleted'], ['domain', 'calls']])('%s: "%s" describes', (name, value) => {
    expect(of(name, { enum: [value, 'x'] }, value)).toBeUndefined()
  })
  test('a state that the description says the call sets is an order', () => {
    expect(of('state', { enum: ['open', 'closed'], description: 'The new state for the issue' }, 'closed')).toBe('enum-verb')
    expect(of('state', { enum: ['open', 'closed'], description: 'The state of it' }, 'closed')).toBeUndefined()
  })
  test('null arms nothing, and a value that is not listed is no member', () => {
    expect(of('send', { type: ['boolean', 'null'] }, null)).toBeUndefined()
    expect(of('action', { enum: ['send', 'get'] }, 'delete')).toBeUndefined()
  })
})

describe('everywhere in a schema', () => {
  const purge = { type: 'boolean', default: true }
  test.each<readonly [string, JsonObject, string]>([
    ['$ref', { properties: { f: { $ref: '#/$defs/F' } }, $defs: { F: { properties: { purge } } } }, '/f/purge'],
    ['anyOf', { anyOf: [{}, { properties: { purge } }] }, '/purge'],
    ['items', { properties: { list: { items: { properties: { purge } } } } }, '/list/*/purge'],
    ['then', { if: {}, then: { properties: { purge } } }, '/purge'],
    ['map', { additionalProperties: { properties: { purge } } }, '/*/purge'],
    ['a list of enums', { properties: { steps: { type: 'array', items: { enum: ['purge', 'keep'] } } } }, '/steps/*'],
  ])('%s', (_, schema, path) => {
    expect(armedPairs(schema).map(pair => pair.path)).toContain(path)
  })
  test('an item or a map value at a real place is judged like the wildcard', () => {
    const schema = { properties: { steps: { type: 'array', items: { enum: ['purge', 'keep'] } }, map: { additionalProperties: { type: 'boolean' } } } }
    expect(isArming(schema, '/steps/3', 'purge')).toBeDefined()
    expect(isArming(schema, '/map/send', true)).toBeDefined()
    expect(isArming(schema, '/map/color', true)).toBeUndefined()
  })
  test('a boolean that the schema does not know is judged by its name', () => {
    expect(isArming({ type: 'object' }, '/send', true)).toBeDefined()
    expect(isArming({ type: 'object' }, '/a~1b', true)).toBeUndefined()
  })
  test('pairs name path, value, rule and reason once each', () => {
    expect(armedPairs({ properties: { send: { type: 'boolean', default: true }, n: { type: 'integer' } } })).toEqual([{ path: '/send', value: true, rule: 'verb', why: expect.stringContaining('send') as string, isDefault: true }])
    expect(armedPairs({ properties: { limit: { type: 'integer', minimum: -1 } } })).toMatchObject([{ path: '/limit', value: -1, rule: 'all' }])
  })
  test('canArm', () => {
    const schema = { properties: { confirm: { const: true }, action: { enum: ['send'] }, note: { type: 'string' } } }
    expect([canArm(schema, '/confirm'), canArm(schema, '/action'), canArm(schema, '/note')]).toEqual([true, true, false])
  })
})

describe('each reason is told', () => {
  test.each<readonly [string, JsonObject, Json, string]>([
    ['to', { type: 'string' }, ' All. ', '"All." means everything'], ['to', { type: 'string' }, ' * ', '"*" means everything'], ['limit', {}, -2, '-2 for a count means no limit'], ['k', { const: 5 }, 5, 'it is the only legal value, which is no evidence for it'], ['k', { enum: ['purge', 'b'] }, 'purge', '"purge" orders something (purge)'],
    ['state', { enum: ['open', 'closed'], description: 'New status' }, 'closed', '"closed" is the state that the call sets (close)'], ['send', { type: 'string' }, ' ON ', '"send" says that it happens (send)'],
  ])('%s %j %j: %s', (name, inner, value, why) => {
    expect(isArming({ properties: { [name]: inner } }, `/${name}`, value)?.why).toBe(why)
  })
  test.each([['New state', true], [' the new status of it', true], ['Desired state', true], ['target status', true], ['A new state', false], ['the state', false], ['Sets it to this', true], ['move the card to this', true], ['change to this', true], ['set to that', false], ['newer state', false], ['the Target state', true]])('"%s" says that the call sets it: %s', (description, sets) => {
    expect(isArming({ properties: { state: { enum: ['open', 'closed'], description } } }, '/state', 'closed') !== undefined).toBe(sets)
  })
  test('a description that is no text says nothing, and one of several schemas is enough', () => {
    expect(isArming({ properties: { state: { enum: ['open', 'closed'], description: 5 } } }, '/state', 'closed')).toBeUndefined()
    expect(isArming({ properties: { state: { allOf: [{ enum: ['open', 'closed'] }, { description: 'New state' }] } } }, '/state', 'closed')).toBeDefined()
    expect(isArming({ properties: { n: { allOf: [{ type: 'integer' }, { maximum: 1 }] } } }, '/n', 1)).toBeUndefined()
    expect(isArming({ properties: { send: { allOf: [{ type: 'integer' }, { maximum: 1 }] } } }, '/send', 1)).toBeDefined()
  })
})

describe('the names on the way', () => {
  test.each(['/items/0', '/items/12', '/items/*'])('%s is named by its list', path => {
    expect(isArming({ properties: { items: { items: { type: 'boolean' } }, send: { items: { type: 'boolean' } } } }, path.replace('items', 'send'), true)).toBeDefined()
    expect(isArming({ properties: { items: { items: { type: 'boolean' } } } }, path, true)).toBeUndefined()
  })
  test.each(['0x', 'x0', 'x*', '*x'])('%s is a name, not a place in a list', name => {
    expect(isArming({ properties: { send: { properties: { [name]: { type: 'boolean' } } } } }, `/send/${name}`, true)).toBeUndefined()
  })
  test.each(['filter', 'job_filters', 'where', 'searchCriteria', 'query'])('what stands in %s chooses', name => {
    const schema = { properties: { [name]: { properties: { published: { type: 'boolean' } } } } }
    expect(isArming(schema, `/${name}/published`, true)).toBeUndefined()
    expect(isArming({ properties: { [name]: { type: 'boolean' }, published: { type: 'boolean' } } }, '/published', true)?.rule).toBe(name === 'query' ? 'verb' : 'verb')
  })
  test('the leaf itself is no place, and only an empty leaf looks up', () => {
    expect(isArming({ properties: { send: { properties: { color: { type: 'boolean' } } } } }, '/send/color', true)).toBeUndefined()
    expect(isArming({ properties: { send: { properties: { is_enabled: { type: 'boolean' } } } } }, '/send/is_enabled', true)).toBeDefined()
    expect(isArming({ properties: { enabled: { type: 'boolean' } } }, '/enabled', true)).toBeUndefined()
    expect(isArming({ properties: { color: { properties: { value: { type: 'boolean' } } } } }, '/color/value', true)).toBeUndefined()
  })
  test('the parameters of a search are known by their names in any casing', () => {
    expect(isArming({ properties: { Limit: {}, archived: { type: 'boolean' } } }, '/archived', true)).toBeUndefined()
    expect(isArming({ properties: { limits: {}, archived: { type: 'boolean' } } }, '/archived', true)).toBeDefined()
    expect(isArming({ properties: { limit: {}, options: { properties: { archived: { type: 'boolean' } } } } }, '/options/archived', true)).toBeDefined()
    expect(isArming({ properties: { limit: {}, archived: { type: 'boolean' } }, allOf: [{ properties: { archived: {} } }] }, '/archived', true)).toBeUndefined()
    expect(isArming({ properties: { archived: { allOf: [{ type: 'boolean' }, { properties: { limit: {} } }] } } }, '/archived', true)).toBeDefined()
  })
})

describe('what a schema offers', () => {
  const values = (inner: JsonObject) => armedPairs({ properties: { send: inner } }).map(({ value, isDefault }) => [value, isDefault])
  test.each<readonly [JsonObject, unknown]>([
    [{ type: 'boolean' }, [[true, false]]], [{ type: ['boolean', 'null'] }, [[true, false]]], [{ type: 'string' }, []], [{ type: [5, 'boolean'] }, [[true, false]]], [{ type: 5 }, []], [{ enum: ['yes', 'no'] }, [['yes', false]]], [{ enum: 'yes' }, []], [{ enum: [true] }, [[true, false]]], [{ const: true }, [[true, false]]], [{ type: 'boolean', default: true }, [[true, true]]], [{ type: 'string', default: 'yes' }, [['yes', true]]], [{ type: 'boolean', default: false }, [[true, false]]],
    [{ type: 'string', description: 'Defaults to true' }, []], [{ type: 'boolean', description: 7 }, [[true, false]]],
  ])('%j', (inner, expected) => {
    expect(values(inner)).toEqual(expected)
  })
  test.each([['Default: true', true], ['defaults to True.', true], ['Default is `true`', true], ['the default value is true', true], ['default value true', true], ['(default: "true")', true], ['default=true', true], ['Defaults   to   (true)', true], ['default false', false], ['default truely', false], ['undefaulted true', false], ['default to be true', false], ['defaulting true', false]])('"%s" tells of a default that arms: %s', (description, armed) => {
    expect(armedDefaults({ properties: { send: { type: 'boolean', description } } }).length > 0).toBe(armed)
  })
  test('the root itself is no parameter, an item without a name is judged too', () => {
    expect(armedPairs({ enum: ['purge', 'x'], type: 'boolean' })).toEqual([])
    expect(armedPairs({ additionalProperties: { enum: ['purge', 'x'] } })).toMatchObject([{ path: '/*', value: 'purge' }])
    expect(armedPairs({ properties: { a: { type: 'integer', minimum: -1 }, limit: { type: 'integer', minimum: -2 } } })).toEqual([])
  })
  test('canArm asks for both booleans whatever the type', () => {
    expect(canArm({ properties: { send: {} } }, '/send')).toBe(true)
    expect(canArm({ properties: { dry_run: {} } }, '/dry_run')).toBe(true)
    expect(canArm({ properties: { color: {} } }, '/color')).toBe(false)
  })
})

describe('armed defaults', () => {
  test.each<readonly [string, JsonObject, boolean]>([
    ['notify', { type: 'boolean', default: true }, true], ['notify', { type: 'boolean', default: false }, false], ['dry_run', { type: 'boolean', default: false }, true], ['dry_run', { type: 'boolean', default: true }, false],
    ['activate', { type: 'boolean', description: 'Whether to do so. Defaults to True.' }, true], ['activate', { type: 'boolean', description: '(default: false)' }, false], ['mode', { enum: ['overwrite', 'keep'], default: 'overwrite' }, true],
    ['kind', { const: 'x', default: 'x' }, false], ['scope', { type: 'string', default: 'all' }, false], ['verbose', { type: 'boolean', default: true }, false], ['notify', { anyOf: [{ type: 'boolean' }, { type: 'null' }], default: true }, true],
  ])('%s %j', (name, inner, armed) => {
    expect(armedDefaults({ properties: { [name]: inner } }).length > 0).toBe(armed)
  })
  test('are no longer armed where the route presets the key', () => {
    const schema = { properties: { notify: { type: 'boolean', default: true } } }
    expect(armedDefaults(schema, new Set(['notify']))).toEqual([])
  })
})
