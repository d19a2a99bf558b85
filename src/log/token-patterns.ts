/** What a token, key or password looks like. Every pattern is linear in the text: the text comes from outside. */

/** Group 1 is the secret part, where the pattern needs words around it; else the whole match is. */
export const TOKEN_PATTERNS: readonly RegExp[] = [
  // PEM, up to its end line or as far as it goes; line breaks may be escaped.
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?:\s|\\[nr]){0,4}(?:[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]{1,15}(?=(?:\s|\\[nr]){0,4}-----END)|[A-Za-z-]{1,20}: [\w,-]{1,80}|-----END[A-Z ]{0,40}-----))*/g,
  // JSON Web Token: two parts that start with base64url of `{"`.
  /\beyJ[\w-]{6,}\.eyJ[\w-]{6,}(?:\.[\w-]*)?/g,
  // Prefixed keys of well-known services: the prefix is made for finding them.
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or|svcacct|admin)[-_][\w-]{10,}/g,
  /\bsk-[\w-]{20,}/g,
  /\bgh[opusr]_\w{20,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bglpat-[\w-]{16,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA|AGPA|AROA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\bya29\.[\w.-]{20,}/g,
  /\b(?:npm|hf|pypi|dop_v1|shpat|lin_api|secret|ntn)_\w{20,}/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  // Credentials in a header or an address.
  /\b(?:bearer|basic)\s+([\w+/=.~-]{12,})/gi,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,200}:([^\s@/]{1,200})@/gi,
  // `password: x`, `api_key=x`; with `is` only what no ordinary word looks like ("the token is valid" hides nothing).
  /\b(?:pass(?:word|wd|phrase)?|secret|token|api[ _-]?key|access[ _-]?key|client[ _-]?secret|auth[ _-]?key|pin)\b["']?\s{0,3}[:=]\s{0,3}["']?([^\s"',;]{4,})/gi,
  /\b(?:pass(?:word|wd|phrase)?|secret|token|api[ _-]?key|access[ _-]?key|client[ _-]?secret|auth[ _-]?key|pin)\s{1,3}is\s{1,3}["']?((?=[^\s"',;]{0,60}[\d@#$%^&*_+=!-])[^\s"',;]{4,})/gi,
]

/** Property names whose text value is secret whatever it looks like. */
export const SECRET_NAME = /^(?:.*[._-])?(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|client[_-]?secret|authorization|cookie|set-cookie|credentials?|(?:access|refresh|id|auth|session|bearer)[_-]?token)$/i

/** What every pattern here needs somewhere: most texts of a row have none of it, and are done after one look. */
export const HINT = /[\w+=.-]{16}|[:=]|bearer\s|basic\s|\sis\s|-----BEGIN/i

const RANDOM_RUN = /[A-Za-z0-9_+=-]{32,}/g

/** A long run that mixes both cases and digits with the evenness of random text (bits a character). Paths, hex digests and UUIDs are not. */
const RANDOM_BITS = 4.1

/** Replaces each long random run. */
export function replaceRandomRuns(text: string, by: (run: string) => string): string {
  return text.replace(RANDOM_RUN, run => isRandom(run.slice(0, JUDGED)) ? by(run) : run)
}

/** So many characters of a run are enough to judge it. */
const JUDGED = 512

function isRandom(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && (run.match(/\d/g)?.length ?? 0) >= 2 && entropy(run) >= RANDOM_BITS
}

/** Shannon entropy in bits a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
