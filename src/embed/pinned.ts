/** Thresholds belong to one encoder (`encoder:pinned`). */
import { UsherError } from '../errors.ts'

/** The encoder that the default thresholds were fitted with: the one in models/. */
export const PINNED_ENCODER = 'all-MiniLM-L6-v2@efd1d11d75976d17000917b2a24241590583bcedda277bf407fb5a100fa45da2/q8'

/**
 * Throws ENCODER_MISMATCH unless the encoder is the very one that the thresholds were fitted with.
 * @param id of the embedder in use
 * @param pinned the id that the thresholds belong to
 */
export function checkEncoder(id: string, pinned: string = PINNED_ENCODER): void {
  if (id === pinned) return
  throw new UsherError('ENCODER_MISMATCH',
    `the thresholds belong to the encoder ${pinned}, but this one is ${id}; scores of two encoders do not compare. Use the pinned encoder, or fit the thresholds again and pin the new id`)
}
