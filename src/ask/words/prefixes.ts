/** What people put before a request without changing it. Closed and general: no noun of any route belongs here. */
import { ChainedLists, PhraseList } from '../phrases-at.ts'
import { sentences } from './expand.ts'

/** The form of the verb that must follow: `lock`, `locking`, `locked`. */
export type VerbForm = 'base' | 'ing' | 'ed'

/** Ends whatever stood before: after one of these a request begins. */
const OPENERS = `
(would|will|might|could) (you|u) [please|possibly|maybe|perhaps] be able to [please|just|quickly|maybe|possibly]
are (you|u) able to [please|just|quickly]
(can|could|would|will|might|may|wont|won't|couldn't|can't) (you|u|ya|ye|yous|y'all) [all] [please|pls|kindly|maybe|possibly|perhaps|just|quickly|go ahead and|go and|be so kind as to|be so good as to|be a (dear|love|star|pal|sport|sweetheart|darling|good (sport|lad)) and|be kind enough to|do me a (favour|favor|solid) and|find it in your heart to|see your way to|help me [out] [by|to|and]|at least|also|then|now|for once|manage to|try to|like]
(cud|cld|coud|wud|cn) (you|u|ya) [please|pls|plz]
i [really|just|now|do|kind of] (want|need|would like|would love|require|wish) you to [please|just|go ahead and|now]
i'd [really|just] (like|love|need|prefer|want|ask) [for] you to [please|just|go ahead and|now]
id like you to
i (would|should|'d) be [so|very|most|really|ever so|eternally] (grateful|thankful|obliged|glad|happy|delighted|pleased) if you (would|could|can)
i'd be [so|very|most|really|ever so|eternally] (grateful|thankful|obliged|glad|happy|delighted|pleased) if you (would|could|can)
i (would|should) be [so|very|most|really|ever so|eternally|much] (grateful|thankful|obliged|glad|happy|delighted|pleased) if you'd
i'd be [so|very|most|really|ever so|eternally|much] (grateful|thankful|obliged|glad|happy|delighted|pleased) if you'd
i (would|'d) [really|so|very much|greatly] appreciate it if you (would|could)
i'd [really|so|very much|greatly] appreciate it if you (would|could)
i'd [really|so|very much|greatly] appreciate it if you'd
i (would|'d) [really|so|very much|greatly] appreciate it if you'd
it (would|'d) be [so|really|very] (great|nice|lovely|good|helpful|kind|wonderful|brilliant|awesome|amazing|super|a [great|big] help) if you (would|could|can)
it'd be [so|really|very] (great|nice|lovely|good|helpful|kind|wonderful|brilliant|awesome|amazing|super|a [great|big] help) if you (would|could|can)
(could|can|may|might) i (trouble|bother|ask|get|persuade|have|beg|request|impose on) you to [please|just|kindly]
(could|can) i (trouble|bother) you (for a moment|a second|a moment) to
i (would|'d|will) (trouble|ask|beg) you to
i (am|was) (asking|telling|ordering|begging|instructing) you to
i'm (asking|telling|ordering|begging|instructing) you to
i (beg|implore|urge|order|command|hereby (authorise|authorize|instruct|order|command)|authorise|authorize|instruct) you to
(would|might|could|can) [it] be possible [for you] to
would it be (possible|ok|okay|alright|all right|too much [trouble|bother|to ask]|too much to ask) [for you] to
is it too much [trouble|bother|to ask] [for you] to
is it possible for you to
(any chance|is there any chance|is there a chance|any way|is there any way|chance) (you|u) (could|can|might|would|could please|can please)
(do you think|d'you think|think|reckon|do you reckon|do you suppose|i wonder if|i was wondering if|i'm wondering if|was wondering if|wondering if|i was hoping|i'm hoping|i'd hoped|i wonder whether|i was wondering whether) (you|u) (could|can|might|would|would be able to|could possibly|could maybe|could please|could just)
(do you think|i wonder if|i was wondering if) you'd (be able to|be willing to|be so kind as to|mind and)
(be|would you be|could you be|will you be|please be) (so|very) (kind|good|nice|helpful|sweet|lovely) (as to|and)
(be|please be) (kind|good|nice) enough to
[please|just|kindly] be (so kind|nice and|generous and|good and|kind and|sweet and|helpful and|merciful and)
(would|could|can|will) you be (nice|generous|good|kind|sweet|helpful) and
[please] be a good (bot|robot|machine|assistant|boy|girl|fellow|lad|chap|sport) and
if you('d| would) be (so|good|kind|so good|so kind|very kind) [enough] [to|as to]
(i wonder if|i was wondering if|wondering if) you'd
(may|can|could) i have you
may i please
i beg (you|of you)
please do
do please
(be|please be) (a|an) [absolute|real|total|good|proper] (dear|love|star|pal|sport|sweetheart|darling|angel|doll|champ|legend|mate|gem|treasure|hero|saint|peach|lamb) and
(would|could|will) you be (a|an) [absolute|real|total|good|proper] (dear|love|star|pal|sport|sweetheart|darling|angel|doll|champ|legend|mate|gem|treasure|hero|saint|peach|lamb) and
[please|just|kindly] do (me|us) (a|the|one|a quick|a huge|a big|a small|a little|this one) (favour|favor|solid|kindness|thing|service) [and]
[please] do (one thing|this|the following|something for me)
(kindly|please|just) do the needful [and]
[please|just|kindly|right|now|so|ok|okay] (go ahead and|go on and|come on and|hurry up and|crack on and|jump in and|step in and|get on and|get in there and|be quick and|try and|go and|feel free to|make sure to|make sure you|make sure that you|be sure to|be sure and|remember to|don't forget to|dont forget to|do not forget to|see to it that you|go right ahead and|get to it and|proceed to|please proceed to|proceed and|hop to it and|see about)
(i need you|i want you|id like you|i'd like you|we need you|we want you|we'd like you|we would like you) [now] to
(all|what|the only thing|the one thing) (you (have|need) to do|i (want|need)|i (want|need) you to do|left to do|that's left) [now] is [to]
your (job|task|mission|next (job|task|step|move)|only job) [now|here|today] is to
(the|my) next (job|task|step) for you is to
(the|my) next request [for you] is to
(grateful|thankful|obliged|much obliged|appreciated|great|lovely|nice|good|kind of you) if you (would|could|can|might)
`

/** Requests only where they begin the sentence: after other words they tell what is possible. */
const STARTERS = `
you (only|just) (have|need) to
you (should|must|have to|need to|may|can|could|will|are to|can go ahead and|may as well|might as well|had better) (now|please|also|go ahead and|just)
you (may as well|might as well|had better|can go ahead and)
you'd better
[now|ok|okay|so|right] (time|it's time|its time|it is time|high time|it's high time) for you to
(you'll|you'd) (need|want) to
`

/** Wishes, suggestions and a stressed "do": requests only where they begin the sentence and nothing follows that makes them a plan. */
const WISH_OPENERS = `
[so|ok|okay|well|hi|hey|hello|right|yes|please|actually|and|also|now] (i'd|id|i would) [really|just|also|now] (like|love|prefer|want|wish) to [please|now|just]
[so|ok|okay|well|hi|hey|hello|right|yes|actually|and|also|now] i [really|just|also|now] (want|wish|wanna|fancy|would like) to [please|now|just]
i wanna
[so|ok|okay|well|right|yes|please|now|come on|alright|then|and] (let's|lets|let us) [just|please|go ahead and|quickly|now]
[please|yes|ok|okay|right|oh|and|now|well] do [please|just|kindly]
you (can|may)
`

/** Ask for the -ing form. */
const ING_OPENERS = `
(would|do|will|could|should|d') you [please] mind [awfully|terribly|just|maybe|very much|at all|too much]
(would|do) (you|u) mind
[d'you|you] mind [awfully|just]
(how about|what about|any chance of|is there any chance of|any chance of you|fancy|feel like)
(i'd|i would) (appreciate|be grateful for) you
(thanks|thank you) in advance for
`

/** Ask for the past form. */
const ED_OPENERS = `
(i'd|i would) [really|so|very much|greatly] appreciate it if you
(i'd|i would|i should) be [so|very|most|really|ever so|much] (grateful|thankful|obliged|glad|happy|delighted|pleased) if you
(it'd|it would) be [so|really|very] (great|nice|lovely|good|helpful|kind|wonderful|a [great|big] help) if you
(i'd|i would) (like|love|prefer) it if you
(would|do) you mind if i asked [that] you
(would it be|is it) (ok|okay|alright|all right|possible|too much trouble) if you
(it's|it is|its) [about|high] time you
(i'd|i would) (rather|sooner) you
`

/** Said before a request without a claim of their own. They join with no pause: `ok so um just`. */
const PARTICLES = `
(please|pls|plz|plz|pleeease|pleease|please please|prithee|kindly|pretty please)
(um|umm|ummm|uh|uhh|uhm|er|err|erm|ermm|hm|hmm|hmmm|mm|mmm|mhm|ah|ahh|eh|oh|ooh|oooh|ohh|aw|aww|ugh|argh|gah|phew|whew|pff|tsk|brr|hah|ha|haha|huh|och|ach|oi|oy|ahem|wow|yikes|oops|whoops|gosh|blimey|crikey|jeez|sheesh|dang|damn|darn|shoot|crap|shit|fuck|bloody hell|god|heck|yay|woo|woohoo|bah|meh|nah)
(ok|okay|okey|okie|k|kk|okey doke|okey dokey|okie dokie|oki|alright|alrighty|all right|aight|right|righto|right then|rightio|right so|well|so|now|now then|then|well then|so then|ok then|okay then|alright then|anyway|anyways|anyhow|anywho|look|listen|hey|hi|hiya|hello|hallo|heya|hey there|hi there|yo|ahoy|greetings|howdy|good (morning|afternoon|evening|day)|morning|evening|afternoon)
(yes|yeah|yep|yup|yea|ya|ye|yes yes|yeah yeah|aye|sure|sure thing|of course|certainly|absolutely|definitely|exactly|indeed|fine|great|good|perfect|cool|nice|lovely|excellent|awesome|brilliant|grand|super|sweet|wonderful|splendid|fair enough|fair's fair|fair|got it|understood|gotcha|noted|agreed|confirmed|approved|affirmative|roger|done|deal|true|correct|very well|very good|sounds good|looks good|all good|no problem|no worries|whatever|fine then|why not)
(no|nope|not that|not this|no wait|wait|wait wait|hang on|hang on a (second|minute|sec|tick)|hold on|one (second|moment|sec|minute)|just a (second|moment|sec|minute)|sorry|oh sorry|pardon|excuse me|my bad|apologies|forgive me|scuse me|beg your pardon|actually|i mean|i meant|i meant to say|rather|or rather|instead|scratch that|scrap that|strike that|never mind|nevermind|nvm|forget that|forget it|correction|on second thought|on second thoughts|on reflection|come to think of it|you know what|tell you what|i tell you what|i'll tell you what|do you know what|know what)
(just|simply|only|quickly|quick|real quick|really quick|real quickly|super quick|very quickly|quick one|quick thing|quick question|quick request|asap|immediately|promptly|straight away|straightaway|right away|right now|right this (second|minute|instant)|at once|now now|this (instant|minute|second|moment)|first|first of all|first off|first things first|firstly|for starters|second|secondly|third|next|next up|next thing|finally|lastly|last but not least|last of all|last thing|one last thing|one more thing|one thing|one other thing|another thing|also|too|additionally|besides|plus|again|once more|once again|one more time|same again|for the (last|second|third|fourth|fifth|umpteenth|hundredth|millionth) time|for now|for once|for me|for us|for god's sake|for goodness sake|for goodness' sake|for heaven's sake|for heavens sake|for pete's sake|for crying out loud|for fuck's sake|for the love of (god|all things holy|all that is holy|mike|pete|everything))
(like|basically|literally|honestly|seriously|frankly|obviously|clearly|essentially|actually|really|maybe|perhaps|possibly|probably|kinda|kind of|sort of|sorta|you know|y'know|ya know|i guess|i suppose|i think|i reckon|i believe|i'd say|to be honest|tbh|to be fair|in fact|as i said|like i said|as i was saying|as i say|as requested|as (discussed|agreed|planned|usual|always|per usual|ever)|as a matter of fact|let me see|lemme see|let me think|lemme think|let's see|lets see|let me check|now let me see|hmm let me see|what was it|what was that|what's it called|what is it called|what's it|whats it called|whatsit|what do you call it|whatchamacallit|where was i|where were we|what was i saying|what was i going to say|how do i say this|how do you say|how shall i put it|what else|what next|guess what)
((isn't|aren't|wasn't|weren't|don't|doesn't|didn't|can't|couldn't|won't|wouldn't|haven't|hasn't|hadn't) (it|they|he|she|we|i|them|that)|so (it|he|she|they|we|i) (is|are|am|was|were|does|has|have)|can you believe (it|this|that)|would you believe it|don't you think|you see|mind you|innit|right|eh|know what i mean|if you ask me|believe it or not|as you (know|can see|see)|for what it's worth|i'm afraid|i must say|i have to say|i gotta say|what a (day|mess|night|shame|pity|surprise)|bless (him|her|them|it)|poor (thing|you|me)|lucky (me|you|us))
(for the record|for future me|for later|good morning to you|good evening to you|good afternoon to you|when you('ve| have) [got] a (second|moment|minute|sec|spare moment|spare minute|free moment|free minute|free second|free hand)|whenever you're happy [with it|with that])
(off we go|off i go|away we go|here we are|there it is|welp|praise be|deep breath)
(before (i|we) forget|before i forget again|before anything else|before you ask|before it's too late|while (you're|youre|you are|we're|i'm|i am) (at it|there|here|about it|on it)|while i (remember|think of it|have you)|since you('re| are) (here|asking|there)|now that (i|you) mention it|when you (get|have) a (second|moment|minute|sec|chance)|whenever you're ready|when you're ready|when you can|as soon as you can|as soon as possible|at your (earliest convenience|convenience|leisure)|in your own time|if (possible|you can|you could|you would|you please|you will|you like|you must|need be|necessary|it's possible|it is possible|poss|that's ok|that's okay|that's alright|that's all right|that is ok|it's ok|it's okay|it's not too much (trouble|bother|hassle)|it is not too much (trouble|bother|hassle)|it isn't too much (trouble|bother|hassle)|it's no (trouble|bother)|it's not a (bother|problem)|it's all the same to you|you don't mind|you do not mind|you wouldn't mind|you would not mind|you'd be so (kind|good)|you'd be kind enough|you would be so (kind|good)|you could be so (kind|good)|you have a (second|moment|minute|sec)|you've got a (second|moment|minute|sec)|you get a (second|moment|minute|sec|chance)|you're there|you're still there|you are there|you're listening|you can hear me|you're awake|you're ready|you're free|i may|i might|i could ask|i can ask|i may be so bold|you ask me|you know what's good for you))
(here goes nothing|right then|here it goes|well here goes|go|go on|go on then|go ahead|come on|come on then|cmon|c'mon|let's go|lets go|here goes|here we go|off you go|there you go|there we go|over to you|do it|just do it|do that|let's do (it|this|that)|lets do (it|this)|get on with it|chop chop|hurry|hurry up|quick quick|pronto|stat|attention|heads up|fyi|btw|by the way|incidentally|speaking of which|on that note|with that|that said|having said that|either way|in any case|at any rate|in that case|in the meantime|meanwhile|as for me|from me|on my (behalf|word|command|say so)|with my blessing)
(i repeat|repeat|again i say|i say again|i said it already|i'm serious|i am serious|i mean it|i really mean it|trust me|believe me|mark my words|you heard me|you heard|you heard right|hear me out|read my lips|do as i say|as you wish|thank you|thanks|ta|cheers|much appreciated|many thanks|thanks again|thanks in advance|thank you kindly|god bless|bless you|bless|please and thank you)
(i know|i know i know|i see|oh i see|i get it|i'm sorry|im sorry|sorry sorry|sorry to (bother|trouble|disturb|interrupt|nag|be a (pain|bother|nuisance))|sorry about (this|that)|sorry for (this|that|the trouble|the bother|the short notice)|oh (yes|yeah|no|well|right|god|dear|my|boy|man|lord|bother|hell|great|good|good grief|for god's sake|for heaven's sake|shoot|sure|ok|okay|wait|and|also|hey|hi|go on|come on|look|never mind|come on then|go on then)|my (god|goodness|word)|dear (god|lord|me)|good (god|lord|grief|heavens)|holy (cow|moly|smoke|smokes)|ye gods|thank (god|goodness|heavens)|bless me|oh my|oh my (god|goodness)|omg|lol|wtf|ffs|smh)
(i nearly forgot|i almost forgot|nearly forgot|almost forgot|oh i (nearly|almost) forgot|yes i'm sure|i'm sure|im sure|i am sure|i'm certain|i'm positive|changed my mind|i('ve| have) changed my mind|i changed my mind|i've decided|i have decided|i've made up my mind|decision made|it's decided|that's settled|on it|ready|i'm ready|we're ready|all set|we're all set|all done|all clear|green light|you have my (permission|blessing|go ahead|ok|okay|approval)|permission granted|you're (good|clear|cleared) to go|good to go|we're good to go|go time|showtime|it's time|time's up|enough|that's enough|that's it|that'll do|that's that|that's all|that's everything|that's right|that's fine|that's correct|that's great|that is all|this is it|this is the one|this one|that one|the other one|wrong one|not that one|the other way round|the other way around|other way round)
(dude|bro|bruh|buddy|pal|mate|man|boss|chief|friend|my friend|old friend|dear|my dear|love|my love|darling|honey|hon|sweetie|sweetheart|sugar|babe|sir|ma'am|madam|miss|kiddo|folks|guys|team|everyone listen|bhai|yaar|bud|fella|old chap|old boy|mister|my good man|my good sir|genius|champ|captain|comrade|amigo|pet|petal|duck|hen|lad|my lad|sunshine|sweet pea)
[hey|ok|okay|hi|hello|yo|dear|oh|right|listen|hey there|mister|mr|my (trusty|faithful|dear|little|good|clever|dutiful|loyal|helpful|beloved|humble|digital)] (computer|machine|robot|bot|assistant|house|butler|usher|ai|the assistant|jeeves|genie|helper)
(so|and|but|and then|then|and now|and so|but now|and also|and please|and just|so now|so just|so please|so go on|therefore|thus|hence|or|because|cause|plus|otherwise|even so|still|yet|though|although|nevertheless|regardless)
((one|two|three|four|a couple of|a few) (thing|things|requests|jobs)|on the count of three|deep breath|here we go then)
(tl dr|tldr|in short|in a nutshell|long story short|to cut a long story short|bottom line|to sum up|in summary|in conclusion|end of story|simple|plain and simple|that's an order|this is an order|it's an order|it's an instruction|it's a command|it's a request|this is a request|this is not a drill|this isn't a drill|this is not a question|that's not a question|that wasn't a question|not a question|try again|try this|one more try|let's try (that|this|it) again|let me try (that|this|it) again|take two|again please|same as (before|always|usual|last time|yesterday)|like (before|always|last time|usual|yesterday)|as before|urgent|attention please)
`

/** Between an object and its verb: "the draft, that's the one to delete", in two halves, since together they are 55,000. */
const POINTED = `
[and|so|yes|yeah] (that's|that is|it's|it is|this is|is|those are|these are) [exactly|just] (the one|the ones|what|who|where|which one|the thing)
`
const AT = `
[that|which] (to|(i|we) (want|need|would like) [you] to|(i'd|we'd) like [you] to|you should|you need to|you can|i meant|i mean)
`
const BETWEEN = `
(i|we) (want|need|would like) you to
(i'd|we'd) like you to
you (can|may|could|should) [now|just|please]
(go ahead and|if you (would|could|can)|would you|could you|can you)
`

/** What a request may be headed with, before a pause. */
const LABELS = `
(request|command|instruction|order|task|ask|action|prompt|voice command|new (task|request|command|instruction)|next (task|step|request|command|instruction|item|job)|important|priority|high priority|emergency|the short version|short version|todo now)
`

/** The same in other languages: politeness, attention, fillers. */
const FOREIGN = `
(genug|genug jetzt|jetzt reicht's|schluss|schluss jetzt|schluss damit|und schluss|so schluss|fertig|und fertig|basta|basta così|basta dai|daje|oddio|mannaggia|uffa|también|por fa|por fin|ya basta|ya está|ándale|órale|venga va|ça suffit|suffit|assez|s'te plaît|s'te plait|steuplaît|zut|mince|punaise|chega|pronto|genoeg|klaar|zo)
(bitte|bitte mal|bitte noch|mal bitte|bitte schön|sei so (gut|nett|lieb) und|seien sie so (gut|nett) und|bitte sei so (gut|nett|lieb) und|kannst du [mal|bitte|mir|mal bitte|bitte mal]|könntest du [mal|bitte|mir|mal bitte|bitte mal]|kannst du bitte|könnten sie [bitte]|würdest du [bitte|mal]|würden sie [bitte]|danke|danke dir|danke schön|dankeschön|vielen dank|also|so|na gut|na dann|na los|los|los geht's|komm|ach|ach ja|ach so|ähm|äh|hm|tja|naja|na|ja|jetzt|sofort|gleich|schnell|mal|mal schnell|mal eben|eben|doch|doch mal|halt|genau|gut|gut dann|okay|alles klar|alles gut|klar|super|prima|hallo|hey|hi|servus|moin|guten (morgen|tag|abend)|entschuldigung|sorry|verzeihung|ich möchte dass du|ich will dass du|jetzt bitte|bitte jetzt|bitte sofort|schön|mach schon|mach mal|mensch|mann)
(s'il te plaît|s'il te plait|s'il vous plaît|s'il vous plait|stp|svp|sil te plait|sil vous plait|je t'en prie|merci|merci beaucoup|merci bien|merci d'avance|allez|allez hop|hop|vas y|vas-y|bon|bon ben|ben|bah|alors|bonjour|salut|coucou|bonsoir|euh|heu|ah|oh|oui|ouais|ok parfait|parfait|d'accord|très bien|bien|voilà|tiens|dis|dis donc|écoute|allô|tout de suite|maintenant|vite|tu peux|peux tu|peux-tu|pourrais tu|pourrais-tu|tu pourrais|pouvez vous|pourriez vous|vous pouvez|est ce que tu peux|est-ce que tu peux|veux tu|veuillez|merci de|j'aimerais que tu|je voudrais que tu|je veux que tu|excuse moi|excusez moi|pardon|désolé|désolée|mon ami|chéri|chérie|enfin|donc|du coup|et|puis)
(por favor|porfa|porfis|porfavor|gracias|muchas gracias|mil gracias|vale|vale vale|venga|anda|dale|oye|oiga|hola|buenas|buenos días|buenas tardes|buenas noches|a ver|bueno|pues|pues nada|eh|este|esto|ay|ah|sí|si|claro|listo|perfecto|de acuerdo|muy bien|bien|ahora|ahora mismo|ya|ya mismo|rápido|enseguida|puedes|podrías|me puedes|me podrías|puede|podría|quiero que|necesito que|quisiera que|te importa|perdona|perdón|disculpa|amigo|tío|tía|hombre|mira|entonces|y|luego|vamos)
(per favore|per piacere|perfavore|ti prego|grazie|grazie mille|mille grazie|dai|dai dai|forza|su|allora|ciao|buongiorno|buonasera|salve|senti|scusa|scusi|ecco|beh|boh|mah|ehm|eh|ah|sì|va bene|bene|perfetto|d'accordo|certo|ok|subito|adesso|ora|ora subito|presto|puoi|potresti|mi puoi|può|potrebbe|vorrei che|voglio che|andiamo|vabbè|dunque|quindi|poi|e)
(por favor|faz favor|se faz favor|obrigado|obrigada|muito obrigado|muito obrigada|valeu|olá|oi|bom dia|boa tarde|boa noite|então|olha|olhe|pois|bem|bom|tá|tá bom|tá bem|está bem|ok|certo|claro|sim|já|agora|agora mesmo|rápido|logo|pode|podes|podias|poderia|você pode|quero que|gostaria que|preciso que|desculpa|desculpe|amigo|cara|vamos|vai|anda lá|vá|vá lá|e|é|hã|né)
(alsjeblieft|alstublieft|asjeblieft|aub|ajb|graag|dank je|dankjewel|dank u|bedankt|hoi|hallo|hé|hey|goedemorgen|goedenavond|nou|nou ja|nu|meteen|direct|snel|even|effe|eventjes|kun je|kan je|wil je|zou je|kunt u|zou u|wilt u|toe|kom|kom op|vooruit|oké|goed|prima|ja|ja hoor|ach|eh|uh|euh|dus|en|dan|sorry|pardon|ik wil dat je|hup|zeg|luister)
(proszę|poproszę|prosze|dzięki|dziękuję|cześć|hej|no|dobra|dobrze|teraz|szybko|tak|czy możesz|możesz|lütfen|lutfen|teşekkürler|merhaba|hadi|haydi|tamam|şimdi|pozhaluysta|пожалуйста|спасибо|привет|давай|сейчас|ну|так|слушай|будь добр|будь добра|можешь|onegai|kudasai|お願いします|お願い|ください|请|麻烦|谢谢|kripya|kripaya|krpya|arre|are|arey|arre yaar|arre bhai|bhai|bhaiya|yaar|chalo|chal|accha|acha|haan|haan ji|ji|jaldi|jaldi se|zara|abhi|bas|theek hai|thik hai|suno|dekho|snälla|tack|tack så mycket|hej|hejsan|okej|nu|snabbt|vänligen|kan du|kan ni|vær så snill|vennligst|takk|tusen takk|hei|tak|venligst|kiitos|ole hyvä|hei|moi|nyt|kérlek|köszönöm|szia|most|prosím|prosim|děkuji|díky|ahoj|teď|tolong|terima kasih|makasih|hai|oke|sekarang|xin|làm ơn|cảm ơn|shukran|min fadlak|min fadlik|yalla|habibi|asante|tafadhali)
`

/**
 * Said of what stood before, so a pause parts them from the request: "freezing in here, isn't it, heat the hall". Without one the words go on into what follows, and it is asked about
 * ("didn't it heat the hall"), denied ("no heat in the hall"), weighed ("or heat the hall") or spoken of.
 */
const PARTED = `
(isn't|aren't|wasn't|weren't|don't|doesn't|didn't|can't|couldn't|won't|wouldn't|haven't|hasn't|hadn't) (it|they|he|she|we|i|them|that)
so (it|he|she|they|we|i) (is|are|am|was|were|does|has|have)
(no|nope|no no|no no no|not that|not this|not that one|never mind|nevermind|nvm)
(how do you say|how do i say this|what do you call it|what's it called|what is it called|whats it called|can you believe (it|this|that)|don't you think|what was that|what's it|what was it)
(or|because|cause|otherwise)
`
export const PARTED_PREFIXES: ReadonlySet<string> = new Set(sentences(PARTED))

/** Prefixes only where a pause follows. */
export const HEADINGS: ReadonlySet<string> = new Set(sentences(LABELS))

export const SENTENCE_STARTERS: ReadonlySet<string> = new Set([...sentences(STARTERS), ...sentences(WISH_OPENERS)])
export const WISHES: ReadonlySet<string> = new Set(sentences(WISH_OPENERS))

/** Prefix phrases as joined words -> the verb form that must follow; `particle` leaves it open. */
export const PREFIXES: ReadonlyMap<string, VerbForm | 'particle'> = new Map<string, VerbForm | 'particle'>([
  ...[...sentences(PARTICLES), ...sentences(FOREIGN)].map(line => [line.replace(/-/g, ' '), 'particle'] as const),
  ...sentences(OPENERS).map(line => [line, 'base'] as const),
  ...sentences(ING_OPENERS).map(line => [line, 'ing'] as const),
  ...sentences(ED_OPENERS).map(line => [line, 'ed'] as const),
])

/** The same, to be looked up forwards. */
export const PREFIX_LIST = new PhraseList(PREFIXES.keys())
export const BETWEEN_LIST = new ChainedLists(new PhraseList(sentences(BETWEEN)), [new PhraseList(sentences(POINTED)), new PhraseList(sentences(AT))])

/** With those that count in some places only, to be looked up backwards. */
export const ALL_PREFIXES = new PhraseList([...PREFIXES.keys(), ...SENTENCE_STARTERS, ...HEADINGS])
