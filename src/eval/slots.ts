/** Were the slots of a fired route filled with one of the acceptable texts? */
import type { Capture } from '../types.ts'

const tidy = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/[‘’]/g, '\'').replace(/[“”„«»]/g, '"').replace(/\s+/g, ' ').trim()
/** Quotation marks around a value are the writer's, not the value's. */
const bare = (text: string): string => tidy(text).replace(/^["']+|["'.,!?]+$/g, '')

export interface SlotError { readonly slot: string, readonly got: string | null, readonly wanted: readonly string[] }

/**
 * @param wanted slot -> acceptable texts (letter case and outer white space aside); null: not checked; undefined: no slot is checked
 */
export function slotErrors(wanted: Readonly<Record<string, readonly string[] | null>> | undefined, captures: readonly Capture[]): SlotError[] {
  if (wanted === undefined) return []
  const got = new Map(captures.map(capture => [capture.slot.name, capture.text]))
  const errors: SlotError[] = []
  for (const [slot, texts] of Object.entries(wanted)) {
    if (texts === null) continue
    const text = got.get(slot)
    if (text === undefined || !texts.some(value => tidy(value) === tidy(text) || bare(value) === bare(text))) errors.push({ slot, got: text ?? null, wanted: texts })
  }
  for (const [slot, text] of got) if (!Object.hasOwn(wanted, slot)) errors.push({ slot, got: text, wanted: [] })
  return errors
}
