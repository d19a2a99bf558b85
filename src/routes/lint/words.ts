/** Closed classes of English words and set phrases: general language only, no noun of anybody's route. */

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

export const DEFINITE = list('the my our your his her their this that these those its')
export const INDEFINITE = list('a an some any another one')

/** Left out or put in without a change of meaning. */
export const SMALL_WORDS: ReadonlySet<string> = new Set([...DEFINITE, ...INDEFINITE, 'please', 'me', 'us', 'now', 'just', 'of'])

/** Words that say how, not what: articles, pronouns, auxiliaries, prepositions, particles, conjunctions, politeness, question words. */
export const FUNCTION_WORDS = list(`
  a an the some any another this that these those my our your his her their its it i me we us you he him she they them mine yours ours theirs myself yourself
  is are was were be been being am do does did done have has had will would shall should can could may might must
  to of in on at by for from with into onto out off up down over under about as than then so and or but if when while that which who whom whose what where why how
  not no please now here there just also too again very all both each every more most other such only own same
  let lets let's i'm it's that's what's there's you're we're i'd i'll don't doesn't isn't won't can't
  saying says said called named
`)

/** Verbs so general that they name no act without an object. */
export const LIGHT_VERBS = list(`
  go get make take put give have do be come see look know think want need try use keep let tell say ask show find bring set turn run start stop open close
  call send add note write play read check help move change hold
`)

/** Said all day to no machine, or in answer to something. */
export const EVERYDAY: ReadonlySet<string> = new Set([
  'yes', 'no', 'yes please', 'no thanks', 'ok', 'okay', 'sure', 'sure thing', 'fine', 'right', 'all right', 'alright', 'thanks', 'thank you', 'thanks a lot', 'hello', 'hi', 'hey', 'bye', 'goodbye', 'see you', 'see you later',
  'good morning', 'good evening', 'good afternoon', 'good night', 'how are you', 'what\'s up', 'never mind', 'nevermind', 'forget it', 'go ahead', 'go on', 'carry on', 'keep going', 'do it', 'do that', 'do this', 'let\'s go', 'let\'s do it', 'come on',
  'i see', 'got it', 'sounds good', 'looks good', 'that\'s it', 'that\'s all', 'that\'s fine', 'that works', 'not now', 'later', 'wait', 'hold on', 'one moment', 'just a moment', 'one second', 'stop', 'stop it', 'again', 'next', 'back', 'continue', 'cancel', 'help', 'help me',
  'i\'m home', 'i\'m back', 'i\'m done', 'i\'m ready', 'i\'m leaving', 'i don\'t know', 'i am home', 'i am back', 'i am done', 'i am ready', 'what time is it', 'what\'s new', 'any news', 'what happened', 'what is this', 'it works', 'it\'s done', 'done', 'ready', 'good', 'great', 'perfect', 'nice', 'well done',
])

const MOMENT = '(?:sec|secs|second|seconds|min|mins|minute|minutes|moment|moments|tick|bit|while)'
const DAY_PART = '(?:later|soon|then|there|around|again|tomorrow|tonight|today|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next (?:week|time|month|year)|in a (?:bit|while|minute)|(?:in the |this )?(?:morning|afternoon|evening))'
/** Set phrases with a part that changes; said with or without a "please". */
const FORMS: readonly RegExp[] = [
  /(?:many |so many )?thank(?:s| you)(?: (?:very|so|ever so) much| so much| a (?:lot|bunch|million|ton)| again| anyway| everyone| all)*/u,
  new RegExp(`(?:i'll |i will |we'll )?(?:see|catch|talk to|speak to) (?:you|ya|u)(?: (?:all|guys|both))?(?: ${DAY_PART})*`, 'u'),
  new RegExp(`(?:(?:just )?(?:wait|hold on|hang on|hold it|stand by)|give (?:me|us)|just|only)?(?: ?(?:for|just))?(?: ?(?:a|an|one|two|another|a few))? ?${MOMENT}`, 'u'),
  /no (?:problem|problems|worries|way|idea|need|matter|pressure|rush|hurry|kidding|doubt|clue|comment|luck|big deal|thank you|thanks)(?: at all)?/u,
  /(?:(?:very|so|really|that's|that is|what a) )*(?:good|great|nice|excellent|awesome|amazing|fantastic|bad|lovely|fair) (?:job|work|one|point|idea|call|question|luck|stuff|try|thing|catch|enough|morning|afternoon|evening|night|to (?:know|hear|see you|meet you))/u,
  /have a (?:good|nice|great|lovely) (?:day|one|time|night|evening|weekend|trip|week|rest)/u,
  /(?:i|we) (?:think|hope|guess|suppose|believe|doubt) (?:so|it|not)/u,
  /(?:i am|i'm|we're|so|very)? ?(?:sorry|welcome|fine|ok|okay|good|tired|hungry|bored)(?: (?:about that|too|then|thanks|thank you))?/u,
  /(?:how's|how is|how are) (?:it going|things|life|everything|everybody|everyone|you(?: doing| today)?)/u,
  /(?:you're|you are) (?:welcome|right|wrong|kidding)/u,
  /(?:of course|excuse me|my bad|me too|same here|take care|let me (?:know|see|think)|what do you think|what's going on|are you there|who is it|who's there|come here|come in|be careful|be right back|no offence|well said|happy birthday|congratulations|bless you|cheers|pardon)/u,
].map(({ source }) => new RegExp(`^(?:${source})$`, 'u'))
const SOFTENER = /^(?:(?:oh|ah|well|so|ok|okay|hey|please) )+|(?: (?:please|then|now|mate|dear|man))+$/gu

/** @param text its words, lower case, one space between */
export function isEverydayTalk(text: string): boolean {
  const bare = text.replace(SOFTENER, '').trim()
  return [text, bare].some(words => EVERYDAY.has(words) || (words !== '' && FORMS.some(form => form.test(words))))
}

/** Words so frequent that one alone stands in any talk; with the two sets above. */
const FREQUENT = list(`
  time day week month year today tomorrow tonight morning evening night home house work office room door light lights music song video picture photo phone message mail email note list file page
  book word name number thing place people man woman child friend money bill car water food lunch dinner coffee game news weather map test build deploy update status report meeting call timer alarm
  lamp bed desk chair table kitchen bathroom bedroom garden garage window wall floor roof bath shower oven fridge kettle heater heating fan radio speaker camera screen computer laptop printer mouse keyboard key bag box bottle cup
  coat shoe dog cat bird tree flower rain snow sun wind road street bus train plane bike ticket letter post paper pen shop store school doctor hospital bank card account password picture menu recipe breakfast tea bread milk
  playlist volume channel station movie film show folder document draft tab browser window backup server database network wifi battery charger
  new old good bad big small long short first last next best right left high low early late hot cold easy hard free ready sure
  pay buy sell order book cancel delete remove clear save print copy share search record lock unlock confirm accept approve reject reply answer forward post publish sync reset restart reboot shutdown sleep wake mute pause resume skip repeat louder quieter
  learn love like live leave feel become begin seem turn hear talk walk sit stand lose pay meet include continue follow create speak allow lead understand watch wait serve die remember consider appear expect stay fall cut reach kill remain suggest raise pass
`)

export function isCommonWord(word: string): boolean {
  return FREQUENT.has(word) || LIGHT_VERBS.has(word) || FUNCTION_WORDS.has(word)
}

/** Sources that a person stands behind; any other kind is a machine until its owner says otherwise. */
export const HUMAN_SOURCES: ReadonlySet<string> = new Set(['user', 'voice', 'chat'])
