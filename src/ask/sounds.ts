/** How an English word sounds, roughly: for words that speech recognition heard as other words. */

const VOWELS: readonly (readonly [RegExp, string])[] = [
  [/eigh|aigh|ai|ay|ei(?!n)|ey(?=.)|a(?=[bcdfgklmnpstvz]e(?:s|d|r)?$)|ea(?=k$|t$(?<=gr))/g, '1'],
  [/ee|ea|ie(?=.)|e(?=[bcdfgklmnpstvz]e$)|y$|ey$/g, '2'],
  [/oa|oe|ow(?=$|[nl])|o(?=(?:th|[bcdfgklmnpstvz])e(?:s|d)?$)/g, '3'],
  [/oo|ew|ue|eu|u(?=[bcdfgklmnpstvz]e$)/g, '4'],
  [/igh|i(?=[bcdfgklmnpstvz]e(?:s|d|r)?$)|uy|ye$|^my|(?<=^[bcdfgklmnprstvw])y$/g, '5'],
  [/ou|ow/g, '6'],
  [/augh|au|aw/g, '7'],
]

/** Consonants with voicing set aside at the end of a syllable, and the first vowel; later vowels count as one. */
export function soundKey(word: string): string {
  let s = word.replace(/[^a-z]/g, '')
  if (s === 'said') s = 'sed'
  s = s.replace(/^kn|^gn/, 'n').replace(/^wr/, 'r').replace(/^ps/, 's').replace(/raught/, 'raft').replace(/ough(?=t)/, 'au').replace(/thes$/, 'es').replace(/bt$/, 't').replace(/mb$/, 'm').replace(/ache$/, 'ash').replace(/ptt?$/, 't')
  for (const [spelling, sound] of VOWELS) s = s.replace(spelling, sound)
  s = s.replace(/e$|e(?=s$)|e(?=d$)/, '').replace(/tch|ch/g, 'C').replace(/sh|ti(?=[ao])|ci(?=[ao])|ssi/g, 'S').replace(/ph/g, 'f').replace(/th/g, 'T')
    .replace(/ck|qu?|c(?![eiy])/g, 'k').replace(/c/g, 's').replace(/x/g, 'ks').replace(/dg|g(?=[eiy]|$(?<=nge?))/g, 'j').replace(/z/g, 's').replace(/(?<=.)h/g, '').replace(/w(?=r)/g, '')
    .replace(/([a-zA-Z])\1+/g, '$1')
  s = s.replace(/[aeiouy0-9]+/g, vowels => vowels[0] ?? '').replace(/d(?=[a-z0-9]|$)(?<=[a-z0-9].)/g, 't').replace(/g(?=$)/, 'k').replace(/b(?=$)/, 'p').replace(/m(?=$)/, 'n')
  const first = s.search(/[aeiouy0-9]/)
  return first < 0 ? s : s.slice(0, first + 1) + s.slice(first + 1).replace(/[aeiouy0-9]/g, '')
}
