import { describe, expect, test } from 'vitest'
import { askedOfHouse as asked } from './routes.ts'

describe('gate:explicit: a part that is to be kept is more than the call could honour', () => {
  test.each([
    'delete my drafts but keep the newest',
    'delete my drafts, but leave the one for Ann',
    'delete my drafts and keep the last two',
    'delete my drafts. Except the last one.',
    'delete my drafts. All but the last one.',
    'delete my drafts, everything except the last',
    'delete my drafts, though not the one for Bob',
    'delete my drafts, only not today\'s',
    'delete my drafts. But keep Ann\'s.',
    'delete my drafts. Keep the newest one.',
    'delete my drafts. Just not the first.',
    'delete my drafts (except the newest)',
    'delete my drafts with the exception of the last',
    'delete my drafts save the last one',
    'delete my drafts but spare the newest',
    'delete my drafts, leaving the newest',
    'delete my drafts bar the last',
    'delete my drafts, not the one to Ann',
    'delete my drafts until only one is left',
    'delete my drafts apart from Ann\'s',
    'delete my drafts without the newest',
    'delete my drafts older than a week',
    'delete my drafts and leave two',
    'delete my drafts. Ann\'s you can keep.',
    'delete my drafts; the last one stays',
    'delete my drafts. The newest stays.',
    'delete my drafts, the newest can stay',
  ])('%s', text => { expect(asked(text)).toEqual([]) })
})

describe('gate:explicit: another request beside it is no exception', () => {
  test.each([
    'delete my drafts and open the mail',
    'lock the shed and keep the lights on, open the console',
    'delete my drafts, there are too many',
    'delete my drafts. They are no use to me.',
    'delete my drafts, we need the space',
    'delete my drafts and leave the lights on',
  ])('%s', text => { expect(asked(text)).toHaveLength(1) })
})
