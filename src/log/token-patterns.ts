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
  // On a command line: `curl -u name:word`, `--password word`. `-u 1000:1000` is a user and a group.
  /(?:^|\s)(?:-u|-U|--(?:proxy-)?user)[\s=]{1,3}["']?[^\s:"']{1,80}:(?!\/\/)(?!\d{1,10}(?:["'\s]|$))([^\s"']{4,})/g,
  /(?:^|\s)--?(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|client[_-]?secret|auth[_-]?token)[\s=]{1,3}["']?(?!-)([^\s"']{4,})/gi,
  // `password: x`, `api_key=x`; with `is` only what no ordinary word looks like ("the token is valid" hides nothing).
  /\b(?:pass(?:word|wd|phrase)?|secret|token|api[ _-]?key|access[ _-]?key|client[ _-]?secret|auth[ _-]?key|pin)\b["']?\s{0,3}[:=]\s{0,3}["']?([^\s"',;]{4,})/gi,
  /\b(?:pass(?:word|wd|phrase)?|secret|token|api[ _-]?key|access[ _-]?key|client[ _-]?secret|auth[ _-]?key|pin)\s{1,3}is\s{1,3}["']?((?=[^\s"',;]{0,60}[\d@#$%^&*_+=!-])[^\s"',;]{4,})/gi,
]

/** Property names whose text value is secret whatever it looks like. */
export const SECRET_NAME = /^(?:.*[._-])?(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|client[_-]?secret|authorization|cookie|set-cookie|credentials?|(?:access|refresh|id|auth|session|bearer)[_-]?token)$/i

/** Codes of plain characters that a pattern takes in, as a table: a megabyte is looked through in two milliseconds, by a regular expression in nine. */
function codesOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => Number(pattern.test(String.fromCharCode(code))))
}

const IN_TOKEN = codesOf(/[\w+=.-]/)
const [COLON, EQUALS] = [58, 61]

/**
 * What every pattern here needs somewhere: sixteen characters of a token in a row, `:` or `=`, `bearer`, `basic` or `is` before a blank, a flag's name, or two dashes. Most texts
 * of a row have none of it, and are done after one look. May say yes where nothing is, never no where something is.
 */
export function mayHoldToken(text: string): boolean {
  let run = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COLON || code === EQUALS) return true
    if (code < 128 && IN_TOKEN[code] === 1) {
      if (++run >= 16) return true
      continue
    }
    if (run > 0 && (code <= 32 || code >= 128) && endsInMark(text, at)) return true
    run = 0
  }
  return text.includes('--') || FLAG.test(text)
}

/** Flags with one dash, whose value may be short. */
const FLAG = /(?:^|\s)-(?:u|U|pass|secret|token|api|access|client|auth)/i

/** Does a word that goes before a secret end here? */
function endsInMark(text: string, at: number): boolean {
  switch (text.charCodeAt(at - 1) | 32) {
    case 115: return (text.charCodeAt(at - 2) | 32) === 105 && /(?:^|\W)is$/i.test(text.slice(Math.max(0, at - 3), at))
    case 114: return text.slice(Math.max(0, at - 6), at).toLowerCase() === 'bearer'
    case 99: return text.slice(Math.max(0, at - 5), at).toLowerCase() === 'basic'
    default: return false
  }
}

const IN_RUN = codesOf(/[A-Za-z0-9_+=-]/)
const LEAST_RUN = 32

/** A long run that mixes both cases and digits with the evenness of random text (bits a character). Paths, hex digests and UUIDs are not. */
const RANDOM_BITS = 4.1

/** Replaces each long random run. */
export function replaceRandomRuns(text: string, by: (run: string) => string): string {
  let out = ''
  let kept = 0
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (code < 128 && IN_RUN[code] === 1) continue
    if (at - start >= LEAST_RUN && isRandom(text.slice(start, Math.min(at, start + JUDGED)))) {
      out += text.slice(kept, start) + by(text.slice(start, at))
      kept = at
    }
    start = at + 1
  }
  return kept === 0 ? text : out + text.slice(kept)
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
