/** Closed classes of English words that the rules speak of. None holds a noun that a route could be about. */
import { PhraseList } from '../phrases-at.ts'
import { sentences } from './expand.ts'

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

export const DEFINITE = set('the this that these those my our teh hte tje th thee da tihs thsi taht ths')
export const INDEFINITE = set('a an another one some')
export const POSSESSIVE_OTHER = set('his her their your its')
export const ARTICLES: ReadonlySet<string> = new Set([...DEFINITE, ...INDEFINITE])
export const QUANTIFIER = set('every each any no all both either neither')
export const SUBJECT = set('i you he she it we they ye i\'m i\'ve i\'d i\'ll you\'re you\'ve you\'d you\'ll he\'s he\'d he\'ll she\'s she\'d she\'ll it\'s it\'d it\'ll we\'re we\'ve we\'d we\'ll they\'re they\'ve they\'d they\'ll that\'s there\'s here\'s that\'ll there\'ll who\'s what\'s im ive theyre youre dont id ill')
export const BARE_SUBJECT = set('i you he she it we they who nobody noone everybody everyone somebody someone anybody anyone nothing something')
export const MODAL = set('will would can could should shall must may might do does did to don\'t doesn\'t didn\'t won\'t wouldn\'t can\'t cannot couldn\'t shouldn\'t mustn\'t needn\'t shan\'t dont doesnt didnt wont cant couldnt wouldnt shouldnt i\'ll you\'ll he\'ll she\'ll we\'ll they\'ll it\'ll i\'d you\'d he\'d she\'d we\'d they\'d gonna wanna gotta lemme let\'s lets helps help let make makes made dare need ought never')
export const AUX = set('is are was were be been being am has have had having does do did will would can could should shall must may might isn\'t aren\'t wasn\'t weren\'t hasn\'t haven\'t hadn\'t doesn\'t don\'t didn\'t won\'t wouldn\'t can\'t couldn\'t shouldn\'t isnt arent wasnt doesnt didnt wont seems seem looks keeps kept comes came goes went gets got takes took makes made means meant needs says said works worked happened happens')
export const FINITE_BE = set('is are was were am \'s isn\'t aren\'t wasn\'t weren\'t has have had hasn\'t haven\'t hadn\'t i\'m i\'ve it\'s that\'s he\'s she\'s we\'re they\'re you\'re we\'ve they\'ve you\'ve there\'s here\'s im ive theyre whats what\'s who\'s everyone\'s everybody\'s nobody\'s somebody\'s someone\'s everything\'s nothing\'s')
export const NEGATION = set('not no never don\'t doesn\'t didn\'t won\'t wouldn\'t can\'t cannot couldn\'t shouldn\'t mustn\'t needn\'t isn\'t aren\'t ain\'t dont wont cant nobody none nothing neither nor without hardly n\'t nicht kein keine keinen nie niemals pas jamais ne n\'y nunca no tampoco non mai não nao nunca niet geen nooit')
export const NO_ONE = set('nobody none nothing noone neither nowhere no')
export const PREPOSITION = set('of in on at to for from with without by about over under into onto through across against between behind beyond near after before during until till since off out up down around along past per than as like via within among upon toward towards beside besides inside outside above below')
export const PARTICLE = set('up down off on out over back in away through')
export const CONJUNCTION = set('and or but nor so yet because since although though while whereas unless until if when whenever once that which who whom whose where why how whether than')
export const CONDITION = set('if when once unless until till whenever after before should supposing suppose provided assuming in_case as_soon_as while wenn falls sobald sofern quand lorsque dès cuando si se quando als zodra wanneer every')
export const QUESTION = set('what why who whom whose which how when where whether did do does is are was were has have had should shall am isn\'t aren\'t wasn\'t weren\'t didn\'t doesn\'t don\'t hasn\'t haven\'t what\'s who\'s how\'s where\'s when\'s why\'s whats warum wer wieso weshalb wann wie wo hat hast haben habt pourquoi qui quand comment combien est-ce por_qué qué quién cómo cuándo dónde cuánto perché chi quando come dove quanto porque quem onde quanto waarom wie wanneer hoe waar')
export const SPEECH = set('say says said saying tell tells told telling ask asks asked asking shout shouts shouted shouting yell yells yelled yelling scream screams screamed whisper whispers whispered mention mentions mentioned write writes wrote written read reads reply replied call called calling type types typed typing mean means meant think thinks thought reckon reckons believe believes hear hears heard suggest suggests suggested claim claims claimed insist insists insisted beg begs begged urge urges urged recommend recommends recommended request requests requested order ordered demand demands demanded want wants wanted need needs let lets make makes made help helps see sees saw watch watches watched try tries tried trying forget forgets forgot forgotten remember remembers remembered like likes liked love loves loved hate hates hated called named titled labelled labeled goes went going about sagt sagte gesagt fragt dit dice dijo dit dicho ha zegt zei')
export const COPULA = set('is are was were be been being am isn\'t aren\'t wasn\'t weren\'t \'s \'re it\'s that\'s means meant called named titled says said say reads read goes')
/** Words for words, and for what is pressed or ticked: after one of them a trigger is named, not said. */
export const META = set('phrase phrases command commands word words line lines sentence sentences button buttons option options link links label labels menu entry entries step steps item items message messages title titles heading headings caption captions name names text string prompt keyword trigger triggers shortcut instruction instructions request requests subject slogan joke rule rules tip tips lesson example examples quote quotation headline banner notice sign poster checkbox field icon tab slide paragraph section clause verse lyric lyrics chorus motto proverb saying idiom expression term terms macro hotkey alias script routine reminder reminders todo task tasks chore chores bullet question answer reply comment note notes')
export const INSIDE = set('um umm uh uhh uhm er err erm hm hmm mm ah eh oh like just please pls plz kindly quickly really actually maybe simply basically well yeah ok okay now bitte porfa also then um, ähm euh heu so literally probably possibly perhaps')
export const INSIDE_PHRASES = new PhraseList(sentences(`
[oh|um|uh|er|erm] (thingy|whatsit|whatchamacallit|thingamajig|the thingy|the whatsit|the whatchamacallit|what let's say|let's say|what|what's it called|what is it called|what is it|what are they called|whats it called|what's it|what do you call it|you know|i don't know|i dunno|dunno|how do you say|how do you call it|let me see|let's see|what was it|what was the name|what's the word|what's his name|what's her name|what's the name|i guess|sort of|kind of|if you will|i think|say|the the|i want to say|as it were|so to speak|go ahead and|if you please|for me|real quick|right now|straight away|right away)
oh
`))
export const EMPHATIC = set('whole entire damn bloody stupid darn goddamn silly wretched blasted freaking fucking flipping own')
export const NEGATIVE_STOP = set('no nope nah stop wait don\'t dont never cancel abort scrap scratch belay forget leave hold hang undo halt nvm nevermind oops whoops not')

/** Short spellings of chat. */
export const CHAT_SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['thru', 'through'], ['tho', 'though'], ['ur', 'your'], ['u', 'you'], ['r', 'are'], ['2', 'to'], ['4', 'for'], ['w', 'with'], ['msg', 'message'], ['msgs', 'messages'], ['pic', 'picture'], ['pics', 'pictures'], ['nite', 'night'], ['lite', 'light'],
  ['tmrw', 'tomorrow'], ['tonite', 'tonight'], ['wanna', 'want'], ['gimme', 'give'], ['n', 'and'], ['&', 'and'], ['abt', 'about'], ['fone', 'phone'], ['frm', 'from'], ['til', 'till'], ['too', 'to'], ['inn', 'in'], ['wiht', 'with'], ['ot', 'to'], ['fo', 'of'], ['ni', 'in'], ['form', 'from'], ['fro', 'for'], ['fpr', 'for'], ['pu', 'up'], ['of', 'off'], ['four', 'for'], ['fore', 'for'], ['two', 'to'], ['w/', 'with'], ['colour', 'color'], ['color', 'colour'], ['favour', 'favor'], ['favor', 'favour'],
])

/** A day part, weekday, or date that lies ahead. */
export const TIME_AHEAD = set('tomorrow tonight tmrw tmr tmw tomoz tomo tonite 2moro 2nite eod cob eow shortly momentarily later soon eventually someday monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays midnight noon afterwards hourly daily weekly monthly overnight morgen demain mañana domani amanhã heute_abend später tomorrow\'s nightly')
export const TIME_UNIT = set('h m s d minuten minute stunden stunde sekunden tage tag heures heure jours horas minutos segundos días dias ore minuti giorni uur minuten dagen second seconds sec secs minute minutes min mins hour hours hr hrs day days week weeks month months year years fortnight weekend morning afternoon evening night mornings evenings nights weekends season quarter o\'clock oclock am pm bedtime lunchtime lunch dinner breakfast noon midnight')

/** Number words, as people say them. */
export const NUMBER_WORDS = set('zero oh one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half quarter couple dozen point and')

/** Marks a self-correction: what stands before it is replaced by what follows. The strong ones suffice alone. */
export const CORRECTIONS = new PhraseList(sentences(`
(no|nope|nah|argh|sorry|oh sorry|wait|no wait|wait no|i mean|i meant|i meant to say|make that|make it|scratch that|strike that|correction|or rather|oops|whoops|oh wait|no sorry|sorry no|actually no|no actually|my mistake|my bad|what am i saying|i tell a lie|no i tell a lie|silly me|wrong one|not that one|pardon|excuse me|nein|non|perdón|scusa)
`))
export const CORRECTION_LINKS = new PhraseList(sentences(`
(let's be safe|hang on|hold on|silly me|what am i saying|hang on a (second|minute|sec)|oh|uh|um|er|erm|hmm|actually|you know what|let me see|well|better|let's (say|make it)|that is|ah|eh|not|to|it|say|yes|yeah)
`))
