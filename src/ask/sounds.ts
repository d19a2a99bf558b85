/** How an English word sounds, roughly: for words that speech recognition heard as other words. */

/** Spellings that English reads alike, in the order they are tried. Digits stand for vowel sounds. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^said$/, 'sed'], [/^kn|^gn/, 'n'], [/^wr/, 'r'], [/^ps/, 's'], [/^wh/, 'w'], [/raught/, 'raft'], [/ough(?=t)/, 'au'], [/thes$/, 'es'], [/bt$/, 't'], [/mb$/, 'm'], [/pt$/, 't'],
  [/ache$/, 'ash'], [/ceip|cei/, 's2'], [/eigh|aigh/, '1'], [/igh/, '5'], [/augh/, 'au'],
  [/tch|ch/g, 'C'], [/sh|ti(?=[ao])|ci(?=[ao])|ssi(?=o)/g, 'S'], [/ph/g, 'f'], [/th/g, 'T'], [/ck|qu/g, 'k'], [/c(?=[eiy])/g, 's'], [/c/g, 'k'], [/x/g, 'ks'], [/dge?(?=.|$)/g, 'j'],
  [/z/g, 's'], [/(?<=.)h/g, ''], [/([bdfgklmnprst])\1/g, '$1'],
  [/ai|ay|ei|a(?=[bdfgklmnpstv]e(?:s|d|r)?$)/g, '1'], [/ee|ea|ie|e(?=[bdfgklmnpstv]e$)|(?<=.[^0-9])y$|ey$/g, '2'], [/oa|oe|o(?=[bdfgklmnpstvT]e(?:s|d)?$)/g, '3'],
  [/oo|ew|ue|u(?=[bdfgklmnpstv]e$)/g, '4'], [/i(?=[bdfgklmnpstv]e(?:s|d|r)?$)|uy|y$|ye$/g, '5'], [/ou|ow/g, '6'], [/au|aw/g, '7'],
  [/(?<=[aeiouy0-9].*[^aeiouy0-9])e(?=[sd]?$)/, ''], [/y/g, 'i'], [/[aeiouy0-9]+/g, '*'],
]

const FINAL: ReadonlyMap<string, string> = new Map([['d', 't'], ['g', 'k'], ['b', 'p'], ['v', 'f'], ['m', 'n']])

const CLASS: ReadonlyMap<string, string> = new Map([['b', 'p'], ['d', 't'], ['T', 't'], ['g', 'k'], ['v', 'f'], ['j', 'S'], ['C', 'S'], ['h', '']])

/** Coarser: only the classes of the consonants, t and d gone where speech swallows them. With it the first vowel, to be compared apart. */
export function roughSound(word: string): { readonly consonants: string, readonly vowel: string } {
  const key = soundKey(word.replace(/sure$/, 'sher').replace(/ss(?=u)/, 'sh').replace(/^que/, 'ku'))
  const vowel = /[aeiou0-9]/.exec(key)?.[0] ?? ''
  const consonants = [...key.replace(/[aeiou0-9]/g, '')].map(sound => CLASS.get(sound) ?? sound).join('').replace(/(?<=[mlskpf])t(?=s|$)/g, '').replace(/(?<=.)t(?=s)/g, '').replace(/(.)\1+/g, '$1')
  return { consonants, vowel }
}

/** Consonants (voicing aside at the end, d as t between vowels) and the first vowel; later vowels count as one and are left out. */
export function soundKey(word: string): string {
  let sound = word.replace(/[^a-z]/g, '')
  let first = ''
  for (const [spelling, said] of SPELLINGS) {
    if (said === '*') first = /[aeiouy0-9]/.exec(sound)?.[0] ?? ''
    sound = sound.replace(spelling, said)
  }
  const last = sound.at(-1) ?? ''
  sound = sound.slice(0, -1) + (FINAL.get(last) ?? last)
  sound = sound.replace(/(?<=\*)d(?=\*)/g, 't')
  const vowel = sound.indexOf('*')
  return vowel < 0 ? sound : sound.slice(0, vowel) + first + sound.slice(vowel + 1).replaceAll('*', '')
}
