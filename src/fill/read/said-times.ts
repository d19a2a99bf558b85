/** Times and days as people say them and the date library does not read: "half past nine", "at nine thirty", "7 in the evening", "christmas". */

/** What a reader makes of a match: the parts that were said. */
export interface SaidParts { readonly year?: number, readonly month?: number, readonly day?: number, readonly hour?: number, readonly minute?: number }
export interface SaidReader { readonly pattern: RegExp, readonly read: (match: RegExpMatchArray, today: { readonly year: number, readonly month: number, readonly day: number }) => SaidParts | undefined }

const HOURS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const MINUTES: ReadonlyMap<string, number> = new Map([['five', 5], ['oh five', 5], ['ten', 10], ['fifteen', 15], ['twenty', 20], ['twenty five', 25], ['twenty-five', 25], ['thirty', 30], ['thirty five', 35], ['forty', 40], ['forty five', 45], ['forty-five', 45], ['fifty', 50], ['fifty five', 55], ['a quarter', 15], ['quarter', 15], ['half', 30]])
const hour = `${HOURS.join('|')}|1[0-2]|[1-9]`
const minute = 'twenty[ -]five|thirty five|forty[ -]five|fifty five|oh five|fifteen|twenty|thirty|forty|fifty|five|ten'
const half = '\\s*(a\\.?m\\.?|p\\.?m\\.?)(?![\\p{L}\\p{N}])'
const part = '\\s+(?:in the|this)\\s+(morning|afternoon|evening)(?![\\p{L}\\p{N}])'
/** What may follow a time; anything else, and "at two" may be "at two places". */
const END = '(?=\\s*(?:$|[.,;!?)]|(?:today|tonight|tomorrow|yesterday|on|in the|this|and|or|for|with|please|to|until|till|sharp|every|next|if|then|so|because|when|monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?![\\p{L}])))'

const START = '(?<![\\p{L}\\p{N}:.,$\\u20AC-])'
/** In the order of the groups: minutes past or to an hour; an hour in words, with minutes; o'clock; an hour with a part of the day; four digits. */
const CLOCK = [
  `(?:at\\s+)?(?<past>half|(?:a )?quarter|${minute}|[1-5]?\\d)(?: minutes?)?\\s+past\\s+(?<pastHour>${hour})(?:${half.replace('(', '(?<pastHalf>')}|(?![\\p{L}\\p{N}:]))`,
  `(?:at\\s+)?(?:(?<to>(?:a )?quarter)|(?<=(?:^|\\s)at\\s)(?<toSome>${minute}|[1-5]?\\d)(?: minutes?)?)\\s+to\\s+(?<toHour>${hour})(?:${half.replace('(', '(?<toHalf>')}|(?![\\p{L}\\p{N}:]))`,
  `(?:at\\s+)?(?<spoken>${HOURS.join('|')})(?:\\s+(?<spokenMinute>${minute}))?(?:\\s+o'?clock)?(?:${half.replace('(', '(?<spokenHalf>')}|${part.replace('(morning', '(?<spokenPart>morning')})`,
  `at\\s+(?<bare>${HOURS.join('|')})(?:\\s+(?<bareMinute>${minute}))?${END}`,
  `(?:at\\s+)?(?<clock>${HOURS.join('|')})\\s+o['\\u2019]?clock(?![\\p{L}\\p{N}])`,
  `(?:at\\s+)?(?<digit>1[0-2]|[1-9])(?::(?<digitMinute>[0-5]\\d))?(?:\\s+o['\\u2019]?clock)?${part.replace('(morning', '(?<digitPart>morning')}`,
  `at\\s+(?<army>[01]\\d|2[0-3])(?<armyMinute>[0-5]\\d)(?:\\s*(?:hours|hrs|h)(?![\\p{L}])|(?<=at\\s+0\\d{3})(?![\\p{L}\\p{N}:.,%]))`,
  `at\\s+(?<with>[01]?\\d|2[0-3])h(?<withMinute>[0-5]\\d)?(?![\\p{L}\\p{N}])`,
].map(one => `(?:${one})`).join('|')

const number = (text: string | undefined): number => {
  const said = (text ?? '').toLowerCase()
  return MINUTES.get(said) ?? (HOURS.includes(said) ? HOURS.indexOf(said) + 1 : Number(said || 0))
}
const hourOf = (text: string | undefined) => HOURS.includes((text ?? '').toLowerCase()) ? HOURS.indexOf((text ?? '').toLowerCase()) + 1 : Number(text)

/** With "pm" or a part of the day the hour is certain; without, it is what the clock face says, as in "at 9". */
function timeOf(face: number, past: number, half: string | undefined, part: string | undefined): SaidParts {
  const afternoon = half === undefined ? part === undefined ? undefined : !/morning/i.test(part) : /^p/i.test(half)
  const at = afternoon === undefined ? face : face % 12 + (afternoon ? 12 : 0)
  const minutes = (at * 60 + past + 1440) % 1440
  return { hour: Math.floor(minutes / 60), minute: minutes % 60 }
}

export const clockWords: SaidReader = {
  pattern: new RegExp(`${START}(?:${CLOCK})`, 'iu'),
  read(match) {
    const said = match.groups ?? {}
    if (said['past'] !== undefined) return timeOf(hourOf(said['pastHour']), number(said['past']), said['pastHalf'], undefined)
    if (said['toHour'] !== undefined) return timeOf(hourOf(said['toHour']), -number(said['to'] ?? said['toSome']), said['toHalf'], undefined)
    if (said['spoken'] !== undefined) return timeOf(hourOf(said['spoken']), number(said['spokenMinute']), said['spokenHalf'], said['spokenPart'])
    if (said['bare'] !== undefined) return timeOf(hourOf(said['bare']), number(said['bareMinute']), undefined, undefined)
    if (said['clock'] !== undefined) return timeOf(hourOf(said['clock']), 0, undefined, undefined)
    if (said['digit'] !== undefined) return timeOf(Number(said['digit']), Number(said['digitMinute'] ?? 0), undefined, said['digitPart'])
    if (said['army'] !== undefined) return { hour: Number(said['army']), minute: Number(said['armyMinute']) }
    return { hour: Number(said['with']), minute: Number(said['withMinute'] ?? 0) }
  },
}

/** Days that are the same every year; those that move (Easter) are read by nobody here. */
const HOLIDAYS: readonly (readonly [string, number, number])[] = [['christmas eve', 12, 24], ['christmas day', 12, 25], ['christmas', 12, 25], ['boxing day', 12, 26], ['new year[\'\u2019]?s eve', 12, 31], ['new year[\'\u2019]?s day', 1, 1], ['halloween', 10, 31], ['valentine[\'\u2019]?s(?: day)?', 2, 14]]

export const holidays: SaidReader = {
  pattern: new RegExp(`(?<![\\p{L}\\p{N}-])(?:${HOLIDAYS.map(([name]) => name).join('|')})(?![\\p{L}\\p{N}-]|\\s+(?:party|card|cards|present|presents|gift|gifts|tree|shopping|list|dinner|music|songs?))`, 'iu'),
  read([said], today) {
    const found = HOLIDAYS.find(([name]) => new RegExp(`^${name}$`, 'iu').test(said))
    if (!found) return undefined
    const [, month, day] = found
    const passed = month < today.month || (month === today.month && day < today.day)
    return { year: today.year + (passed ? 1 : 0), month, day }
  },
}

/** "the 14th": the next day of that number, this month or a later one. */
export const dayNumbers: SaidReader = {
  pattern: /(?<![\p{L}\p{N}])the (\d{1,2})(?:st|nd|rd|th)(?![\p{L}\p{N}]| (?:of|row|one|time|item|entry|page|line|place|floor|street|avenue|edition|version|column|chapter|century|grade|prize)\b)/iu,
  read(match, today) {
    const day = Number(match[1])
    const months = [0, 1, 2].map(later => new Date(Date.UTC(today.year, today.month - 1 + later, day)))
    const next = months.find(date => date.getUTCDate() === day && (date.getUTCMonth() + 1 !== today.month || day >= today.day))
    return next && { year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day }
  },
}
