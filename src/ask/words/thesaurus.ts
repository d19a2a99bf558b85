/**
 * Verbs that ask for the same thing of the same object, in classes of general English. A member may be several words.
 * Only the verb may change, never the object: "get rid of the draft" asks to delete it, "lock" is never "unlock".
 */
import { PhraseList } from '../phrases-at.ts'
import { sentences } from './expand.ts'

const CLASSES: readonly string[] = [
  'delete|remove|erase|discard|get rid of|throw away|throw out|bin|trash|dump|scrap|chuck|chuck out|ditch|wipe|toss|do away with|dispose of|junk',
  'open|open up|bring up|pull up|launch|show me|show|display|pop open|pop up|fire up|let me see|put up',
  'close|shut|pull to',
  'open up|open|raise|swing open',
  'lock|lock up|bolt|secure|latch',
  'unlock|unbolt|unlatch|release',
  'start|begin|launch|kick off|fire up|run|initiate|trigger|get going|set off|start up|start off|set going',
  'stop|end|halt|terminate|finish|kill|shut down|quit|abort',
  'restart|reboot|power cycle|bounce|reset|cycle',
  'turn on|switch on|put on|power on|flip on|enable|activate',
  'turn off|switch off|power off|power down|disable|deactivate|kill|shut off',
  'turn down|lower|reduce|bring down|drop|knock down|decrease',
  'turn up|raise|increase|bring up|crank up',
  'mute|silence|hush|quieten|quiet|shush|turn off the sound of',
  'send|shoot|fire off|ping|message',
  'call|ring|phone|dial|give a ring to|ring up|call up|give a call to',
  'book|reserve|arrange|schedule|order',
  'buy|purchase|get|order|get hold of',
  'pay|settle|clear',
  'cancel|call off|scrap',
  'make|create|add|write',
  'note down|jot down|write down|make a note of|take down|jot|note',
  'record|log|write down|note|note down|register|jot down|put down',
  'save|store|keep',
  'export|dump|download|save',
  'archive|file away|put away|move to the archive',
  'restore|bring back|get back|recover|unarchive',
  'print|print out|print off|run off',
  'share|send',
  'publish|post|release|put out|push out|put up',
  'deploy|ship|push|roll out|release|push out|put live',
  'approve|sign off on|sign off|ok|okay|accept|green light|give the ok to',
  'decline|reject|turn down|say no to|refuse',
  'move|shift|push|reschedule',
  'extend|lengthen|prolong|top up',
  'renew|extend',
  'freeze|block|lock|put a freeze on|put a block on|put a hold on',
  'freeze|block|suspend',
  'unfreeze|unblock|thaw|take the freeze off|lift the block on|lift the freeze on|take the block off',
  'split|divide|share out|divvy up|go halves on',
  'return|send back|take back',
  'queue|queue up|line up|enqueue|add to the queue',
  'play|put on|stick on|pop on|start playing',
  'announce|broadcast|tell everyone|tell everybody',
  'translate|convert|render',
  'clear|flush|wipe|purge|empty|clean out|clear out',
  'back up|take a backup of|make a backup of|backup',
  'water|give water to|sprinkle',
  'feed|give food to|give some food to',
  'rotate|roll|change|cycle|swap out',
  'snapshot|take a snapshot of|make a snapshot of|grab a snapshot of',
  'ban|block|blacklist',
  'grow|extend|expand|enlarge|increase|bump up|resize|make bigger',
  'promote|make primary',
  'reissue|renew|issue again|regenerate',
  'check on|look in on|check up on',
  'raise|lift|lift up|put up|bring up|elevate',
  'defrost|thaw|thaw out',
  'dispatch|send out|ship|ship out|send off|get out the door|post off',
  'dim|lower|turn down|bring down',
  'rent|hire',
  'find|look for',
  'avoid|steer clear of|stay off|stay away from|keep off|keep me off|keep away from',
  'navigate to|take me to|drive me to|give me directions to|get me to|directions to|route me to',
  'block|bar',
  'begin|start|kick off',
  'scan|scan in',
  'snooze|silence|mute|hush|quieten|pause',
  'run|do|perform|execute|carry out|kick off|start|fire off|launch',
  'apply|run|execute',
  'hold|pause|put on hold|park|keep back',
  'mark|flag|set|list',
  'chase|chase up|nudge|remind',
  'arm|activate|enable|switch on|turn on|set',
  'settle|pay|pay off',
  'tell|inform|let know|notify',
  'forget|erase|delete|wipe|drop',
  'change|update|alter|set',
]

/** Verb (one or more words) -> the words that may stand for it. */
export const SYNONYMS: ReadonlyMap<string, PhraseList> = (() => {
  const table = new Map<string, Set<string>>()
  for (const line of CLASSES) {
    const members = line.split('|').flatMap(sentences)
    for (const member of members) {
      const known = table.get(member) ?? new Set<string>()
      for (const other of members) if (other !== member) known.add(other)
      table.set(member, known)
    }
  }
  return new Map([...table].map(([verb, others]) => [verb, new PhraseList(others)]))
})()
