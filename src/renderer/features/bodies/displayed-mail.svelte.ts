import { normalizeContentId, parseCidUrl } from '../../../shared/embedded-picture.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import type { SenderPolicy } from '../../../shared/sender-choices.ts'
import type { ProblemCode } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { decodeBase64 } from '../../ui/base64.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import { isEmailPicture, isImageDataUrl, PICTURE_ATTRIBUTE } from './block-images.ts'

export interface DisplayedPicture {
  /** Address in the message (the engine's key for it), or the picture itself (`data:`). */
  readonly url: string
  readonly src: string
  /** Alternative text from the sender, or empty. */
  readonly name: string
}

/** More than the number of pictures a message may load. */
const MAX_PICTURES = 200
/** Pixels. Smaller images are spacers. */
const MIN_SIDE_PX = 3

const displayedPicture = (image: HTMLImageElement, addresses: readonly string[]): DisplayedPicture | null => {
  const src = image.getAttribute('src') ?? ''
  if (image.naturalWidth < MIN_SIDE_PX || image.naturalHeight < MIN_SIDE_PX) return null
  const name = toVisibleText(image.alt.trim().slice(0, 200))
  if (isImageDataUrl(src)) return { url: src, src, name }
  const url = addresses[Number(image.getAttribute(PICTURE_ATTRIBUTE) ?? -1)]
  return url === undefined || !src.startsWith('blob:') ? null : { url, src, name }
}

/** Loaded pictures without duplicates, in document order. @param addresses indexed by picture number */
export const findDisplayedPictures = (content: Document, addresses: readonly string[]): readonly DisplayedPicture[] => {
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not rendered
  const found = new Map<string, DisplayedPicture>()
  for (const image of content.images) {
    const picture = displayedPicture(image, addresses)
    if (picture !== null && !found.has(picture.url)) found.set(picture.url, picture)
    if (found.size === MAX_PICTURES) break
  }
  return [...found.values()]
}

/** Concurrent requests, as many as the engine fetches at a time. */
const MAX_CONCURRENT = 4

interface LoadedPicture {
  /** Valid until revoked. */
  readonly address: string
  readonly bytes: number
}

const isPicture = ({ contentType, filename }: Attachment): boolean =>
  /^image\//i.test(contentType ?? '') || /\.(?:png|jpe?g|gif|webp|avif|bmp|ico)$/i.test(filename ?? '')

/**
 * A displayed formatted e-mail and its pictures. Pictures included in the e-mail are shown without asking, since loading
 * them tells the sender nothing. Remote ones are blocked until the user shows them or has chosen so before.
 */
export class DisplayedMail {
  readonly of: BodyOwner
  readonly #backend: Backend
  /** Addresses of pictures, by number. */
  readonly #addresses: readonly string[]
  /** Lengths in bytes of pictures embedded in the HTML. */
  readonly #embedded: readonly number[]
  #loaded = $state.raw<readonly (LoadedPicture | null)[]>([])
  #problems = $state.raw<readonly (ProblemCode | null)[]>([])
  /** Pictures that have a web address but are included in the e-mail, or null until known. */
  #located = $state.raw<readonly string[] | null>(null)
  readonly #isIncluded: readonly boolean[] = $derived.by(() =>
    this.#addresses.map((address) => isEmailPicture(address) || this.#located?.includes(address) === true),
  )
  /** Null until loaded. */
  policy = $state.raw<SenderPolicy | null>(null)
  /** State of the remote pictures. */
  state = $state<'blocked' | 'loading' | 'shown'>('blocked')
  #isLoadingIncluded = false
  #isOver = false
  /** Pictures that the frame has drawn. */
  drawn = $state.raw<readonly DisplayedPicture[]>([])
  /** Null if the user has no choice: the e-mail has no colours, or the theme is light. */
  isDark = $state<boolean | null>(null)

  /** @param embedded size in bytes of each picture inside the HTML */
  constructor(backend: Backend, of: BodyOwner, addresses: readonly string[], embedded: readonly number[] = []) {
    this.#backend = backend
    this.of = of
    this.#addresses = addresses
    this.#embedded = embedded
    this.#loaded = addresses.map(() => null)
    this.#problems = addresses.map(() => null)
  }

  get isInSpam(): boolean {
    return this.policy?.pictures === 'spam'
  }

  /** True if the user may want to see blocked pictures. */
  get hasBlocked(): boolean {
    return this.remoteCount > 0 && this.state === 'blocked' && !this.isInSpam
  }

  /** Address of each picture for the frame, or null if not loaded. */
  get shown(): readonly (string | null)[] {
    return this.#loaded.map((picture) => picture?.address ?? null)
  }

  /** Error of each picture included in the e-mail, or null. */
  get problems(): readonly (ProblemCode | null)[] {
    return this.#problems.map((problem, number) => (this.#isIncluded[number] ? problem : null))
  }

  get failedCount(): number {
    return this.problems.filter((problem) => problem !== null).length
  }

  get remoteCount(): number {
    return this.#remote.length
  }

  get remoteLoadedCount(): number {
    return this.#remote.filter((number) => this.#loaded[number] !== null).length
  }

  get remoteFailedCount(): number {
    return this.#remote.filter((number) => this.#problems[number] !== null).length
  }

  get #remote(): readonly number[] {
    return [...this.#addresses.keys()].filter((number) => !this.#isIncluded[number])
  }

  /** True for an attachment shown as a picture in the text, matched by Content-ID, else by length. */
  shows(attachment: Attachment): boolean {
    const contentId = normalizeContentId(attachment.contentId)
    const included = this.#loaded.filter((_, number) => this.#isIncluded[number])
    const isNamed = this.#addresses.some(
      (address, number) => parseCidUrl(address) === contentId && this.#loaded[number],
    )
    if (isNamed) return true
    const { size } = attachment
    if (size === null || !isPicture(attachment)) return false
    return this.#embedded.includes(size) || included.some((picture) => picture?.bytes === size)
  }

  /**
   * Applies the policy for the sender: shows chosen pictures, blocks them in spam.
   * @param wasShown true if the user has shown this e-mail's pictures before
   */
  async follow(wasShown: boolean): Promise<void> {
    const answer = await this.#backend.call('senderChoice.of', { of: this.of })
    if (this.#isOver) return
    this.policy = answer.ok ? answer.data : { sender: null, domain: null, pictures: 'asked', isDark: false }
    const { pictures } = this.policy
    if (pictures === 'spam') this.#blockRemote()
    // Failed pictures are only requested again by the user: each request tells the sender something.
    else if (this.state === 'blocked' && (wasShown || pictures === 'sender' || pictures === 'domain'))
      await this.showRemote()
  }

  /** Loads the missing remote pictures; loaded ones stay. @param isRetry also retries those that failed */
  async showRemote(isRetry = false): Promise<void> {
    if (this.state === 'loading' || this.isInSpam || this.#isOver) return
    this.state = 'loading'
    this.#problems = this.problems
    // The e-mail may have been closed or moved to spam.
    const isWanted = (): boolean => this.state === 'loading'
    await this.#load(this.#remote, isRetry, isWanted)
    if (isWanted()) this.state = 'shown'
  }

  /** @param isRetry true at the user's request: also retries pictures that weren't found before */
  async loadIncluded(isRetry: boolean): Promise<void> {
    if (this.#isLoadingIncluded || this.#isOver) return
    this.#isLoadingIncluded = true
    if (this.#remote.length > 0 && this.#located === null) {
      const answer = await this.#backend.call('picture.located', { of: this.of })
      if (answer.ok) this.#located = answer.data
    }
    const included = [...this.#isIncluded.keys()].filter((number) => this.#isIncluded[number])
    await this.#load(included, isRetry, () => !this.#isOver)
    this.#isLoadingIncluded = false
  }

  /** Call when the e-mail is no longer displayed. */
  end(): void {
    this.#isOver = true
    this.state = 'blocked'
    this.#drop(() => true)
  }

  /** @param isWanted checked before each request and after each response */
  async #load(numbers: readonly number[], isRetry: boolean, isWanted: () => boolean): Promise<void> {
    const missing = numbers.filter((number) => this.#loaded[number] === null)
    const loadNext = async (): Promise<void> => {
      for (let number = missing.shift(); number !== undefined && isWanted(); number = missing.shift()) {
        const url = this.#addresses[number] ?? ''
        const answer = await this.#backend.call('picture.read', { of: this.of, url, isRetry })
        if (!isWanted()) return
        if (answer.ok) {
          const bytes = decodeBase64(answer.data.content)
          const address = URL.createObjectURL(new Blob([bytes], { type: answer.data.type }))
          this.#loaded = this.#loaded.with(number, { address, bytes: bytes.byteLength })
        }
        // A bare name may refer to the web page the text was copied from, so a missing picture isn't an error.
        const isHarmless = this.#isIncluded[number] && parseCidUrl(url) === null
        const problem = answer.ok || (isHarmless && answer.error.code === 'not_found') ? null : answer.error.code
        this.#problems = this.#problems.with(number, problem)
      }
    }
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, loadNext))
  }

  #blockRemote(): void {
    this.state = 'blocked'
    this.#drop((number) => !this.#isIncluded[number])
  }

  #drop(isDropped: (number: number) => boolean): void {
    for (const [number, picture] of this.#loaded.entries()) {
      if (picture !== null && isDropped(number)) URL.revokeObjectURL(picture.address)
    }
    this.#loaded = this.#loaded.map((picture, number) => (isDropped(number) ? null : picture))
    this.#problems = this.#problems.map((problem, number) => (isDropped(number) ? null : problem))
  }
}
