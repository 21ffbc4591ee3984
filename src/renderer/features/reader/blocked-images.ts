import { countOf } from '../../ui/format-quantity.ts'
import type { SafeHtml } from './sanitise-html.ts'

/** What was kept out of an e-mail, in words; null where nothing was. */
export const blockedImagesSentence = ({ blockedImages, trackingPixels }: SafeHtml): string | null => {
  if (blockedImages === 0) return null
  const pixels = trackingPixels === 0 ? '' : `, ${countOf(trackingPixels, 'tracking pixel')} among them`
  return `Remote images are blocked (${blockedImages}${pixels}). The sender does not learn that you read this.`
}
