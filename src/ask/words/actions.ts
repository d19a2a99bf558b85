/** Verbs of general English by what they do to whatever they are given: for paraphrases, where the verb is not the trigger's. */

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Say little by themselves: "get the door locked", "give the plants some water". */
export const LIGHT_VERBS = set('get put make give take do let send have show bring set go i need want keep be come stick pop')

/**
 * Do something else than what a trigger asks for, whatever that is: look, say, write, change the name, take back.
 * A trigger that has such a verb itself is found by its own words.
 */
export const OTHER_VERBS = set(`
rename read draft write explain translate name squash check test look search measure copy list suggest describe summarise summarize join undo withdraw revoke hang leave
stop cancel pretend demote ask tell remind schedule plan compare count find watch replace shorten draw pause resume research review edit reword rephrase convert mount install
refresh report fix repair debug query estimate calculate design sketch proofread quote cite imagine suppose consider discuss think guess unmute unblock unlock unfreeze unpause
disarm disable uninstall keep save reverse reopen abort halt ignore wait hold accept approve decline reject quit end remember compare sort filter browse download upload zip
brighten quieten loosen unsend unpublish unshare unfollow dismiss empty shuffle repeat repay email text message answer
`)

const OPPOSITE_PARTICLES: ReadonlyMap<string, string> = new Map([['up', 'down'], ['down', 'up'], ['on', 'off'], ['off', 'on'], ['in', 'out'], ['out', 'in']])

/** "put the heating up" for "turn the heating down": the trigger's particle is there the other way round. */
export function turnsAround(trigger: ReadonlySet<string>, said: ReadonlySet<string>): boolean {
  for (const [particle, opposite] of OPPOSITE_PARTICLES) if (trigger.has(particle) && said.has(opposite) && !trigger.has(opposite) && !said.has(particle)) return true
  return false
}
