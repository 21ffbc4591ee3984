/* eslint-disable svelte/prefer-svelte-reactivity -- its map and set are values that are replaced, never changed */
import { bareContentId, contentIdIn } from '../../../shared/carried-picture.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import type { ProblemCode } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { isCarried } from './block-images.ts'
import { loadPictures, type LoadedPicture } from './load-picture.ts'

const isPicture = ({ contentType, filename }: Attachment): boolean =>
  /^image\//i.test(contentType ?? '') || /\.(?:png|jpe?g|gif|webp|avif|bmp|ico)$/i.test(filename ?? '')

/** The pictures of one e-mail that it carries itself: shown without a question, as nobody learns of it. */
export class CarriedPictures {
  readonly of: BodyOwner
  readonly #backend: Backend
  readonly #addresses: readonly string[]
  readonly #numbers: readonly number[]
  /** Bytes of the pictures that stand within the HTML. */
  readonly #embedded: readonly number[]
  /** The numbers of those that it names by their Content-IDs. */
  readonly #byContentId: ReadonlyMap<string, number>
  #loaded = $state.raw<readonly (LoadedPicture | null)[]>([])
  #problems = $state.raw<readonly (ProblemCode | null)[]>([])
  readonly #loadedBytes: ReadonlySet<number | undefined> = $derived(
    new Set(this.#loaded.map((picture) => picture?.bytes)),
  )
  /** Numbers of those that are in it by an address of the web; null until that is known. */
  #located = $state.raw<readonly number[] | null>(null)
  #isLoading = false
  #isOver = false

  constructor(backend: Backend, of: BodyOwner, addresses: readonly string[], embedded: readonly number[]) {
    this.#backend = backend
    this.of = of
    this.#addresses = addresses
    this.#numbers = [...addresses.keys()].filter((number) => isCarried(addresses[number] ?? ''))
    this.#embedded = embedded
    this.#byContentId = new Map(this.#numbers.map((number) => [contentIdIn(addresses[number] ?? '') ?? '', number]))
    this.#loaded = addresses.map(() => null)
    this.#problems = addresses.map(() => null)
  }

  /** Whether it is known to have a picture itself. */
  holds(number: number): boolean {
    return this.#located?.includes(number) === true
  }

  /** Where the frame finds each picture; null for what is not here, or is elsewhere. */
  get shown(): readonly (string | null)[] {
    return this.#loaded.map((picture) => picture?.address ?? null)
  }

  /** Why each did not come; null where it did, or is still awaited. */
  get problems(): readonly (ProblemCode | null)[] {
    return this.#problems
  }

  get failed(): number {
    return this.#problems.filter((problem) => problem !== null).length
  }

  /** Whether an attachment is one of the pictures that stand in the text: by its Content-ID, else by its length. */
  shows(attachment: Attachment): boolean {
    const named = this.#byContentId.get(bareContentId(attachment.contentId))
    if (named !== undefined && this.#loaded[named] !== null) return true
    const { size } = attachment
    if (size === null || !isPicture(attachment)) return false
    return this.#embedded.includes(size) || this.#loadedBytes.has(size)
  }

  /** Loads all that is not here. @param isAgain also what the e-mail was found not to have: a person wants it */
  async load(isAgain: boolean): Promise<void> {
    if (this.#isLoading || this.#isOver) return
    this.#isLoading = true
    this.#located ??= await this.#locate()
    const missing = [...this.#numbers, ...(this.#located ?? [])].filter((number) => this.#loaded[number] === null)
    const from = { of: this.of, addresses: this.#addresses, isAgain }
    const isWanted = (): boolean => !this.#isOver
    await loadPictures(this.#backend, from, missing, isWanted, (number, result) => {
      if (result.ok) this.#loaded = this.#loaded.with(number, result.data)
      // A name alone may mean a page that the text was taken from.
      const isMeant =
        result.ok || result.error.code !== 'not_found' || contentIdIn(this.#addresses[number] ?? '') !== null
      this.#problems = this.#problems.with(number, result.ok || !isMeant ? null : result.error.code)
    })
    this.#isLoading = false
  }

  /** @returns numbers of pictures that have an address of the web and are in the e-mail; null where that is not known */
  async #locate(): Promise<readonly number[] | null> {
    const elsewhere = [...this.#addresses.keys()].filter((number) => !this.#numbers.includes(number))
    if (elsewhere.length === 0) return []
    const answer = await this.#backend.call('picture.located', { of: this.of })
    return answer.ok ? elsewhere.filter((number) => answer.data.includes(this.#addresses[number] ?? '')) : null
  }

  /** The e-mail is not on the screen any more. */
  end(): void {
    this.#isOver = true
    for (const picture of this.#loaded) if (picture !== null) URL.revokeObjectURL(picture.address)
  }
}
