/** Real SSH keys, made by the real ssh-keygen, and files signed with them. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, writeFileSync, appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../src/util/canonical.ts'
import { SIGN_NAMESPACE, signPayload } from '../../src/contract/sign-payload.ts'
import { localFolder } from './local-folder.ts'

export interface TestKey { readonly file: string, readonly publicLine: string }

export const scratch = (): string => mkdtempSync(join(localFolder(), 'usher-contract-'))

export function makeKey(folder: string, name: string, type = 'ed25519', bits?: number): TestKey {
  const file = join(folder, name)
  execFileSync('ssh-keygen', ['-q', '-t', type, ...bits ? ['-b', String(bits)] : [], '-N', '', '-C', name, '-f', file])
  return { file, publicLine: readFileSync(`${file}.pub`, 'utf8').trim() }
}

/** `ssh-keygen -Y sign` over any bytes: the armoured block. */
export function sshSign(key: TestKey, message: Buffer, namespace: string = SIGN_NAMESPACE, more: readonly string[] = []): string {
  return execFileSync('ssh-keygen', ['-Y', 'sign', '-q', '-f', key.file, '-n', namespace, ...more], { input: message, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] })
}

/** Does the real ssh-keygen accept it? */
export function sshVerifies(signers: string, principal: string, signature: string, message: Buffer, namespace: string = SIGN_NAMESPACE, more: readonly string[] = []): boolean {
  const file = `${signers}.check.sig`
  writeFileSync(file, signature)
  try {
    execFileSync('ssh-keygen', ['-Y', 'verify', '-f', signers, '-I', principal, '-n', namespace, '-s', file, ...more], { input: message, stdio: ['pipe', 'ignore', 'ignore'] })
    return true
  } catch {
    return false
  }
}

/** Signs a contract file as `usher contract sign` does: a block added to FILE.sig. */
export function signFile(file: string, ...keys: readonly TestKey[]): void {
  const payload = signPayload(sha256(readFileSync(file)))
  writeFileSync(`${file}.new`, keys.map(key => sshSign(key, payload)).join(''))
  if (existsSync(`${file}.sig`)) appendFileSync(`${file}.sig`, readFileSync(`${file}.new`))
  else renameSync(`${file}.new`, `${file}.sig`)
}
