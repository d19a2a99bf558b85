import { describe, expect, test } from 'vitest'
import { describedFlag } from '../../src/schema/flag-descriptions.ts'
import { flagOf, isFlag, type FilterSign } from '../../src/schema/flag-names.ts'

/** `true verb`, `false inverted`, ... or `-`. */
function read(name: string, sign: FilterSign = 'no'): string {
  const flag = flagOf(name === '' ? [] : name.split(' '), sign)
  return isFlag(flag) ? `${flag.arms} ${flag.rule}` : '-'
}

describe('which words of a name count', () => {
  test.each<readonly [string, string]>([
    // safe modes: the whole name, but for words that only carry it
    ['dry run', 'false inverted'], ['is draft mode', 'false inverted'], ['draft letter', '-'], ['my dry run', '-'], ['test', 'false inverted'], ['test send', 'true verb'], ['run', 'true verb'], ['only', '-'],
    // negations
    ['skip send', 'false inverted'], ['is not sent', 'false inverted'], ['do not send', 'false inverted'], ['do send', 'true verb'], ['do not', '-'], ['should not send', 'false inverted'], ['should send', 'true verb'], ['not', '-'], ['send not', 'true verb'], ['skip thing', '-'], ['skip send count', '-'], ['no prompt', 'true safeguard-off'], ['no long prompt', 'true safeguard-off'], ['skip', '-'], ['is no', '-'], ['really skip send', 'true verb'],
    // views
    ['show delete', '-'], ['include purge', '-'], ['delete only', '-'], ['only delete', '-'], ['show', '-'], ['delete', 'true verb'], ['purge delete only', '-'], ['list', '-'],
    // measures at the end
    ['delete count', '-'], ['count delete', '-'], ['send at', '-'], ['id', '-'], ['delete id', '-'], ['delete ids now', 'true verb'],
    // states
    ['is delete', '-'], ['is', '-'], ['is forced', 'true verb'], ['was force', '-'], ['is really forced', 'true verb'], ['is thing forced', '-'], ['has deleted', '-'],
    // base forms
    ['send', 'true verb'], ['user wants send', 'true verb'], ['soft thing send', 'true verb'], ['send thing', 'true verb'], ['thing send now', '-'], ['thing open', '-'], ['open thing', 'true verb'], ['auto open', 'true verb'], ['auto thing open', '-'],
    // verbs that are weak alone before other words
    ['start', 'true verb'], ['start thing', '-'], ['auto start', 'true verb'], ['auto start thing', 'true verb'], ['thing start', '-'], ['allow thing write', 'true verb'], ['auto thing start now', '-'],
    // third person
    ['sends', 'true verb'], ['sends thing', 'true verb'], ['thing sends', '-'], ['opens', 'true verb'], ['opens thing', '-'], ['auto opens thing', 'true verb'],
    // past
    ['deleted', 'true verb'], ['deleted thing', '-'], ['auto deleted', 'true verb'], ['started', '-'], ['closed', '-'],
    // -ing
    ['deleting', 'true verb'], ['deleting thing', '-'], ['auto deleting thing', 'true verb'], ['thing deleting', '-'], ['starting', '-'],
    // nouns of action
    ['deletion', 'true verb'], ['auto deletion', 'true verb'], ['thing deletion', '-'], ['deletion thing', '-'],
    // risk
    ['public', 'true risk'], ['is public', 'true risk'], ['make public', 'true risk'], ['public thing', '-'], ['thing public', '-'], ['allow dangerous thing', 'true risk'], ['allows unsafe thing', 'true risk'], ['thing', '-'], ['public permanent', 'true risk'], ['publish public thing', 'true verb'],
    // written in one
    ['autopay', 'true verb'], ['autopays', '-'], ['autofix', '-'], ['nosend', 'false inverted'], ['dontsend', 'false inverted'], ['skipsend', 'false inverted'], ['forcepush', 'true verb'], ['shouldsend', 'true verb'], ['notify', 'true verb'], ['normal', '-'], ['autorun', 'true verb'], ['autosend thing', 'true verb'],
    // two words that are one verb
    ['shut down', 'true verb'], ['shut thing down', '-'], ['power off thing', 'true verb'], ['auto roll back', 'true verb'], ['no roll back', 'false inverted'], ['place order', 'true verb'], ['go live', 'true verb'], ['log out turn on', 'true verb'], ['turn', '-'], ['turn in', '-'],
    // consent
    ['terms accepted', 'true verb'], ['gdpr consent', 'true verb'], ['thing agreement', 'true verb'], ['thing acceptance', 'true verb'], ['thing approval', '-'], ['thing deleted', '-'], ['accepted terms', '-'], ['consent thing', '-'],
    // risk before a negation, and a yes that is assumed
    ['dangerously skip permissions', 'true safeguard-off'], ['unsafe no send', 'false inverted'], ['dangerously thing', '-'], ['assume yes', 'true risk'], ['answer yes', 'true risk'],
    ['', '-'],
  ])('"%s": %s', (name, expected) => {
    expect(read(name)).toBe(expected)
  })

  test.each<readonly [string, FilterSign, string]>([
    ['deleted', 'likely', '-'], ['deleted', 'sure', '-'], ['confirmed', 'likely', 'true verb'], ['confirmed', 'sure', '-'], ['is confirmed', 'likely', '-'], ['is confirmed', 'no', 'true verb'], ['public', 'likely', '-'], ['public', 'sure', '-'], ['terms accepted', 'likely', '-'], ['send', 'sure', 'true verb'], ['dry run', 'sure', 'false inverted'],
  ])('"%s" beside a search (%s): %s', (name, sign, expected) => {
    expect(read(name, sign)).toBe(expected)
  })

  test('each says why', () => {
    expect(flagOf(['auto', 'sends'], 'no')?.why).toBe('"sends" says that it happens (send)')
    expect(flagOf(['dry', 'run'], 'no')?.why).toBe('"dry run" holds the effect back; false lets it happen')
    expect(flagOf(['skip', 'notification'], 'no')?.why).toBe('"skip" holds "notify" back; false lets it happen')
    expect(flagOf(['skip', 'checks'], 'no')?.why).toBe('"skip checks" takes a safeguard away')
    expect(flagOf(['is', 'public'], 'no')?.why).toBe('"public" raises the stakes')
  })
})

describe('what a description says', () => {
  test.each<readonly [string, string | undefined]>([
    ['Sends it.', 'sends'], ['  \n Sends it', 'sends'], ['Delete the branch', 'delete'], ['Whether to open it', 'open'], ['Open windows are kept', undefined], ['If true, will share it', 'share'], ['Share of the total', undefined], ['To: share it', 'share'], ['Optional; sends it', undefined], ['Set true. Deletes it', undefined], ['Note\nDeletes it', undefined], ['deleted ones', undefined], ['Deleting is slow', undefined], ['', undefined], ['When `true`: deletes it', 'deletes'], ['Close it', undefined], ['Colors. Deletes it', undefined], ['It and purge', undefined], ['Opens a tab', 'opens'],
  ])('"%s"', (description, word) => {
    expect(describedFlag(description)).toEqual(word === undefined ? undefined : { arms: true, rule: 'description', why: `the description says that it happens ("${word}")` })
  })
  test.each([['Skips all confirmation prompts', 'Skips all confirmation prompts'], ['Run without approval', 'without approval'], ['It bypasses the checks', 'bypasses the checks'], ['Disable safety', 'Disable safety']])('"%s" takes a safeguard away', (description, said) => {
    expect(describedFlag(description)).toEqual({ arms: true, rule: 'description', why: `the description says "${said}"` })
  })
  test('only of the first sentence, and of its beginning', () => {
    expect(describedFlag('Colors it. Skips confirmation')).toBeUndefined()
    expect(describedFlag(`${'color '.repeat(60)}skips confirmation`)).toBeUndefined()
  })
})
