/** English verbs in general use: to know an imperative, to undo an inflection, and to know a word that means nearly the same. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Base forms, most common first; for "and <verb> ..." and for imperative clauses. */
export const BASE_VERBS: ReadonlySet<string> = new Set(words(`
be have do wish say get make go know take see come think look want give use find tell ask work seem feel try leave call keep let begin help show hear play run move live believe hold bring happen write provide sit stand lose pay meet include continue set learn change lead understand watch follow stop create speak read allow add spend grow open walk win offer remember love consider appear buy wait serve die send expect build stay fall cut reach kill remain suggest raise pass sell require report decide pull
return explain hope develop carry break receive agree support hit produce eat cover catch draw choose cause point listen realize place close involve increase share visit wear teach answer wake sing shut lock unlock turn switch start restart finish end save load delete remove erase clear clean wipe wash dry cook bake heat cool warm freeze unfreeze fix repair mend check test verify review approve reject decline accept confirm deny cancel undo redo restore reset update upgrade install uninstall deploy release publish post ship push merge pull commit revert rollback roll tag mark label name rename copy paste move drag drop print scan fax mail email text message ring phone dial page ping notify remind alert warn tell announce broadcast
record log note jot schedule book reserve order rent hire pay settle transfer wire donate refund charge bill invoice split chase renew extend shorten reduce lower raise increase decrease dim brighten mute unmute silence pause resume skip rewind queue shuffle stream cast mirror record snap snapshot photograph film edit crop trim resize rotate flip merge compress extract unzip zip archive unarchive import export convert translate summarise summarize describe list count sort filter search find lookup google browse fetch download upload sync backup back dump migrate seed index compile build lint format refactor rewrite draft compose reply forward attach sign seal send dispatch deliver collect pick fetch bring take feed water walk vacuum mop sweep hoover dust iron fold hang tidy declutter sort pack unpack load empty fill refill top pour stir mix chop peel slice boil fry roast grill defrost thaw reheat preheat light ignite extinguish blow arm disarm enable disable activate deactivate launch boot reboot shutdown sleep hibernate suspend terminate kill ban unban block unblock mute follow unfollow subscribe unsubscribe join leave invite kick promote demote assign unassign escalate snooze dismiss acknowledge resolve reopen navigate drive route avoid detour park charge plug unplug connect disconnect pair unpair link unlink bind attach detach mount unmount eject
put keep stick pop throw chuck toss bin dump get grab hand pass shoot fire give lend borrow steal swap trade exchange replace substitute hide reveal display present project highlight underline bold enlarge shrink zoom scroll click tap press type enter submit fill complete tick untick select deselect pick choose draft plan arrange organise organize prepare set lay spread cover wrap tie untie knock bang kick punch lift hoist raise lower drop sink dig plant sow harvest pick prune mow rake shovel dream go head march fly sail ride swim run jump hop climb quit exit close shut seal bolt secure latch protect guard watch monitor track trace measure weigh calculate compute estimate compare contrast rate rank vote choose elect appoint nominate hush quiet calm relax wait sleep rest freeze hold stop squash bump patch pin unpin star unstar flag unflag bookmark save store stash hide dispose discard scrap shred burn roll squeeze push shove slide swing spin bounce jog nudge poke prod buzz beep honk chirp sing hum whistle shout yell whisper talk chat discuss argue debate negotiate apologise apologize thank greet welcome congratulate praise blame forgive forget remember remind memorise memorize rehearse practise practice train coach teach tutor guide lead steer direct manage run operate handle process treat cure heal nurse feed care tend mind babysit paste screenshot sum tot tally note write draft dictate transcribe caption subtitle read recite quote cite reference google wrap crank knock whack stick bung sling fling pop whip ramp scale spin provision allocate mint issue reissue revoke grant deny permit restrict limit cap throttle cordon drain evict taint quarantine isolate inspect debug profile trace dump tail watch fetch rebase squash cherry stash pull clone fork explain clarify elaborate expand collapse minimise minimize maximise maximize open fit suit leak belong matter
`))

const IRREGULAR: Readonly<Record<string, string>> = {
  made: 'make', sent: 'send', told: 'tell', took: 'take', taken: 'take', gave: 'give', given: 'give', put: 'put', set: 'set', shut: 'shut', cut: 'cut', let: 'let', got: 'get', gotten: 'get', went: 'go', gone: 'go', came: 'come', ran: 'run', began: 'begin', begun: 'begin', brought: 'bring', bought: 'buy', built: 'build', caught: 'catch', chose: 'choose', chosen: 'choose', did: 'do', done: 'do', drew: 'draw', drawn: 'draw', drove: 'drive', driven: 'drive', ate: 'eat', eaten: 'eat', fed: 'feed', felt: 'feel', found: 'find', flew: 'fly', forgot: 'forget', forgotten: 'forget', froze: 'freeze', frozen: 'freeze', unfroze: 'unfreeze', unfrozen: 'unfreeze', grew: 'grow', grown: 'grow', held: 'hold', hid: 'hide', hidden: 'hide', hung: 'hang', kept: 'keep', knew: 'know', laid: 'lay', led: 'lead', left: 'leave', lent: 'lend', lit: 'light', lost: 'lose', met: 'meet', paid: 'pay', read: 'read', rang: 'ring', rung: 'ring', rose: 'rise', said: 'say', sold: 'sell', shot: 'shoot', showed: 'show', shown: 'show', sang: 'sing', sat: 'sit', slept: 'sleep', spent: 'spend', split: 'split', stole: 'steal', stuck: 'stick', swept: 'sweep', swung: 'swing', taught: 'teach', thought: 'think', threw: 'throw', thrown: 'throw', understood: 'understand', undid: 'undo', undone: 'undo', woke: 'wake', woken: 'wake', wore: 'wear', won: 'win', wrote: 'write', written: 'write', withdrew: 'withdraw', overwrote: 'overwrite', rebuilt: 'rebuild', reset: 'reset', spun: 'spin', dug: 'dig', fell: 'fall', heard: 'hear', spoke: 'speak', broke: 'break', stood: 'stand',
}
const IRREGULAR_MAP: ReadonlyMap<string, string> = new Map(Object.entries(IRREGULAR))

export interface Lemma { readonly word: string, readonly form: 'ing' | 'ed' | 's' }

/** What a word may be an inflection of, by the rules of English spelling; the caller knows which of them are words. */
export function lemmas(word: string): readonly Lemma[] {
  const found: Lemma[] = []
  const add = (stem: string, form: Lemma['form']) => { if (stem.length > 1) found.push({ word: stem, form }) }
  const irregular = IRREGULAR_MAP.get(word)
  if (irregular && irregular !== word) add(irregular, 'ed')
  for (const [ending, form] of [['ing', 'ing'], ['in\'', 'ing'], ['ed', 'ed']] as const) {
    if (!word.endsWith(ending) || word.length < ending.length + 2) continue
    const stem = word.slice(0, -ending.length)
    add(stem, form)
    add(`${stem}e`, form)
    if (/([bcdfgklmnprstvz])\1$/.test(stem)) add(stem.slice(0, -1), form)
    if (form === 'ed' && stem.endsWith('i')) add(`${stem.slice(0, -1)}y`, form)
    if (form === 'ing' && stem.endsWith('y')) add(`${stem.slice(0, -1)}ie`, form)
  }
  if (word.endsWith('s') && !word.endsWith('ss') && word.length > 3) {
    add(word.slice(0, -1), 's')
    if (word.endsWith('es')) add(word.slice(0, -2), 's')
    if (word.endsWith('ies')) add(`${word.slice(0, -3)}y`, 's')
  }
  return found
}
