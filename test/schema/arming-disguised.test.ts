/** What a person reads counts, not the code points: names in disguise, and effects that a name or a default says in another way. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { armedDefaults, isArming } from '../../src/schema/arming.ts'
import { safetyHit } from '../../src/schema/safety-keys.ts'
import type { Json, JsonObject } from '../../src/types.ts'
import { latinLook } from '../../src/util/look-alike.ts'

const flag = (name: string, more: JsonObject = {}): JsonObject => ({ type: 'object', properties: { [name]: { type: 'boolean', ...more } } })
const arms = (name: string) => ([true, false] as const).filter(value => isArming(flag(name), `/${name}`, value)).join('+') || '-'
const listed = (name: string, values: readonly Json[], value: Json, beside: JsonObject = {}) => isArming({ type: 'object', properties: { [name]: { enum: values }, ...beside } }, `/${name}`, value)

describe('fill:never-arms: letters of another script and characters that cannot be seen', () => {
  test.each(['s\u0435nd', '\u0455end', 'd\u0435l\u0435t\u0435', '\u0440ublish', 'publi\u0455h', 'se\u200Bnd', 's\u00ADend', 'send\u2060_now', 'se\uFE0Fnd', '\u202Esend', 'sénd', 'ｓｅｎｄ', 'ѕ\u0435nd', 'αuto_sυbmit', 'forc\u0435', 'shοuldSend'])('%s: true', name => {
    expect(arms(name)).toBe('true')
  })
  test.each(['dr\u0443_run', 'dry\u200B_run', 'рreview', 'skip_notificati\u03BFn'])('%s: false', name => {
    expect(arms(name)).toBe('false')
  })
  test('an enum member, "everything", a yes in words and a description', () => {
    expect(listed('action', ['k\u0435ep', 'd\u0435lete'], 'd\u0435lete')).toMatchObject({ rule: 'enum-verb' })
    expect(isArming({ properties: { who: { type: 'string' } } }, '/who', '\u0430ll')).toMatchObject({ rule: 'all' })
    expect(isArming(flag('send'), '/send', 'y\u0435s')).toMatchObject({ rule: 'verb' })
    expect(isArming(flag('x', { description: 'If true, will d\u0435lete the branch' }), '/x', true)).toMatchObject({ rule: 'description' })
  })
  test('a lost safety key in disguise is near the one that was meant', () => {
    expect(safetyHit(flag('dry_run'), 'dr\u0443Run')).toEqual({ lost: 'dr\u0443Run', meant: 'dry_run' })
  })
  test('names of other languages arm no more than before', () => {
    for (const name of ['отправитель', 'счёт', 'größe', 'ärger', 'приоритет', 'σύνολο', '名前', 'año']) expect([name, arms(name)]).toEqual([name, '-'])
  })
  test('a disguise made of any twins and invisible characters changes nothing', () => {
    const twins: Readonly<Record<string, string>> = { a: '\u0430', e: '\u0435', o: '\u043E', p: '\u0440', c: '\u0441', s: '\u0455', i: '\u0456', d: '\u0501' }
    const letters = fc.sample(fc.constantFrom('send', 'publish', 'delete', 'approve', 'deploy', 'dispatch', 'escalate', 'dry_run', 'preview', 'sender', 'postal_code'), { numRuns: 11, seed: 1 })
    fc.assert(fc.property(fc.constantFrom(...letters), fc.infiniteStream(fc.nat(3)), (name, dice) => {
      const worn = [...name].map(letter => {
        const roll = dice.next().value as number
        return roll === 0 ? twins[letter] ?? letter : roll === 1 ? `${letter}\u200B` : letter
      }).join('')
      expect([worn, latinLook(worn), arms(worn)]).toEqual([worn, name, arms(name)])
    }), { seed: 20261130, numRuns: 500 })
  })
})

describe('gate:default-only: effects that are said in another way', () => {
  test('everybody as those who are written to is an armed default; everything of a list to read is not', () => {
    const withDefault = (name: string, value: Json): JsonObject => ({ type: 'object', properties: { [name]: { default: value } } })
    for (const [name, value] of [['recipients', ['all']], ['to', '*'], ['cc', ['ann@example.org', '@everyone']], ['notify', 'all'], ['mentionUsers', '@channel'], ['sharing', 'everyone']] as const) expect([name, armedDefaults(withDefault(name, value)).map(one => one.path)]).toEqual([name, [`/${name}`]])
    for (const [name, value] of [['columns', ['all']], ['branch', '*'], ['recipients', []], ['recipients', ['ann@example.org']], ['status', 'all']] as const) expect([name, armedDefaults(withDefault(name, value))]).toEqual([name, []])
    expect(armedDefaults(withDefault('recipients', ['all']), new Set(['recipients']))).toEqual([])
  })
  test('visibility that lets everybody see it arms, unless it chooses what is listed', () => {
    for (const [name, value] of [['visibility', 'public'], ['privacy', 'PUBLIC'], ['access', 'anyone_with_link'], ['acl', 'public-read']] as const) expect([name, listed(name, [value, 'private'], value)?.rule]).toEqual([name, 'risk'])
    expect(listed('visibility', ['public', 'private'], 'private')).toBeUndefined()
    expect(listed('visibility', ['public', 'private'], 'public', { per_page: { type: 'integer' } })).toBeUndefined()
    expect(listed('key_kind', ['public', 'private'], 'public')).toBeUndefined()
    expect(armedDefaults({ type: 'object', properties: { visibility: { enum: ['public', 'private'], default: 'public' } } })).toHaveLength(1)
  })
  test.each(['with-push', 'with_push', 'withDeploy', 'with_merge', 'SENDMAIL', 'sendmail', 'SendEmail', 'postmessage', 'deletefile', 'deleteall', 'SENDNOW', 'sendSMS', 'payorder'])('%s: true', name => {
    expect(arms(name)).toBe('true')
  })
  test.each(['with_email', 'with_comments', 'with_archived', 'with_count', 'with_orders', 'voicemail', 'gmail', 'webmail', 'fulltext', 'context', 'profile', 'smallfile', 'recall', 'overall', 'install_all_count'])('%s: neither', name => {
    expect(arms(name)).toBe('-')
  })
})
