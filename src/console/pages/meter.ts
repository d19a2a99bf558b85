/** A cosine as a bar with a tick where it had to reach. The figures stand beside it. */
import { html, NOTHING, type Html } from '../html.ts'

const WIDTH = 80

/** @param value cosine; below 0 shows as none */
export function meter(value: number, threshold: number | undefined): Html {
  const at = (part: number) => Math.round(Math.min(1, Math.max(0, part)) * WIDTH)
  return html`<svg class="meter" aria-hidden="true" width="${WIDTH}" height="10" viewBox="0 0 ${WIDTH} 10"><rect y="2" width="${WIDTH}" height="6" class="held-back"/><rect y="2" width="${at(value)}" height="6" class="fired"/>${threshold === undefined ? NOTHING : html`<path d="M${at(threshold)} 0v10" class="tick"/>`}</svg>`
}
