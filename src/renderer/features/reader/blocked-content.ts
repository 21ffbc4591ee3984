import { formatList } from '../../ui/format-list.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import type { BlockedContent } from '../bodies/block-images.ts'

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
  return parts.length === 0 ? null : formatList(parts)
}
