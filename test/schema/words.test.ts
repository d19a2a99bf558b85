import { expect, test } from 'vitest'
import { effectVerb, enumVerb, wordsOf } from '../../src/schema/words.ts'

test.each<readonly [string, readonly string[]]>([
  ['sendEmail', ['send', 'email']], ['send_email', ['send', 'email']], ['send-email', ['send', 'email']], ['send.email', ['send', 'email']], ['SEND EMAIL', ['send', 'email']], ['sendHTTPRequest', ['send', 'http', 'request']], ['HTTPServer', ['http', 'server']], ['utf8Text', ['utf8', 'text']], ['v2Send', ['v2', 'send']],
  ['don\'t_send', ['dont', 'send']], ['don\u2019tSend', ['dont', 'send']], ['Ｓend', ['send']], ['naïve', ['naïve']], ['__a__', ['a']], ['', []], ['\u{1F600}', []], ['ÄrgerOut', ['ärger', 'out']], ['a/b', ['a', 'b']],
])('%s is cut into %j', (name, expected) => {
  expect(wordsOf(name)).toEqual(expected)
})

test.each<readonly [string, string | undefined]>([
  ['send', 'send base'], ['sends', 'send third'], ['sending', 'send ing'], ['sent', 'send past'], ['notify', 'notify base'], ['notifies', 'notify third'], ['notified', 'notify past'], ['notifying', 'notify ing'], ['pay', 'pay base'], ['pays', 'pay third'], ['paid', 'pay past'],
  ['delete', 'delete base'], ['deleted', 'delete past'], ['deleting', 'delete ing'], ['commit', 'commit base'], ['committed', 'commit past'], ['committing', 'commit ing'], ['submitted', 'submit past'], ['push', 'push base'], ['pushes', 'push third'], ['publishes', 'publish third'], ['wiped', 'wipe past'], ['wiping', 'wipe ing'],
  ['dropped', 'drop past'], ['dropping', 'drop ing'], ['agreed', 'agree past'], ['agreeing', 'agree ing'], ['purges', 'purge third'], ['resets', 'reset third'], ['bought', 'buy past'], ['overwritten', 'overwrite past'], ['notification', 'notify noun'], ['deletion', 'delete noun'], ['payments', 'pay noun'],
  ['sender', undefined], ['postal', undefined], ['payload', undefined], ['deploymentx', undefined], ['', undefined], ['constructor', undefined], ['__proto__', undefined], ['toString', undefined], ['written', 'write past'], ['create', undefined],
])('%s comes from %s', (word, expected) => {
  const found = effectVerb(word)
  expect(found && `${found.verb} ${found.form}`).toBe(expected)
})

test('lists of values know more verbs than flags', () => {
  expect(enumVerb('create')).toEqual({ verb: 'create', form: 'base' })
  expect(enumVerb('updated')).toEqual({ verb: 'update', form: 'past' })
  expect(enumVerb('send')).toEqual({ verb: 'send', form: 'base' })
  expect(enumVerb('list')).toBeUndefined()
})
