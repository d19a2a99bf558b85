/** The bytes that people sign. */
import { canonicalJson } from '../util/canonical.ts'

/** The namespace for `ssh-keygen -Y sign -n`: a signature for git or e-mail is none for a contract. */
export const SIGN_NAMESPACE = 'usher-contract'

/**
 * Canonical bytes that begin with a purpose and a version. A JSON array, not a joined string: with a joiner, two lists of fields could
 * make the same bytes. The file's own bytes are in it by digest, so that no byte of them can change under the signature.
 * @param fileHash SHA-256 of the contract file, in hex
 */
export function signPayload(fileHash: string): Buffer {
  return Buffer.from(canonicalJson(['usher-contract', 1, `sha256:${fileHash}`]), 'utf8')
}
