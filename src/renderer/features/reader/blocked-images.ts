import { countOf, formatNumber } from '../../ui/format-quantity.ts'
import type { SafeHtml } from './sanitise-html.ts'

const pixelWords = (images: number, pixels: number): string => {
  if (pixels === 0) return ''
  if (pixels === images) return pixels === 1 ? ', a tracking pixel' : ', all of them tracking pixels'
  return pixels === 1 ? ', one of them a tracking pixel' : `, ${formatNumber(pixels)} of them tracking pixels`
}

/** What was kept out of an e-mail, in words; null where nothing was. */
export const blockedImagesSentence = ({ blockedImages, trackingPixels }: SafeHtml): string | null => {
  if (blockedImages === 0) return null
  const blocked = `${countOf(blockedImages, 'remote image')} blocked`
  return `${blocked}${pixelWords(blockedImages, trackingPixels)}. The sender does not learn that you read this.`
}
