/** Words after a request that take it back. Each opens a clause. */
import { PhraseList } from '../phrases-at.ts'
import { sentences } from './expand.ts'

/** So clear that they count anywhere after the request. */
export const STRONG_RETRACTIONS = new PhraseList(sentences(`
(never mind that|nevermind that|forget it|scrap that|scratch that|strike that|cancel that|belay that|don't bother|dont bother|hang fire|on second thought|on second thoughts|actually no|no don't|oh no don't|changed my mind|i've changed my mind|actually don't|leave it be|no leave it|no not yet|no stop|just kidding|false alarm)
`))

/** What shows that the request before it was not meant. */
export const IRONY = new PhraseList(sentences(`
(what could (possibly|ever) go wrong|what could go wrong|what could possibly|good luck with that|good luck|great plan|great idea|brilliant idea|genius idea|what a (great|brilliant|good|lovely|terrible) idea|very funny|as if that|yeah right|in my dreams|in your dreams|you must be joking|you wish|i wish|not|said no one ever|said nobody ever|ha ha|famous last words|that'll help|that will help|like that's going to|easier said than done|and then what|if only|i don't think so)
`).filter(phrase => phrase !== 'not'))

export const RETRACTIONS: readonly string[] = sentences(`
(never mind|nevermind|nvm|forget it|forget that|forget about it|forget i (said|asked)|scrap that|scrap it|scratch that|strike that|cancel that|cancel it|cancel|abort|abort that|belay that|undo that|ignore that|ignore (me|it|the last)|disregard|disregard that|delete that|not yet|not now|not today|not any more|not anymore|on second thoughts|on second thought|hang fire|hold fire|hold off|hold it|hold your horses|hold on|wait|no wait|wait no|stop|stop stop|stop it|stop that|halt|leave it|leave it be|leave it alone|leave that|leave them|leave him|leave her|leave the|let it be|skip it|skip that|drop it|don't|dont|do not|don't do it|don't bother|better not|maybe not|perhaps not|rather not|i'd rather not|no don't|no leave|no stop|no not|no forget|just kidding|just joking|kidding|only kidding|jk|only joking|i didn't mean (it|that|to)|i don't mean it|i take (it|that) back|i was joking|i'm joking|i changed my mind|changed my mind|i've changed my mind|actually no|actually don't|actually leave|actually not|no actually|nope|nah|no no|no no no|oops|whoops|wrong (one|button|window|tab|branch|room|person|number|account|file|order|chat|channel)|my mistake|false alarm|keep it|keep them|oh no|oh wait|hmm no|ah no|uh no|um no|er no|or not|or maybe not|or don't|in your dreams|you must be joking|over my dead body|no way|not a chance|not on your life|fat chance|as if|yeah right|not|nein|doch nicht|lieber nicht|vergiss es|stopp|laisse tomber|non|oublie|en fait non|olvídalo|mejor no|déjalo|no no|lascia stare|lascia perdere|anzi no|deixa|deixa pra lá|esquece|laat maar|toch niet|niet doen)
`)
