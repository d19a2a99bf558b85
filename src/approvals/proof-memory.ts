/** What the log remembers of the passphrase: that one was set, and the digest of its file. */
import type { LogRow, LogRows } from './log-rows.ts'

export interface ProofMemory { passphraseDigest(): Promise<string | undefined> }

export function proofMemory(rows: LogRows): ProofMemory {
  let seq = -1
  let digest: string | undefined
  const apply = ({ kind, body }: LogRow): void => {
    if (kind !== 'act' || body['act'] !== 'passphrase.set') return
    const detail = body['detail'] as { readonly digest?: unknown } | undefined
    if (typeof detail?.digest === 'string') digest = detail.digest
  }
  return {
    passphraseDigest: async () => {
      for (const row of seq < 0 ? await rows.first(Number.MAX_SAFE_INTEGER) : await rows.after(seq)) {
        apply(row)
        seq = row.seq
      }
      return digest
    },
  }
}
