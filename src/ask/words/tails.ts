/**
 * What a short part after a comma may say of the request before it: that it is a line somebody has, somebody else's work, done, or only thought of.
 * Read as the rules in `around.ts` are; each pattern is met by the whole part, from its comma to the end of the sentence. Closed and general.
 */
import type { Rule } from './around.ts'

/** `anywhere`: also inside a slot for a message, where nearly all words are the message's own. */
export interface TailRule extends Rule { readonly anywhere: boolean }

const LEAD = '(?:(?:lol|haha|ha|hm|hmm|um|uh|er|well|but|and|so|ah|eh|oh|honestly|always|still) )*'
const END = '(?: (?:lol|haha|ha|though|really|again|sorry|anyway))*$'
const rule = (reason: string, why: string, body: string, anywhere = false): TailRule => ({ reason, why, pattern: new RegExp(`^${LEAD}(?:${body})${END}`, 'u'), anywhere })

const THEY = '(?:he|she|they|everyone|everybody|people|some|(?:my |the |our )?\\p{L}+)'
const PERSON = '(?:he|she|it|they|we|someone|somebody|everyone|no one|nobody|that one|that)'
const DID = '(?:\'s|\'re|\'ve|\'d| is| are| was| were| has| have| did| does| do)'
const NUMBER = '(?:\\p{N}+\\p{L}*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)'

export const TAILS: readonly TailRule[] = [
  rule('mention', 'says what sort of words it is', '(?:[\\p{L}\']+ ){0,3}(?:mottos?|mantra|catchphrase|slogan|proverb|saying|one-liner|punchline|lyrics?)', true),
  rule('mention', 'says what sort of words it is', '(?:what|nice|good|great|lovely|best|his|her|their|\\p{L}+\'s)(?: a)?(?: (?:favourite|favorite|usual|only|best|great|nice))? (?:line|title|quote|headline)'),
  rule('mention', 'speaks of the words', 'words (?:i|we|you|he|she|they|to|of|that|nobody|no one)(?: .*)?', true),
  rule('mention', 'says where it stands', '(?:chapter|scene|verse|episode|volume|act|stanza|paragraph|step|item|exercise|lesson) ' + NUMBER + '(?: .*)?'),
  rule('mention', 'says where it stands', '(?:that\'s|that is|it\'s|it is|this is) (?:(?:all|only|right|straight) )?(?:in|from|on page|out of) (?:the|his|her|their|every|chapter|a) (?:manual|book|handbook|rules?|docs?|documentation|instructions?|script|song|film|movie|play|poem|lyrics|guide|notes?|procedure|sop|protocol|checklist|list|spec|contract|policy|tutorial|faq|sign|text|quiz|exam|test|story|game|training|course|slides?)'),
  rule('mention', 'speaks of what is always so', '(?:(?:the )?story of my life|the same (?:old )?(?:story|thing|again)|same (?:old )?story|the usual(?: (?:nagging|line|routine|drill|stuff|thing|story))?|every (?:single )?(?:time|day|night|morning|week|year))'),
  rule('mention', 'is the second half of a title', '(?:a|an|the)(?: (?:\\p{L}+ )?(?:short|brief|little|practical|complete|simple|personal|beginner\'s|visual|field))?(?: [\\p{L}\']+)? (?:guide|tutorial|toolkit|primer|introduction|history|memoir|novel|handbook|manual|how to|retrospective|biography|cookbook|anthology|case study)'),
  rule('mention', 'counts how often', '(?:second|third|fourth|fifth|sixth|tenth|umpteenth|\\p{N}+(?:nd|rd|th)) time(?: (?:today|this (?:day|week|month|year|morning|evening)))?'),
  rule('mention', 'makes it a trial', '(?:(?:just |only |i\'m |we\'re )*(?:testing|test|a test)(?: (?:test|one two|the \\p{L}+|this|\\p{N}+))*|(?:a )?dry run|simulation|simulated)(?: only)?'),
  rule('mention', 'makes it an example', '(?:for (?:example|instance)|e\\.?g\\.?|et ?cetera|and so on|and so forth|blah(?: blah)*)'),
  rule('mention', 'makes it less than it', '(?:draft|preview|mock|practice|test|simulation|example|demo|rehearsal) only|(?:only|just) (?:a|the|as a) (?:draft|preview|mock up|practice|simulation|example|demo|rehearsal)', true),
  rule('report', 'tells whose words they are', THEY + '(?: (?:just|always|often|only|really|still|once|then))* (?:kept|keeps|keep) (?:on )?(?:saying|telling|repeating|asking|shouting|muttering|yelling)(?: .*)?'),
  rule('report', 'tells whose words they are', '(?:per|as per|according to|quoting|to quote) (?!favore\\b|piacere\\b|cortesia\\b|usual\\b|plan\\b|schedule\\b|our\\b|my\\b)(?:.+)|reads the (?:.+)'),
  rule('report', 'tells of former times', '(?:(?:[\\p{L}\']+ ){0,3}used to(?: .*)?|(?:that )?would(?: have|\'ve) been(?: .*)?)'),
  rule('report', 'tells how it is taken', '(?:he|she|they|everyone|everybody|people) (?:really |all |just |always )?(?:hates?|hated|loathes?|resents?) (?:that|this|it when|when)(?: (?:i|we|you|he|she|they) .*)?'),
  rule('report', 'says that it was done', '(?:done|done that|all done|done already|did that|did it(?: (?:myself|already|yesterday|earlier))?|(?:i|he|she|they|we|somebody|someone) (?:just |already )?did(?: (?:that|it|already))*|check|ticked|tick)'),
  rule('other-person', 'says whose work it is', '(?:(?:that|this|it)(?:\'s| is) )?(?:not )?(?:my|his|her|their|[\\p{L}-]+\'s|(?:the|my|our) \\p{L}+\'s) (?:job|turn|task|duty|responsibility|department)(?: now| today| this week)?|(?:that one\'s|that\'s|it\'s|this one\'s) on you(?: \\p{L}+)?|your turn \\p{L}+|not (?:me|you|us|him|her|them)'),
  rule('undo', 'was for somebody else', '(?:(?:that|this|it) (?:was|is) )?(?:meant|intended) for (?:.+)|(?:that|this|it) was for \\p{L}+|(?:sorry )?wrong (?:chat|window|thread|channel|person|group|tab|app|room|number)|(?:somebody|someone) else(?: i mean)?'),
  rule('undo', 'does not mean it', '(?:like|as if) (?:anyone|anybody|that|that\'ll|you|they|it|he|she|it\'s|that\'s)(?:\'ll|\'d|\'s)? (?:ever |even |really |actually |would |will |going to |gonna )*(?:listens?|works?|worked|helps?|cares?|cared|happens?|happen|matters?|do|does|did|could|can)(?: .*)?|sure , and (?:.+)|pigs (?:might|may|will|can)? ?fly'),
  rule('undo', 'says no on reflection', '(?:(?:on|upon) (?:reflection|balance|second thoughts?)|thinking about it|come to think of it)(?: ,)? (?:no|nah|not|don\'t|maybe not|rather not)(?: .*)?'),
  rule('question', 'is not sure of it', '(?:i\'m |i am )?(?:not (?:so |too |really |quite )?sure|unsure|undecided)(?: (?:yet|about (?:it|that|this)|(?:if|whether|what|which) .*))?|dunno|i don\'t know|i dunno|idk|(?:just )?thinking (?:out loud|aloud)|just (?:a thought|an idea|thinking)|let me think(?: (?:about it|it over|first))?|perhaps(?: \\p{L}+)?|maybe|or (?:not|maybe not)'),
  rule('question', 'asks to have it confirmed', '(?:wasn\'t|weren\'t|isn\'t|hasn\'t|didn\'t|doesn\'t|wouldn\'t|won\'t it be) (?:it|that|he|she|they|there)'),
]

/** "oh it's open": what was not known when the request was begun. */
export const FOUND_OUT = new RegExp(`^(?:oh|ah|aha|ooh)(?: ,)? (?:wait |right |never mind |look )*(?:${PERSON}${DID}|(?:we|you|they|there)(?:'ve| have| has|'s| is| are))(?: already| just| still)*(?: (?!(?:so|too|very|really|getting|freezing|boiling|such)\\b).*)?$`, 'u')
