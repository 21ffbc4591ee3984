import { contentIdIn, nameWithin } from '../../../shared/carried-picture.ts'
import { embeddedLength, isEmbeddedImage } from './embedded-image.ts'
import { remoteAddress } from './remote-address.ts'
import { sourcesIn } from '../../../shared/remote-address.ts'

/** What was kept out of an e-mail, as it would have been fetched from elsewhere. */
export interface BlockedContent {
  /**
   * Addresses of pictures that a person could see, each once: of those that are elsewhere, and of those that the e-mail may
   * carry, as `cid:` or by a name alone, which are not blocked. The number of an address is the place of the picture in the
   * markup: an image without a source that bears it (`PICTURE_ATTRIBUTE`), or a property of the styles (`pictureProperty`).
   */
  readonly pictures: readonly string[]
  /** Images that nobody could have seen: they exist to tell the sender that the e-mail was read. They are taken out for good. */
  readonly trackingPixels: number
  /** Style sheets, fonts and whatever else would have been fetched. */
  readonly others: number
}

/** Whether an address is that of a picture which the e-mail itself carries beside its text. */
export const isCarried = (address: string): boolean => contentIdIn(address) !== null || nameWithin(address) !== null

const carriedAddress = (written: string): string | null => {
  const contentId = contentIdIn(written)
  return contentId === null ? null : `cid:${encodeURIComponent(contentId)}`
}

/** Of a picture that is written by a name alone. */
const namedAddress = (written: string): string | null => {
  const name = nameWithin(written)
  return name === null ? null : encodeURIComponent(name)
}

/** On an image that waits for its picture: the picture's number. */
export const PICTURE_ATTRIBUTE = 'data-linnet-picture'
/** On what stands where an image waits: the same number. */
export const PLACE_ATTRIBUTE = 'data-linnet-place'
/** The property that draws a picture in the styles once it is there. */
export const pictureProperty = (number: number): string => `--linnet-picture-${number}`

/** Numbers the addresses of pictures as they are found in an e-mail. */
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
    /** What stands in the styles for a picture that is elsewhere: nothing, until it is there. */
    inStyles: (written: string): string | null => {
      const address = remoteAddress(written) ?? carriedAddress(written) ?? namedAddress(written)
      return address === null ? null : `var(${pictureProperty(numberOf(address))}, none)`
    },
    addresses: (): readonly string[] => [...numbers.keys()],
    /** @param length in bytes, of a picture that stands within the HTML */
    noteEmbedded: (length: number | null): void => {
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

/** What stands where an image would have been: its alternative text, in a box of its size. */
const placeholderFor = (image: Element): HTMLElement => {
  const box = image.ownerDocument.createElement('span')
  const words = image.getAttribute('alt')?.trim() ?? ''
  const [width, height] = [sizeOf(image, 'width'), sizeOf(image, 'height')]
  box.className = 'linnet-image'
  box.setAttribute('role', 'img')
  box.setAttribute('aria-label', words === '' ? 'Image, not shown' : words)
  box.textContent = words
  // A missing side is left to the words; a wide banner must not push the text off the first screen.
  const sides = [
    width === null ? '' : `width:${width}px`,
    height === null ? '' : `min-height:${Math.min(height, 160)}px`,
  ]
  box.setAttribute('style', sides.filter((side) => side !== '').join(';'))
  return box
}

const MOST_CANDIDATES = 50
/** Pixels of the screen for each of the letter: more is not seen. */
const DENSEST = 2
/** Pixels across: more than any letter is wide on a dense screen. */
const WIDEST = 1_600

/** How good a candidate is: the larger the better up to what can be seen, beyond it the smaller the better. */
const worthOf = (descriptor: string): number => {
  const [, size = '1', unit = 'x'] = /^(\d+(?:\.\d+)?)([wx])$/.exec(descriptor) ?? []
  const part = Number(size) / (unit === 'w' ? WIDEST : DENSEST)
  return part <= 1 ? part : 1 / part
}

export const bestCandidate = (srcset: string): string | null => {
  const candidates = sourcesIn(srcset)
    .slice(0, MOST_CANDIDATES)
    .flatMap(({ written, descriptor }) => {
      const address = remoteAddress(written)
      return address === null ? [] : [{ address, worth: worthOf(descriptor === '' ? '1x' : descriptor) }]
    })
  return candidates.toSorted((a, b) => b.worth - a.worth)[0]?.address ?? null
}

/**
 * Takes the address out of every image that does not come with the e-mail. One that is elsewhere waits for its picture,
 * unseen beside a place holder; one that nobody could have seen, or that is nowhere, goes.
 * @returns how many only watched
 */
export const blockImages = (root: Element, pictures: PictureList): number => {
  let trackingPixels = 0
  for (const image of root.querySelectorAll('img')) {
    const source = image.getAttribute('src')?.trim() ?? ''
    const srcset = image.getAttribute('srcset') ?? ''
    image.removeAttribute('srcset')
    if (isEmbeddedImage(source)) {
      pictures.noteEmbedded(embeddedLength(source))
      continue
    }
    image.removeAttribute('src')
    const carried = carriedAddress(source)
    if (carried !== null) {
      const number = String(pictures.numberOf(carried))
      image.setAttribute(PICTURE_ATTRIBUTE, number)
      const holder = placeholderFor(image)
      // Where it does not come, that is said there.
      holder.setAttribute(PLACE_ATTRIBUTE, number)
      image.after(holder)
      continue
    }
    const address = remoteAddress(source) ?? bestCandidate(srcset) ?? namedAddress(source)
    const isPixel = isInvisible(image)
    if (address !== null && isPixel && !isCarried(address)) trackingPixels += 1
    // Without words and without a size there is nothing to hold a place for.
    const isBlank = (image.getAttribute('alt') ?? '').trim() === '' && sizeOf(image, 'height') === null
    const holder = isPixel || isBlank ? null : placeholderFor(image)
    if (address === null || isPixel) {
      if (holder === null) image.remove()
      else image.replaceWith(holder)
      continue
    }
    const number = String(pictures.numberOf(address))
    image.setAttribute(PICTURE_ATTRIBUTE, number)
    holder?.setAttribute(PLACE_ATTRIBUTE, number)
    if (holder !== null) image.after(holder)
  }
  for (const element of root.querySelectorAll('[background]')) {
    const written = element.getAttribute('background')?.trim() ?? ''
    element.removeAttribute('background')
    if (isEmbeddedImage(written)) pictures.noteEmbedded(embeddedLength(written))
    const instead = isEmbeddedImage(written) ? `url(${JSON.stringify(written)})` : pictures.inStyles(written)
    if (instead === null) continue
    element.setAttribute('style', `background-image:${instead};${element.getAttribute('style') ?? ''}`)
  }
  return trackingPixels
}
