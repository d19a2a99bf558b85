/** A person at a terminal: who they are, and their passphrase, typed and never in argv or the environment. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { actBytes, PERSON_NAMESPACE, type PersonAct, type PersonProof, type Proof } from '../approvals/person-proof.ts'
import { UsherError } from '../errors.ts'
import type { Io } from './io.ts'

export interface PersonOptions { readonly as?: string, readonly key?: string }

/** Default: the name of the user who runs this. */
export function personName(options: PersonOptions): string {
  const name = (options.as ?? userInfo().username).trim()
  if (name === '' || /^model\s*:/i.test(name.normalize('NFKC'))) throw new UsherError('BAD_OPTION', `--as must name a person, got ${JSON.stringify(options.as)}`)
  return name
}

/** Reads a line from the terminal without showing it. Rejects with PROOF_REFUSED where there is no terminal to type on. */
export function typed(label: string): Promise<string> {
  const { stdin, stderr } = process
  if (stdin.isTTY !== true) throw new UsherError('PROOF_REFUSED', 'a passphrase is typed on a terminal, and there is none here; run this in your own terminal, or sign with --key')
  return new Promise((resolve, reject) => {
    let text = ''
    const end = (finish: () => void): void => {
      stdin.setRawMode(false)
      stdin.pause()
      stdin.off('data', take)
      stderr.write('\n')
      finish()
    }
    const take = (chunk: Buffer): void => {
      for (const char of chunk.toString('utf8')) {
        if (char === '\r' || char === '\n') return end(() => resolve(text))
        if (char === '\u0003' || char === '\u0004') return end(() => reject(new UsherError('PROOF_REFUSED', 'nothing was typed')))
        text = char === '\u007f' || char === '\b' ? [...text].slice(0, -1).join('') : text + char
      }
    }
    // The label comes last: what is typed after it is seen by nobody.
    stdin.setRawMode(true)
    stdin.resume()
    stdin.on('data', take)
    stderr.write(label)
  })
}

/** A signature where a key is named, else the passphrase where one is set, else none, said aloud. */
export async function proofFor(io: Io, proof: PersonProof, act: PersonAct, options: PersonOptions): Promise<Proof> {
  const who = personName(options)
  if (options.key !== undefined) return signed(who, act, options.key)
  const notice = await proof.notice()
  if (notice === undefined) return { kind: 'passphrase', who, passphrase: await typed('passphrase: ') }
  io.err(io.paint('yellow', notice))
  return { kind: 'none', who }
}

/** ssh-keygen signs, so that agents and hardware keys work. */
async function signed(who: string, act: PersonAct, key: string): Promise<Proof> {
  const folder = mkdtempSync(join(tmpdir(), 'usher-act-'))
  const payload = join(folder, 'act')
  const at = Date.now()
  try {
    writeFileSync(payload, actBytes(act, at), { mode: 0o600 })
    await promisify(execFile)('ssh-keygen', ['-Y', 'sign', '-q', '-f', key, '-n', PERSON_NAMESPACE, payload])
    return { kind: 'signature', who, at, signature: readFileSync(`${payload}.sig`, 'utf8') }
  } catch (cause) {
    throw new UsherError('PROOF_REFUSED', `ssh-keygen did not sign with ${key}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Throws PROOF_REFUSED. */
export async function mustBePerson(io: Io, proof: PersonProof, act: PersonAct, options: PersonOptions): Promise<string> {
  const verdict = await proof.verify(await proofFor(io, proof, act, options), act)
  if (verdict.kind === 'refused') throw new UsherError('PROOF_REFUSED', verdict.why)
  return verdict.who
}
