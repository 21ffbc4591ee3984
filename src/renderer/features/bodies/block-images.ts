import { parseCidUrl, parseEmbeddedFilename } from '../../../shared/embedded-picture.ts'
import { MAX_REMOTE_ADDRESS_LENGTH, parseSrcset, toRemoteAddress } from '../../../shared/remote-address.ts'
import { formatList } from '../../ui/format-list.ts'
import { formatCount } from '../../ui/format-quantity.ts'

export interface BlockedContent {
  /**
   * Distinct addresses of visible pictures: remote ones, and ones the e-mail may carry (`cid:` or a bare name), which
   * aren't blocked. An address's index is the picture's number in the markup, used by an image without a source
   * (`PICTURE_ATTRIBUTE`) or a CSS property (`pictureProperty`).
   */
  readonly pictures: readonly string[]
  /** Invisible images, which only report that the e-mail was read. They are removed for good. */
  readonly trackingPixels: number
  readonly others: number
}

/** Raster images only: a few hundred characters of SVG can request a billion shapes. */
const EMBEDDED = /^data:image\/(?:avif|bmp|gif|jpeg|jpg|pjpeg|png|webp|x-icon|vnd\.microsoft\.icon)[;,]/i

/** True for the address of an embedded image that can be shown. */
export const isImageDataUrl = (address: string): boolean => EMBEDDED.test(address)

/** Size of an embedded image in bytes, or null if it isn't base64. */
const measureEmbeddedImage = (address: string): number | null => {
  const comma = address.indexOf(',')
  if (!/;base64$/i.test(address.slice(0, comma).trim())) return null
  return Math.floor((address.slice(comma + 1).replace(/[\s=]|%3d/gi, '').length * 3) / 4)
}

/** Address of a remote picture, or null if it isn't a web address. */
const toRemotePictureUrl = (text: string): string | null => {
  const written = toRemoteAddress(text)
  if (written === null || !URL.canParse(written)) return null
  const { href } = new URL(written)
  return href.length > MAX_REMOTE_ADDRESS_LENGTH ? null : href
}

export const isEmailPicture = (address: string): boolean =>
  parseCidUrl(address) !== null || parseEmbeddedFilename(address) !== null

const encode = (name: string | null, scheme = ''): string | null =>
  name === null ? null : `${scheme}${encodeURIComponent(name)}`
const emailPictureAddress = (written: string): string | null => encode(parseCidUrl(written), 'cid:')
const namedAddress = (written: string): string | null => encode(parseEmbeddedFilename(written))

/** Attribute for a picture's number, on an image without its source. */
export const PICTURE_ATTRIBUTE = 'data-linnet-picture'
/** The same number on the image's placeholder. */
export const PLACEHOLDER_ATTRIBUTE = 'data-linnet-place'
/** CSS property that holds a picture once it is loaded. */
export const pictureProperty = (number: number): string => `--linnet-picture-${number}`

/** Numbers an e-mail's picture addresses in order of appearance. */
export const createPictureList = () => {
  const numbers = new Map<string, number>()
  const embedded: number[] = []
  const numberOf = (address: string): number => {
    const number = numbers.get(address) ?? numbers.size
    numbers.set(address, number)
    return number
  }
  return {
    numberOf,
    /** CSS value of a picture that isn't embedded: empty until it is loaded. */
    inStyles: (written: string): string | null => {
      const address = toRemotePictureUrl(written) ?? emailPictureAddress(written) ?? namedAddress(written)
      return address === null ? null : `var(${pictureProperty(numberOf(address))}, none)`
    },
    addresses: (): readonly string[] => [...numbers.keys()],
    /** @param address of a picture embedded in the HTML */
    noteEmbedded: (address: string): void => {
      const length = measureEmbeddedImage(address)
      if (length !== null) embedded.push(length)
    },
    embedded: (): readonly number[] => embedded,
  }
}
export type PictureList = ReturnType<typeof createPictureList>

const sizeOf = (image: Element, side: 'width' | 'height'): number | null => {
  const styled = new RegExp(`(?:^|[;\\s])${side}\\s*:\\s*(\\d+(?:\\.\\d+)?)(?:px|\\s*(?:[;!]|$))`, 'i').exec(
    image.getAttribute('style') ?? '',
  )
  const given = styled?.[1] ?? image.getAttribute(side)
  return given === null || !/^\d+(?:\.\d+)?(?:px)?$/.test(given) ? null : Number.parseFloat(given)
}

const isInvisible = (image: Element): boolean => {
  const [width, height] = [sizeOf(image, 'width'), sizeOf(image, 'height')]
  const isTiny = (width !== null && width <= 2) || (height !== null && height <= 2)
  return isTiny || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(image.getAttribute('style') ?? '')
}

/** Placeholder of an image: its alternative text in a box of its size. */
const placeholderFor = (image: Element): HTMLElement => {
  const box = image.ownerDocument.createElement('span')
  const words = image.getAttribute('alt')?.trim() ?? ''
  const [width, height] = [sizeOf(image, 'width'), sizeOf(image, 'height')]
  box.className = 'linnet-image'
  box.setAttribute('role', 'img')
  box.setAttribute('aria-label', words === '' ? 'Picture, not shown' : words)
  box.textContent = words
  // Missing dimensions follow from the text. The height limit keeps the text on the first screen.
  if (width !== null) box.style.width = `${width}px`
  if (height !== null) box.style.minHeight = `${Math.min(height, 160)}px`
  return box
}

const MAX_CANDIDATES = 50
/** Screen pixels per CSS pixel of the mail. More makes no visible difference. */
const MAX_DENSITY = 2
/** Width in pixels that no mail exceeds, even on a dense screen. */
const MAX_WIDTH_PX = 1_600

/** Rates a candidate. Larger is better up to the visible maximum; beyond it, smaller is better. */
const rateCandidate = (descriptor: string): number => {
  const [, size = '1', unit = 'x'] = /^(\d+(?:\.\d+)?)([wx])$/.exec(descriptor) ?? []
  const part = Number(size) / (unit === 'w' ? MAX_WIDTH_PX : MAX_DENSITY)
  return part <= 1 ? part : 1 / part
}

export const pickSrcsetCandidate = (srcset: string): string | null => {
  const candidates = parseSrcset(srcset)
    .slice(0, MAX_CANDIDATES)
    .flatMap(({ written, descriptor }) => {
      const address = toRemotePictureUrl(written)
      return address === null ? [] : [{ address, worth: rateCandidate(descriptor === '' ? '1x' : descriptor) }]
    })
  return candidates.toSorted((a, b) => b.worth - a.worth)[0]?.address ?? null
}

/**
 * Removes the address of every image that isn't embedded. An image that can be loaded stays hidden next to a
 * placeholder; an invisible one or one without an address is removed.
 * @returns the number of tracking pixels
 */
export const blockImages = (root: Element, pictures: PictureList): number => {
  let trackingPixels = 0
  for (const image of root.querySelectorAll('img')) {
    const source = image.getAttribute('src')?.trim() ?? ''
    const srcset = image.getAttribute('srcset') ?? ''
    image.removeAttribute('srcset')
    if (isImageDataUrl(source)) {
      pictures.noteEmbedded(source)
      continue
    }
    image.removeAttribute('src')
    const carried = emailPictureAddress(source)
    const address = carried ?? toRemotePictureUrl(source) ?? pickSrcsetCandidate(srcset) ?? namedAddress(source)
    const isPixel = carried === null && isInvisible(image)
    if (address !== null && isPixel && !isEmailPicture(address)) trackingPixels += 1
    // Without text or size, a placeholder shows nothing but an error of a picture in the e-mail.
    const isBlank = (image.getAttribute('alt') ?? '').trim() === '' && sizeOf(image, 'height') === null
    const holder = isPixel || (isBlank && carried === null) ? null : placeholderFor(image)
    if (holder !== null) image.after(holder)
    if (address === null || isPixel) {
      image.remove()
      continue
    }
    const number = String(pictures.numberOf(address))
    image.setAttribute(PICTURE_ATTRIBUTE, number)
    holder?.setAttribute(PLACEHOLDER_ATTRIBUTE, number)
  }
  for (const element of root.querySelectorAll('[background]')) {
    const written = element.getAttribute('background')?.trim() ?? ''
    element.removeAttribute('background')
    const isEmbedded = isImageDataUrl(written)
    if (isEmbedded) pictures.noteEmbedded(written)
    const instead = isEmbedded ? `url(${JSON.stringify(written)})` : pictures.inStyles(written)
    if (instead === null) continue
    element.setAttribute('style', `background-image:${instead};${element.getAttribute('style') ?? ''}`)
  }
  return trackingPixels
}

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
