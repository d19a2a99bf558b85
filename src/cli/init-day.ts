/** A day made of the owner's own words: what they say when they ask, and what stands near it without being an ask. For the replay of `usher init` and the test that it writes. */

export interface DayLine {
  readonly source: string
  readonly text: string
  readonly what: string
  /** undefined: either is right, since a call without effects may also answer a question. */
  readonly calls: boolean | undefined
}

/** @param armed the route causes an effect, so only an ask may fire it */
export function dayOf(say: string, armed: boolean): readonly DayLine[] {
  const held = armed ? false : undefined
  return [
    { source: 'user', text: say, what: 'an ask', calls: true },
    { source: 'user', text: `please ${say}`, what: 'an ask, politely', calls: true },
    { source: 'user', text: `did you ${say}?`, what: 'a question', calls: held },
    { source: 'user', text: `don't ${say}`, what: 'a negation', calls: held },
    { source: 'user', text: `the note on the door reads "${say}"`, what: 'a mention', calls: held },
    { source: 'user', text: `Mara told me to ${say}`, what: 'a report', calls: held },
    { source: 'user', text: `if it rains, ${say}`, what: 'a condition', calls: held },
    { source: 'user', text: `${say} tomorrow at nine`, what: 'a later time', calls: held },
    { source: 'notification', text: say, what: 'a notification', calls: false },
    { source: 'chat:mara', text: `please ${say}`, what: 'somebody else\'s message', calls: false },
  ]
}
