/** The promises as data: each id is cited by a test, or stands on the short list of those that wait, with the reason. That list only shrinks. */
export const PROMISES: Readonly<Record<string, string>> = {
  'trace:before': 'a call\'s row is committed, durably, before its handler runs; no row, no call',
  'trace:every-way': 'no way to a handler avoids the dispatcher',
  'trace:crash': 'after kill -9 every effect has a row, and a call cut off in flight reads unknown and is not run again',
  'trace:tamper': 'a changed, removed or reordered row is found and named',
  'effect:observed': 'an effect is recorded with the call that made it, or with none',
  'effect:bounded': 'an undeclared or disallowed effect of an auto-invoked call is stopped before it happens',
  'gate:default-only': 'without an explicit ask only a side-effect-free default is reached; unknown effect means destructive',
  'gate:explicit': 'an arming preset fires only on an allowed source\'s ask in words',
  'gate:margin': 'two routes closer than the margin do not fire, and no route wins because a better one failed',
  'gate:self': 'an event that a call caused never fires that route again; chains end',
  'gate:limits': 'rate, burst, cooldown and duplicate limits; a tripped breaker stays open until a person closes it',
  'preset:verbatim': 'canonical bytes of the preset are equal in route, call and log, and nothing overrides a preset key',
  'fill:blind': 'the filler cannot import, see or return a preset-only parameter',
  'fill:evidence': 'every filled value names its characters; no evidence, no value',
  'fill:never-arms': 'the filler never sets a value that could arm, never a default, never "all"',
  'args:dropped': 'unknown keys are named in result and log; one near a safety key blocks the call',
  'contract:human': 'an outside tool is callable only under a contract that a person signed',
  'contract:no-model': 'no path lets text of a model or event write a contract, route, allowlist or address',
  'control:human': 'a change that widens what may happen waits for a person',
  'ingest:owns': 'source, cause and receipt time are the door\'s, never the event\'s own words',
  'closed': 'every failure fails closed',
  'outcome:distinct': 'outcomes are never merged, and each says why',
  'encoder:pinned': 'thresholds belong to one encoder',
}

/** Promises that no test proves yet, each with the reason. */
export const WAITING: Readonly<Record<string, string>> = {}
