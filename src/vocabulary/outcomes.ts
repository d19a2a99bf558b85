/**
 * One table of outcomes: what each means, the reasons under it, and what a person may do next. Closed: an outcome or a reason that is not
 * here is a type error or a failed test (`outcome:distinct`).
 */
import type { OutcomeKind } from '../types.ts'

interface OutcomeEntry {
  readonly means: string
  readonly reasons: { readonly [reason: string]: string }
  readonly next: string
}

export const OUTCOMES = {
  'called': { means: 'the handler ran and returned', reasons: { ask: 'an explicit ask', reader: 'the second reader alone took it for an ask, as its route allows', match: 'a read-only route near in meaning', direct: 'a model, a person or a proxy called it', approved: 'a person said yes to exactly this call', answer: 'the question about a missing value was answered' }, next: 'usher report CALL --wrong "why", if it should not have' },
  'failed': { means: 'the handler ran and threw', reasons: { error: 'the handler threw' }, next: 'usher explain ID shows the error' },
  'unknown': { means: 'the call was cut off in flight; whether it took effect is not known, and it is not run again by itself', reasons: { crashed: 'the process ended during the call', 'lost-answer': 'the server died or stayed silent, or the runtime never told how it ended', timeout: 'no answer in time; it may still take effect', 'log-failed': 'it ran, and its end could not be logged' }, next: 'check by hand what happened; usher explain ID' },
  'blocked': { means: 'an effect that was not declared or not allowed was stopped before it happened', reasons: { 'undeclared-effect': 'the tool never declared it', 'not-allowed': 'the route does not allow it' }, next: 'declare the effect and allow it in the route, or mend the tool' },
  'no-match': { means: 'no route comes near', reasons: { 'below-threshold': 'the best route is below its threshold', 'no-routes': 'no route is loaded', 'encoder-failed': 'the encoder failed, so nothing could be compared', empty: 'the text is empty once cleaned' }, next: 'add a trigger phrase, if it should have fired' },
  'ambiguous': { means: 'two routes are closer than the margin', reasons: { margin: 'two routes are closer than the margin', 'two-asks': 'one clause asks for two routes' }, next: 'say it more exactly, or add phrases that tell the routes apart' },
  'not-explicit': {
    means: 'near a route with effects, but the words do not ask for it',
    reasons: {
      'abstain:mention': 'talks about it', 'abstain:question': 'asks about it', 'abstain:negation': 'says not to', 'abstain:quotation': 'quotes it', 'abstain:code': 'is code or markup',
      'abstain:report': 'reports that it happened', 'abstain:condition': 'only if something else happens', 'abstain:later': 'for a later time', 'abstain:undo': 'takes it back', 'abstain:other-person': 'speaks to or of somebody else',
      'abstain:opposite': 'asks for the opposite', 'abstain:other-object': 'asks it of something else', 'abstain:other-sense': 'uses the words in another sense', 'abstain:left-over': 'has words that the route does not account for',
      'abstain:similar': 'is only near in meaning', 'abstain:not-phrase': 'is near a phrase listed under `not`', 'abstain:language': 'is in a language that no trigger is in', 'abstain:incomplete': 'breaks off before the route is complete', 'abstain:reader': 'is no ask to the second reader',
    },
    next: 'say it as one of the route\'s phrases, or add a phrase',
  },
  'source-blocked': { means: 'the event\'s source may not fire this route', reasons: { source: 'the source is not in the route\'s `from`' }, next: 'add the source to `from`, if you trust it that far' },
  'unfilled': { means: 'a required value is not in the words', reasons: { missing: 'a required value is missing', 'two-candidates': 'two values fit', invalid: 'the value found does not fit the schema', arming: 'a required value would arm a side effect, so only a preset may set it' }, next: 'answer the question, or say it again with the value' },
  'needs-approval': { means: 'waits for a person', reasons: { 'mode:ask': 'the route\'s mode is ask', 'approve:always': 'the route asks every time', 'effect-not-allowed': 'the tool declares an effect that the route does not allow', 'unknown-effect': 'the tool does not say what it does', 'armed-default': 'the tool\'s schema has an armed default that the route does not preset', 'preset-only-key': 'a caller gave a key that only a preset may set', 'effectful-call': 'a model asked for a call with effects' }, next: 'usher approve ID, or usher deny ID; or say in the route what may happen (`mode`, `allow`, `approve`)' },
  'denied': { means: 'refused', reasons: { person: 'a person said no', 'safety-key': 'a lost key is near a safety key', 'invalid-args': 'the arguments do not fit the schema', 'unknown-tool': 'no such tool', 'preset-override': 'something tried to set a preset key', 'log-failed': 'its row could not be written, so it did not run', 'control-plane': 'only a person may change that' }, next: 'usher explain ID says which rule' },
  'expired': { means: 'too old to act on', reasons: { 'max-age': 'the event is older than the route\'s maxAge', approval: 'nobody said yes in time', changed: 'the tool, its contract or the route changed after it was asked' }, next: 'ask again' },
  'limited': { means: 'over a limit of the route', reasons: { cooldown: 'too soon after the last call', rate: 'over the rate', burst: 'too many within ten seconds', concurrent: 'too many are in flight', total: 'over a limit of all routes together', cards: 'too many cards wait for a person', breaker: 'the breaker is open', depth: 'the chain of causes is too deep' }, next: 'wait, or change the route\'s limits' },
  'duplicate': { means: 'already handled', reasons: { id: 'the same event id from the same source', text: 'the same words for the same route a moment ago' }, next: 'nothing' },
  'contract-refused': { means: 'the tool\'s contract does not hold', reasons: { missing: 'no contract', unsigned: 'nobody signed it', drift: 'the server offers something else than was signed', file: 'the contract file changed on disk', unreadable: 'the contract cannot be read' }, next: 'usher contract review' },
  'self-caused': { means: 'caused by Usher\'s own call of that route', reasons: { 'skip:self': 'the event was caused by a call of this route', 'skip:echo': 'the words repeat what a call just returned' }, next: 'nothing' },
  'malformed': { means: 'not an event', reasons: { json: 'not JSON', shape: 'not the shape of an event', 'too-big': 'larger than the limit', encoding: 'not valid UTF-8' }, next: 'mend the sender; the log keeps the line' },
  'offered': { means: 'near enough to ask the owner about', reasons: { 'near-miss': 'near a route with `ask: true`', reader: 'the second reader objects' }, next: 'usher approve ID where the route has `ask: true`; or say it as one of the route\'s phrases' },
  'stopped': { means: 'would have been called, but the owner has it switched off', reasons: { shadow: 'the route\'s mode is shadow', 'kill-switch': 'a person stopped all auto-invocation', halted: 'a server or a control file is not what was signed, so all auto-invocation halted', when: 'outside the route\'s hours, days or state', encoder: 'thresholds belong to another encoder', fleet: 'this machine runs other routes or another encoder than the fleet is pinned to' }, next: 'usher resume, set `mode: fire`, or wait until its hours, days and state fit' },
} as const satisfies Record<OutcomeKind, OutcomeEntry>

/** Reasons that ask for something else than the rest of their outcome. */
const BY_REASON: ReadonlyMap<string, string> = new Map([
  ['stopped halted', 'a person looks with usher contract list and usher contract review, mends or signs what changed, and then says usher resume'],
  ['denied control-plane', 'a person does it, with usher contract review for contracts and usher routes accept for routes'],
])

/** What a person may do next: the reason's own words where it has some, else the outcome's. */
export function nextStep(kind: OutcomeKind, reason: string): string {
  return BY_REASON.get(`${kind} ${reason}`) ?? OUTCOMES[kind].next
}

/** Is the reason one of the outcome's? */
export function isReason(kind: OutcomeKind, reason: string): boolean {
  return Object.hasOwn(OUTCOMES[kind].reasons, reason)
}
