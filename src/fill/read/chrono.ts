/** The one file that names the date library: English with what it lacks, and a few other languages where a word of theirs leaves no doubt. */
import type * as chronoNode from 'chrono-node'
import type { Chrono, ParsedResult, Parser } from 'chrono-node'
import { lazily } from '../../util/lazy.ts'
import { clockWords, dayNumbers, holidays, type SaidReader } from './said-times.ts'

export type ChronoResult = ParsedResult
export type ChronoParts = ParsedResult['start']

export interface Asked { /** ms since 1970 */ readonly at: number, /** Minutes east of UTC at that moment. */ readonly offset: number }

/** 260 files, an eighth of a second: only for who asks for a date. */
const library = lazily<typeof chronoNode>('chrono-node')
let made: Chrono | undefined

function english(): Chrono {
  if (made) return made
  made = library().en.casual.clone()
  made.parsers.unshift(parser(clockWords), parser(holidays), parser(dayNumbers))
  return made
}

function parser({ pattern, read }: SaidReader): Parser {
  return {
    pattern: () => pattern,
    extract(context, match) {
      const local = new Date(context.reference.instant.getTime() + context.reference.getTimezoneOffset() * 60_000)
      const parts = read(match, { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() })
      return parts ? { ...parts } : null
    },
  }
}

/** Without one of these a text is no date of that language: "do", "so" and "mi" are weekdays in one and everyday words in another. */
const LANGUAGES: readonly { readonly language: 'de' | 'fr' | 'es' | 'it' | 'pt' | 'nl', readonly sign: RegExp }[] = [
  { language: 'de', sign: word('heute|morgen|\u00FCbermorgen|gestern|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|m\u00E4rz|mai|juni|juli|oktober|dezember|uhr') },
  { language: 'fr', sign: word('aujourd\'hui|demain|apr\u00E8s-demain|hier|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|f\u00E9vrier|avril|mai|juin|juillet|ao\u00FBt|septembre|octobre|novembre|d\u00E9cembre') },
  { language: 'es', sign: word('hoy|ma\u00F1ana|ayer|lunes|martes|mi\u00E9rcoles|jueves|viernes|s\u00E1bado|domingo|enero|febrero|marzo|abril|de mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre') },
  { language: 'it', sign: word('oggi|domani|dopodomani|ieri|luned\u00EC|marted\u00EC|mercoled\u00EC|gioved\u00EC|venerd\u00EC|sabato|domenica|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre') },
  { language: 'pt', sign: word('hoje|amanh\u00E3|ontem|segunda-feira|ter\u00E7a-feira|quarta-feira|quinta-feira|sexta-feira|janeiro|fevereiro|mar\u00E7o|maio|junho|julho|setembro|outubro|novembro|dezembro') },
  { language: 'nl', sign: word('vandaag|morgen|overmorgen|gisteren|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|januari|februari|maart|juni|juli|augustus|oktober') },
]

function word(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'iu')
}

const parsed = (chrono: Chrono, text: string, { at, offset }: Asked, forward: boolean) => chrono.parse(text, { instant: new Date(at), timezone: offset }, { forwardDate: forward })

const BACKWARD = /^(?:on\s+)?(?:last|past|previous)\s/i

/** What stands in the text, in no order; of two readings of the same words the longer one, and neither where two languages of one length differ. */
export function parseDates(text: string, asked: Asked): readonly ChronoResult[] {
  const said = parsed(english(), text, asked, true).map(result => BACKWARD.test(result.text) ? parsed(english(), text, asked, false).find(one => one.index === result.index) ?? result : result)
  const foreign = LANGUAGES.filter(({ sign }) => sign.test(text)).flatMap(({ language, sign }) => parsed(library()[language].casual, text, asked, true).filter(result => sign.test(result.text)))
  return unrivalled([...said, ...foreign])
}

const length = (result: ChronoResult) => result.text.length
const touch = (a: ChronoResult, b: ChronoResult) => a.index < b.index + length(b) && b.index < a.index + length(a)
const same = (a: ChronoResult, b: ChronoResult) => a.start.date().getTime() === b.start.date().getTime() && a.end?.date().getTime() === b.end?.date().getTime()

function unrivalled(results: readonly ChronoResult[]): readonly ChronoResult[] {
  return results.filter((one, at) => results.every((other, index) => index === at || !touch(one, other) || length(one) > length(other) || (length(one) === length(other) && same(one, other) && at < index)))
}
