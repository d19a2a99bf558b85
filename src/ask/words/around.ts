/**
 * What a sentence beside a request, or the part of its own before or after it, may say that undoes it. Each rule reads words in lower case with a blank between
 * them, ` , ` for a short pause and ` : ` for a colon. Closed and general: no noun of any route belongs here.
 */

export interface Rule { readonly pattern: RegExp, readonly reason: string, readonly why: string }

const rule = (reason: string, why: string, pattern: RegExp): Rule => ({ pattern, reason, why })

const NOT = '(?:(?:do|must|should|may|shall|can|could|will|would) not|don\'t|dont|mustn\'t|shouldn\'t|can\'t|cannot|never)'
const TELLS = '(?:said|says|wrote|writes|written|texted|texts|messaged|emailed|mailed|told|asked|asks|replied|answered|posted|tweeted|typed|shouted|yelled|whispered|mentioned|suggested|claimed|demanded|ordered|insisted|requested|commented)'
const WRITING = '(?:mail|e mail|email|message|letter|text|note|post|memo|transcript|article|paragraph|passage|document|comment|review|report|poem|story|quote|instructions?|sentence|sentences)'
const PART = '(?:last|latest|newest|first|oldest|recent|most|one|ones|two|three|four|five|six|ten|\\p{N}+|those|any|ones|other|others|rest|half)'

/** In the request's own sentence, before it. */
export const BEFORE: readonly Rule[] = [
  rule('negation', 'says not to, at a distance', new RegExp(`(?:^| )${NOT} (?:(?:you )?(?:ever|dare|even|please|really|just|simply)(?: ever)? )?(?:,|under|for|in|at|on|by|until|before|without|whatever|no matter|as long)(?: |$)`, 'u')),
  rule('negation', 'says not to, at a distance', /(?:^|, |and |but |please )not (?:ever )?(?:,|under any|for any|at any|on any|in any|by any)(?: |$)/u),
  rule('negation', 'says not to do what follows', new RegExp(`(?:^| )${NOT} (?:ever |please |just )?(?:do|try|attempt) (?:(?:it|this|that|the following|any of (?:this|that|it|the following|these)|what follows|as follows) )?[:,](?: |$)`, 'u')),
  rule('negation', 'says not to', /(?:^|, )(?:by no means|on no account|under no circumstances?|in no case|at no time|in no way)(?: ,)?$/u),
  rule('negation', 'says that nobody may', /(?:^|, )(?:nobody|no one|none of (?:you|us|them)) (?:should|may|must|can|shall|ought|is|dares?) .*[,:]$/u),
  rule('negation', 'forbids it', /(?:not (?:allowed|permitted|to do|ok|okay|right)|never to do|forbidden|prohibited|banned|avoid) :$/u),
  rule('other-person', 'speaks to whoever it fits', /^(?:(?:ok|okay|hey|hi|so|please|right|well) (?:, )?)*(?:who(?:so)?ever(?:'s)?(?: [\p{L}']+){0,8}|(?:anyone|anybody|someone|somebody|one of you(?: lot)?|you lot|you two|you guys|all of you)(?: (?:there|here|please|else|quick|quickly))*) ,$/u),
  rule('condition', 'puts a condition', /^(?:only )?(?:on (?:the )?condition|subject to|pending) /u),
  rule('report', 'tells whose words they are', /(?:^|, )according to (?!plan\b|schedule\b)[^,]+ ,$|(?:his|her|their|our|'s) (?:\p{L}+ )?(?:words|wish|request|order|message|demand|idea|advice|line|motto|plea) :$/u),
  rule('negation', 'says no first', /^(?:nope|nah)$/u),
  rule('later', 'says not yet', /(?:^| )(?:todavía no|aún no|noch nicht|pas encore|non ancora|ainda não|nog niet)(?: ,)?$/u),
  rule('quotation', 'a text is only to be read over', /(?:^|[,:] )(?:(?:please )?(?:proofread|translate|spellcheck|correct) only|(?:do not|don't) (?:act|act on (?:it|this|any of it)|execute|run anything))(?: ,.*)? ?:(?: |$)/u),
  rule('report', 'tells where it is written', /(?:^|, )(?:it's|it is|it was|that's|there's) (?:written|printed|scrawled|painted|engraved|carved|stamped|spelled|scribbled)(?: .*)? [,:]$/u),
  rule('condition', 'something else must come first', /^(?:(?:please|ok|okay|first|so|now|just) (?:, )?)*(?:(?:ask|consult) .*|(?:talk|speak) (?:to|with) .*|(?:ensure|make sure|make certain) (?!(?:that )?you\b|to\b).*|(?:check|confirm|verify|see|find out|clear it|double check) (?:that|if|whether|with|first)(?: .*)?|(?:check|confirm|verify|wait) [^,]*first(?: .*)?|(?:get|obtain|seek) .*(?:permission|approval|consent|ok|okay|go ahead|blessing)(?: .*)?|(?:wait|hold on|hang on) (?:until|till|til|for) .*)(?: ,)? (?:and|then|and then|before you|and only then|after that|afterwards)(?: (?:please|just|also))*(?: ,)?$/u),
  rule('condition', 'something else must come first', /^(?:(?:please|ok|okay|first|so|now|just) (?:, )?)*(?:wait|hold on|hang on) (?:until|till|til|for) (?!it\b|(?:a|one|just a) (?:second|sec|moment|minute|bit|tick)\b)[^,]* ,$/u),
  rule('mention', 'sets instructions aside, as text from elsewhere does', /(?:^| )(?:ignore|disregard|forget|override|bypass|skip) .*(?:instructions?|prompts?|guidelines|rules|directives?|commands?|safety|restrictions?)(?: |$)/u),
  rule('mention', 'only supposes it', /(?:^|, )(?:(?:purely|just|only|speaking) )?(?:hypothetically|theoretically|hypothetical|in theory|in principle|for (?:example|instance)|e\.g|for the sake of argument|rhetorically)(?: speaking)? ?,?$/u),
  rule('mention', 'is about the words themselves', /^(?:(?:now|ok|okay|please|everyone|everybody|all|and) (?:, )?)*(?:repeat|say|sing|chant) (?:it )?(?:after|with) me(?:(?: \p{L}+)* [,:])?$/u),
  rule('mention', 'is about the words themselves', /(?:^| )how (?:do|does|would|should|can|could) (?:you|i|one|we|they|people) (?:say|spell|write|pronounce|translate|type|phrase|word) ?[,:]?$/u),
  rule('report', 'tells who says it', /(?:^|[,:] )(?!(?:it|that|this|what|there|i)\b)(?:(?:my|the|our) )?\p{L}+(?:'s| was| were| is|'re) (?:all |just |always )?like [,:]$/u),
  rule('report', 'a state stands before the colon', /(?:^|[,:] )(?:failed|done|completed?|skipped|finished|passed|succeeded|aborted|cancell?ed|rejected|blocked|denied|deleted|sent|logged|resolved|closed|fixed|pending|queued|running|started|stopped|executed|ran|received|error|warning|warn|info|debug|trace|fatal|success|failure|notice|result|output|input|todo|re|fwd|fw|aw|wg|subject|action taken|status) :$/u),
  rule('other-person', 'it is a speaker\'s label', /(?:^|[,:] )(?:the )?(?:assistant|system|user|human|agent|bot|ai|model|developer|tool|admin|root|operator|moderator|customer|client) :$/u),
  rule('other-person', 'asks whether somebody else does it', /^(?:(?:ok|okay|hey|hi|so|please|well|um|uh) (?:, )?)*(?:could|can|would|will|should|may|might|shall|must|let|have|get|make) (?!you\b|u\b|ya\b|ye\b|yous\b|y'all\b|i\b|we\b|us\b|me\b|it\b|please\b)(?:(?:my|the|our|your|a|some|one of) )?[\p{L}'-]+(?: [\p{L}'-]+)?(?: please| just| kindly)?$/u),
]

/** A sentence just before the request's. */
export const EARLIER: readonly Rule[] = [
  rule('negation', 'says not to do what follows', /^(?:please |but |and |so |now )?(?:do not|don't|dont|never|you must not|you must never|must not|we do not|we don't|avoid|refrain from) (?:ever )?(?:do|doing|try|trying|attempt|attempting|fall for|run|execute|obey|follow)?(?: (?:it|this|that|so|the following|what follows|any of (?:this|that|it|these|the following)|such (?:a thing|things)|the next (?:thing|step|line|command)))*(?: (?:again|ever|please|yet|now))*$/u),
  rule('negation', 'forbids it', /(?:^| )(?:(?:this|that|it|the following|what follows)(?: (?:is|was|are|remains))(?: \p{L}+)? (?:forbidden|prohibited|banned|disallowed|not allowed|not permitted|wrong|off limits|taboo|illegal|dangerous)|(?:forbidden|prohibited|not allowed|off limits)|^(?:i|we|they) (?:forbid|prohibit|refuse|won't allow|don't allow|won't have) (?:it|this|that|you|the following)|^(?:please |no , |oh |but )?(?:don't|dont|do not|never))$/u),
  rule('negation', 'says what not to do', /(?:^| )(?:(?:must|should|have to|need to) avoid|(?:must|should) (?:not|never) do|not to do|never to do)$/u),
  rule('report', 'gives somebody else\'s words', new RegExp(`^(?!(?:i|we|you)\\b).* (?:${TELLS}(?: (?:me|us|him|her|them))? (?:this|that|the following|so|one thing|something|these words)|(?:told|asked|ordered|wanted|begged) (?:me|us|you) to do (?:this|that|it|so|the following)|(?:had|has|made|have) (?:one|a|an|only one|this|just one) (?:\\p{L}+ )?(?:wish|request|demand|order|plea|question))$`, 'u')),
  rule('quotation', 'announces words', /^(?:and )?(?:i|we) quote$|^quote$|(?:like this|as follows|this way|thus)$/u),
  rule('mention', 'is about the words themselves', /^(?:please |now |and |can you |could you )*(?:translate|spell|pronounce|transcribe|proofread|paraphrase|rephrase|summari[sz]e|parse|(?:complete|finish|correct|continue) (?:the|this|my)|repeat after|say after)(?: \S+){0,5}$|(?:how (?:do|does|would|should) (?:you|i|one|we) (?:say|spell|write|pronounce|translate)) |^(?:is|was|does|are) (?:this|that|the following) .*(?:english|sentence|grammatical|correct|spelled|spelt|sense)(?: |$)/u),
  rule('mention', 'gives a part to play', /^(?:from now on |now )?(?:you are|you're|act|behave|pretend) (?:now )?(?:in .*mode|as (?:a|an|the|if) .*|to be .*|you are .*|you're .*)$/u),
  rule('later', 'says not now', /^(?:but |please |no , )?not (?:now|yet|today|tonight|right now|just yet|at the moment|this (?:week|month|year|morning|evening|minute))(?: please| though| ,)*$/u),
  rule('condition', 'says to wait', /^(?:(?:please|ok|okay|so|now|just) (?:, )?)*(?:wait|hold on|hang on|hold off) (?:until|till|til|for) /u),
  rule('report', 'tells who wrote it', new RegExp(`^(?!(?:i|we|you)\\b)(?:[\\p{L}\\p{N}'.-]+ ){1,4}(?:(?:has|have|had|just|also|then) )*${TELLS}(?: (?:to )?(?:me|us|him|her|them))?(?: (?:this|last|on|in|at) (?:the |a )?\\p{L}+| yesterday| today| tonight| earlier| again| back| just now| once| first)*$`, 'u')),
  rule('report', 'asks what somebody said', new RegExp(`^(?:and |so )?(?:what|who) (?:did|does|do|has|have|was|is|else did)? ?(?!you\\b)[\\p{L}' ]*\\b(?:say|said|saying|write|wrote|written|text|texted|tell|told|ask|asked|asking|answer|reply|post|want|mean)(?: (?:you|me|us|him|her|them|that|this|then|again|about it))*$`, 'u')),
]

/** Any sentence before the request's: what follows it is somebody's text. */
export const HANDED: readonly Rule[] = [
  rule('quotation', 'a text is handed over for reading', new RegExp(`(?:^| )(?:(?:the|this) following|(?:this|the|that|his|her|their) (?:\\p{L}+ )?${WRITING} (?:below|here|that follows)|the (?:${WRITING}) is (?:as follows|this))(?: (?:\\p{L}+ )?${WRITING})?(?: |$)`, 'u')),
  rule('quotation', 'a text is handed over for reading', new RegExp(`^(?:and |so |ok |okay |please |look , )?(?:here is|here's|here are|this is|see|below is|attached is|i got|i received|we got) (?:the|a|an|his|her|their|my|this|that|another)(?: \\p{L}+){0,2} ${WRITING}(?: (?:from|by|of|to|i got|he|she|they|we)(?: .*)?)?$`, 'u')),
  rule('quotation', 'a text is to be worked on', new RegExp(`(?:^|, )(?:please |can you |could you |would you )?(?:summari[sz]e|translate|proofread|rewrite|rephrase|paraphrase|analy[sz]e|explain|classify) (?:the|this|that|his|her|their|my|these)(?: \\p{L}+)? ${WRITING}(?: .*)?$`, 'u')),
  rule('quotation', 'a text is to be worked on', new RegExp(`(?:^|, )(?:please |can you |could you |would you )?(?:correct|edit|shorten|review|read|reply to|answer|check) (?:this|these)(?: \\p{L}+)? ${WRITING}(?: .*)?$`, 'u')),
  rule('quotation', 'a text is only to be read over', /(?:^|[,:] )(?:(?:please )?(?:proofread|translate|spellcheck|correct|read) only|(?:do not|don't) (?:act|act on (?:it|this|any of it)|execute|run anything))(?: ,.*| :.*)?$/u),
  rule('mention', 'sets instructions aside, as text from elsewhere does', /(?:^| )(?:ignore|disregard|override|bypass|forget) (?:all |any |your |the |my |everything |what is |that is )*(?:previous|prior|earlier|above|before|system|safety)(?: |$)/u),
]

/** A later sentence that closes a letter. */
export const CLOSING = /^(?:yours(?: (?:truly|sincerely|faithfully|ever))?|sincerely(?: yours)?|(?:kind|best|warm|many) (?:regards|wishes)|regards|best|all the best|love|lots of love|cordially|respectfully) (?:, )?(?!you\b)[\p{L}.]+(?: [\p{L}.]+)?$/u

/** After the request in its own sentence, from its first word or after a pause. */
export const AFTER: readonly Rule[] = [
  rule('undo', 'says not to after all', /(?:^|[ ,:] ?)(?:hang on|hold on|wait|stop|oh|ah|actually|hmm) no (?:i|we|it|that|they|he|she|you|there|don't|not)(?:'\p{L}+)?(?: |$)/u),
  rule('undo', 'says not to after all', /^(?:,|:)? ?(?:or |but |rather |well |hm |hmm |um |uh |er |erm |ah |oh |actually |wait )*(?:not|no|nope|nah|never|not (?:at all|really|ever|for real|seriously)|never ever)(?: ,? ?(?:thanks|thank you|please|sorry|haha|lol))*$/u),
  rule('undo', 'says no after it', /^[,:] (?:oh |um |uh |er |ah )*(?:no|nope|nah) [,:] (?:they|it|he|she|we|i|that|you|there)(?:'\p{L}+)?(?: |$)/u),
  rule('undo', 'says no after it', /^(?:, )?(?:no|nope|nah) (?:it|they|that|he|she|i|we|there) (?!mean\b|meant\b|said\b|say\b|want\b|wanted\b|need\b|am\b|is the\b)\p{L}+(?: |$)/u),
  rule('undo', 'says not to do it', /(?:^|[,:] )(?:but |and |please |or )*(?:do not|don't|dont|never|you must not|must not) (?:ever |actually |really |please )*(?:do|try|run|execute|obey|follow|fall for) (?:it|this|that|so|any of)(?: |$)/u),
  rule('other-object', 'makes an exception', new RegExp(`^(?:, )?(?:and|but|yet|though|just|only)(?: please| do| just| only)* (?:keep|leave|spare|save|skip|retain|preserve|exclude|omit) (?:(?:me|the|my|out|aside|alone|just|only|at least|any|all|a) )*${PART}(?: |$)`, 'u')),
  rule('other-object', 'asks something else of a part of it', new RegExp(`^(?:, )?(?:and|but|then|and then)(?: please| also| just| then)* \\p{L}+(?: (?:the|my|our|those))?(?: (?:very|two|three|four|five|\\p{N}+))? (?:last|latest|newest|first|oldest|recent|rest|remaining|others?|ones?|remainder)(?: (?:one|ones|two|three|few|\\p{N}+))?(?:$| [,:]| (?:to|into|in|on|for|from|with|by|instead) )`, 'u')),
  rule('other-object', 'asks it of somebody else\'s too', /^(?:,|:)? ?(?:and |or |plus |also )?(?:(?:my |our |the )?[\p{L}-]+'s|hers|his|theirs|yours|ours)(?: (?:too|as well|also|and all|while you're at it))?$/u),
  rule('later', 'says not yet', /(?:^| )(?:todavía no|aún no|noch nicht|pas encore|non ancora|ainda não|nog niet)(?: |$)/u),
  rule('mention', 'says for whom it is easy', /^, (?:easy|hard|tough|nice|good|lucky|fun) for (?:you|me|us|them|him|her|some)$/u),
  rule('undo', 'leaves it', /^,? ?(?:hm|hmm|oh|um|ah) , (?:\p{L}+ , )?leave(?: \p{L}+)?$/u),
  rule('later', 'says not now', /(?:^|[ ,:] ?)(?:but |and |only |just )?not (?:now|yet|today|tonight|just yet|right now)$/u),
  rule('undo', 'does not mean it', /^(?:, )?(?:a )?(?:joke|joking|sarcasm|irony|ironically|sarcastically)$/u),
  rule('condition', 'something else must come first', /^(?:, )?(?:but|and|only|though) (?:please |do |just |first |only )*(?:ask|check|confirm|wait|consult|verify|talk|speak) (?:.*first(?: |$)|with |to |(?:him|her|them|me|us)\b|(?:for|until|till) |that |if |whether )|^(?:, )?but (?:please |do |just |first |only )*(?:ask|confirm|wait|consult|verify)(?: |$)|^(?:, )?[\p{L}']+ permitting(?: |$)/u),
  rule('other-object', 'makes an exception', /^(?:, )?(?:but|yet|though|only) (?:please |do |just )*(?!leave .* to \p{L}+$)(?:keep|leave|spare|save|skip|retain|preserve|exclude|omit|not|never|do not|don't) /u),
  rule('other-object', 'makes an exception', /(?:^|, )(?:and |but )?(?:(?:everything|all|anything|any|those) )?(?:except|excepting|excluding|other than|apart from|aside from|all but|everything but|but not|save for|save (?:the|my) (?:last|latest|newest|first|oldest|most|one|ones|two|three)|minus|with the exception|barring|bar the|sparing|not the|only the|just the|keep the|keeping|leaving|leave out)(?: |$)/u),
  rule('report', 'tells who put it so', /(?:^|[,:] )(?:as|so|or so|like|to quote|in the words of) (?!i\b|we\b|you\b)(?:the |my |our )?[\p{L}'-]+ (?:put|puts|said|says|wrote|writes|told|asked|claims|claimed|phrased|called)(?: |$)/u),
  rule('report', 'tells to whom it was said', /(?:^|[,:] )(?:that's what |that is what |as |so |and )?(?:i|we|you) (?:then |also |just |once |had |have |only |even )?(?:told|asked|texted|messaged|wrote|emailed|answered|replied|said to|replied to|wrote to) (?!you\b)/u),
]

/** What the rest of the sentence after a pause, or the next sentence, says of a request. */
export const REMARKS: readonly Rule[] = [
  rule('mention', 'speaks of what is always done', /(?:^|[,:] )(?:it|that|this|which)(?:'s| is) all (?:i|we|you|they|he|she|anyone) (?:ever |really )?(?:do|does|did|say|says|hear|hears|get|gets)(?: |$)/u),
  rule('undo', 'was the wrong one', /(?:^|[,:] )(?:i|we) (?:just )?(?:picked|chose|clicked|pressed|hit|sent|took|typed|said|meant) the wrong (?:one|button|thing|name|number|person|room|key|line)(?: |$)/u),
  rule('mention', 'shows how it is said', /(?:^|[,:] )(?:that's|that is) (?:how (?:you|we|i|they|people|it)|the (?:syntax|command|phrase|wording|trigger|way (?:you|to)))(?: |$)/u),
  rule('mention', 'says something of it', /^(?:that's|that is) an? (?!(?:good |real |true )?(?:love|dear|star|pal|sport|darling|treasure|hero|lad|girl|boy|fellow|chap)\b)\p{L}+/u),
  rule('mention', 'gives it a name', /[,:] .* : (?:my|our|your|his|her|their|a|the) (?:\p{L}+ ){0,2}\p{L}+$/u),
  rule('report', 'says whose words they are', /(?:^|[,:] )(?:that|this|which|it)(?:'s| is| was|) (?:just |only |exactly |all )?what (?!i\b)(?:.* )?(?:said|says|say|wrote|writes|read|reads|told|asked|asks|wants|wanted|claimed|demanded|suggested|texted)(?: |$)/u),
  rule('report', 'says whose words they are', /(?:^|[,:] )(?:(?:those|these|that) (?:were|are|was|is) )?(?:his|her|their|[\p{L}]+'s) (?:exact |own |very |last )?(?:words|wording|idea|message|line|request)(?: |$)/u),
  rule('report', 'says where the words are from', /(?:^|[,:] )(?:that's|that is|that was|this is|this was|it's) (?:how|where) (?:the|his|her|their|my|a) .*(?:ended|ends|began|begins|goes|went|read|reads|put it|closed|starts|started)(?: |$)/u),
  rule('report', 'says where the words are from', /(?:^|[,:] )i (?:just )?(?:read|heard|saw|found|overheard|copied|pasted|quoted|got) (?:that|this) (?:somewhere|online|in|on|from|there|today|yesterday|once)(?: |$)/u),
  rule('other-object', 'makes an exception', new RegExp(`(?:^|[,:] )(?:the |my |his |her |their |but |[\\p{L}]+'s )*${PART}?(?: ${PART})? ?(?:(?:can |may |should |must |will |has to |have to )?(?:stays?|remains?|be kept)|you (?:can|may|should|must) keep|we keep)(?: |$)`, 'u')),
  rule('undo', 'finds it a bad idea', /(?:^|[,:] )(?:oh )?what (?:a|an) (?:\p{L}+ )?(?:bad|terrible|awful|stupid|silly|dumb|horrible|foolish|ridiculous|crazy|mad|daft) (?:idea|thing|plan|request|question|message)/u),
  rule('undo', 'finds it a bad idea', /(?:^|[,:] )(?:that|this|it|which)(?:'s| is| was| would be|'d be| would have been| sounds like| seems like) (?:\p{L}+ )?(?:a |an |the )?(?:\p{L}+ )?(?:bad|terrible|awful|stupid|silly|dumb|horrible|poor|worst|foolish|dangerous|wrong|mistake|joke|lie|error|spam|scam|nonsense|disaster|accident|test|example|quote)(?: |$)/u),
]

/** The sentence after the request's. */
export const NEXT: readonly Rule[] = [
  rule('other-object', 'asks it of somebody else\'s too', /^(?:and |or |plus |also )?(?:(?:my |our |the )?[\p{L}-]+'s|hers|his|theirs) (?:too|as well|also|and all)$/u),
  rule('undo', 'says no after it', /^(?:oh |um |uh |er |ah |hmm |but )*(?:no|nope|nah) , (?!really\b|seriously\b|i'm\b|i am\b|i mean\b|not\b|no\b|wait\b|you\b)/u),
  rule('undo', 'says not to after all', /^(?:or |but |rather |well |ha |lol )*(?:not|no|nope|nah|never|not (?:at all|really|ever|for real|seriously)|never ever)$/u),
  rule('undo', 'says not to do it', /^(?:but |and |please |or |no , |now )*(?:do not|don't|dont|never|you must not|must not) (?:ever |actually |really |please )*(?:do|try|run|execute|obey|follow|fall for) (?:it|this|that|so|any of)(?: |$)/u),
  rule('report', 'says whose words they are', /^(?:is|was) (?:what|how|all|the (?:way|thing|first|last))(?: |$)/u),
  rule('undo', 'does not mean it', /^(?:said|says|quoth|thought) |^(?:a )?(?:joke|joking|sarcasm|irony|ironically|sarcastically)$/u),
  rule('report', 'tells whose words they are', new RegExp(`^(?:so|thus) (?:said|spoke|wrote|spake|it is written)|(?:^| )(?!(?:i|we|you)\\b)[\\p{L}'-]+ (?:actually |really |just |would |could |did |even |once )*(?:${TELLS}|say|write|text|tell|ask) (?:that|this|it|so)(?: to (?:me|us|him|her|them))?$`, 'u')),
  rule('condition', 'something else must come first', /^(?:but |please |only |though |, )*(?:first )?(?:ask|check|confirm|wait|consult|verify|talk|speak)(?: .*)? first(?: |$)|^(?:but |please |though )*first (?:ask|check|confirm|wait|consult|verify|talk|speak)(?: |$)/u),
  rule('other-object', 'makes an exception', /^(?:, )?(?:and |but |well |though |oh |just |only |please )*(?:except|excepting|excluding|other than|apart from|aside from|all but|all except|everything but|everything except|but not|not the|save for|minus|with the exception|barring|only the|just the|leave out)(?: |$)/u),
  rule('other-object', 'makes an exception', new RegExp(`^(?:and |but |oh |please |just |only |, |though )*(?:keep|leave|spare|save|skip|retain|preserve|exclude|omit|not) (?:(?:the|my|out|just|only|at least|any|all) )*${PART}(?: |$)`, 'u')),
  rule('other-object', 'makes an exception', /^(?:but|yet|though|only) (?:please |do |just )*(?:keep|leave|spare|save|skip|retain|preserve|exclude|omit|not) /u),
  rule('condition', 'puts a condition', /^(?:but|and|well|though|only|oh)?(?: ,)? ?(?:only (?:if|when|once|after|until|while)|but (?:if|when|once|after|unless)|unless|provided|assuming|as long as|not (?:until|before|unless)|subject to)(?: |$)/u),
  rule('question', 'asks about it', /^(?:and |so |but )?(?:(?:is|was|would|will) (?:that|this|it)(?: be)? (?:really |even |a |an )*(?:safe|wise|good idea|bad idea|allowed|dangerous|legal|correct|possible|necessary|needed|enough|reversible|permanent)|(?:a )?(?:good|bad) idea(?: or not)?|what (?:would|will|could|might) happen(?: then| next| if .*)?)$/u),
  rule('question', 'asks about it', /^(?:and |so |but )?(?:what|how|why|when|where) (?:does|do|would|will|did|is|happens|means|could|might)(?: .*)?\b(?:that|this|it)(?: (?:do|mean|means|work|cause|change|happen|run|for|even|exactly))*$/u),
]
