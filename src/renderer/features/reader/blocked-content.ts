import { formatCount } from '../../ui/format-quantity.ts'
import type { BlockedContent } from '../bodies/block-images.ts'

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`

/** "3 pictures and 1 tracking pixel", or null. @param pictures number of blocked remote pictures */
export const describeBlockedContent = (
  { trackingPixels, others }: Omit<BlockedContent, 'pictures'>,
  pictures: number,
): string | null => {
  const parts = [
    ...(pictures === 0 ? [] : [formatCount(pictures, 'picture')]),
    ...(trackingPixels === 0 ? [] : [formatCount(trackingPixels, 'tracking pixel')]),
    ...(others === 0 ? [] : [formatCount(others, 'style or font', 'styles or fonts')]),
  ]
  return parts.length === 0 ? null : joined(parts)
}
