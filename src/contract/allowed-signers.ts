/** The owner's `allowed_signers` file (ssh-keygen(1), ALLOWED SIGNERS) and the list of revoked keys beside it. */
import { isKrl, keyNames, readKrl } from './ssh-krl.ts'
import { readSshKey, type SshKey } from './ssh-key.ts'
import { strictBase64 } from './ssh-wire.ts'

export interface Signer {
  /** Patterns as written: `alice`, `*@example.org`, `!mallory`. */
  readonly principals: readonly string[]
  readonly key: SshKey
  readonly namespaces: readonly string[] | undefined
  /** ms since 1970. */
  readonly validAfter: number | undefined
  readonly validBefore: number | undefined
  readonly line: number
}

export interface Signers {
  readonly signers: readonly Signer[]
  /** How many different people a widening needs. */
  readonly needed: number
  readonly errors: readonly { readonly line: number, readonly why: string }[]
}

const FIELD = /(?:"(?:[^"\\]|\\.)*"|[^\s"])+/g
const KEY_TYPE = /^(?:ssh-|ecdsa-|sk-)/
/** `# usher: signers=2`, a comment to OpenSSH. */
const NEEDED = /^#\s*usher:\s*signers\s*=\s*(\d+)\s*$/

const unquoted = (text: string): string => text.replace(/^"(.*)"$/, '$1')

/** YYYYMMDD or YYYYMMDDHHMM[SS], local time unless it ends in Z. */
function timestamp(text: string): number {
  const found = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?(Z)?$/i.exec(text)
  if (!found) throw new RangeError(`"${text}" is no time of the form YYYYMMDD[HHMM[SS]][Z]`)
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(part => Number(part ?? 0)) as [number, number, number, number, number, number]
  const time = found[7] ? Date.UTC(year, month - 1, day, hour, minute, second) : new Date(year, month - 1, day, hour, minute, second).getTime()
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) throw new RangeError(`"${text}" is no time of any day`)
  return time
}

interface LineOptions { namespaces?: readonly string[], validAfter?: number, validBefore?: number }

function readOptions(text: string): LineOptions {
  const options: LineOptions = {}
  for (const option of text.match(/(?:"[^"]*"|[^,"])+/g) ?? []) {
    const [, name, value] = /^([^=]+)(?:=(.*))?$/.exec(option) ?? []
    switch (name?.toLowerCase()) {
      case 'namespaces': options.namespaces = unquoted(value ?? '').split(','); break
      case 'valid-after': options.validAfter = timestamp(unquoted(value ?? '')); break
      case 'valid-before': options.validBefore = timestamp(unquoted(value ?? '')); break
      // A certificate authority would let in keys that this file does not show.
      default: throw new RangeError(`the option "${name ?? option}" is not accepted`)
    }
  }
  return options
}

function readLine(text: string, line: number): Signer {
  const fields = text.match(FIELD) ?? []
  const principals = unquoted(fields[0] ?? '').split(',').filter(pattern => pattern !== '')
  const optionsText = KEY_TYPE.test(fields[1] ?? '') ? '' : fields[1] ?? ''
  const [type, base64] = fields.slice(optionsText === '' ? 1 : 2)
  if (principals.length === 0 || type === undefined || base64 === undefined) throw new RangeError('it needs principals, a key type and a key')
  const key = readSshKey(strictBase64(base64))
  if (key.type !== type) throw new RangeError(`it says ${type}, and the key is ${key.type}`)
  const { namespaces, validAfter, validBefore } = readOptions(optionsText)
  return { principals, key, namespaces, validAfter, validBefore, line }
}

/** A line that cannot be read is an error with its number, and lets nobody in. */
export function readAllowedSigners(text: string): Signers {
  const signers: Signer[] = []
  const errors: { line: number, why: string }[] = []
  let needed: number | undefined
  text.split(/\r?\n/).forEach((raw, at) => {
    const line = raw.trim()
    const setting = NEEDED.exec(line)
    if (setting) needed = Math.max(1, Number(setting[1]))
    if (line === '' || line.startsWith('#')) return
    try {
      signers.push(readLine(line, at + 1))
    } catch (error) {
      errors.push({ line: at + 1, why: error instanceof Error ? error.message : String(error) })
    }
  })
  const people = new Set(signers.flatMap(signer => signer.principals.filter(pattern => !pattern.startsWith('!'))))
  return { signers, errors, needed: needed ?? (people.size >= 2 ? 2 : 1) }
}

/** OpenSSH's wildcards: `*` any characters, `?` one. Compared as text, never as a regular expression from outside. */
function fits(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern.startsWith('*')) return fits(pattern.slice(1), text) || (text !== '' && fits(pattern, text.slice(1)))
  return text !== '' && (pattern[0] === '?' || pattern[0] === text[0]) && fits(pattern.slice(1), text.slice(1))
}

/** ssh_config(5) PATTERNS: a negated pattern that fits refuses, whatever else fits. */
export function inPatternList(patterns: readonly string[], text: string): boolean {
  if (patterns.some(pattern => pattern.startsWith('!') && fits(pattern.slice(1), text))) return false
  return patterns.some(pattern => !pattern.startsWith('!') && fits(pattern, text))
}

/** Does a list of `readRevoked` name the key? @param blob the public key as it is on the wire */
export const isRevoked = (revoked: ReadonlySet<string>, blob: Buffer): boolean => keyNames(blob).some(name => revoked.has(name))

/** Fingerprints of revoked keys: one public key or `SHA256:...` a line, or a KRL of `ssh-keygen -k`. `undefined`: it cannot be read, and nothing may be trusted. */
export function readRevoked(list: Buffer | string): ReadonlySet<string> | undefined {
  const bytes = typeof list === 'string' ? Buffer.from(list, 'utf8') : list
  if (isKrl(bytes)) return readKrl(bytes)
  const text = bytes.toString('utf8')
  const found = new Set<string>()
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const fingerprint = /^(?:sha256:\s*)?(SHA256:[A-Za-z0-9+/]{43})$/.exec(line)?.[1]
    const base64 = /(?:^|\s)(?:ssh-|ecdsa-|sk-)\S+\s+([A-Za-z0-9+/=]+)/.exec(line)?.[1]
    if (fingerprint) found.add(fingerprint)
    else if (base64) {
      try {
        found.add(readSshKey(strictBase64(base64)).fingerprint)
      } catch {
        return undefined // a line that may revoke a key, and nobody knows which
      }
    } else return undefined
  }
  return found
}
