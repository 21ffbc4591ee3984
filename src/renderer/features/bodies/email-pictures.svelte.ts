/* eslint-disable svelte/prefer-svelte-reactivity -- immutable: its map and set are replaced, never mutated */
import { normalizeContentId, parseCidUrl } from '../../../shared/embedded-picture.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import type { ProblemCode } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { isEmailPicture } from './block-images.ts'
import { loadPictures, type LoadedPicture } from './load-picture.ts'

const isPicture = ({ contentType, filename }: Attachment): boolean =>
  /^image\//i.test(contentType ?? '') || /\.(?:png|jpe?g|gif|webp|avif|bmp|ico)$/i.test(filename ?? '')

/** Pictures included in an e-mail. They are shown without asking, since loading them tells the sender nothing. */
export class EmailPictures {
  readonly of: BodyOwner
  readonly #backend: Backend
  readonly #addresses: readonly string[]
  readonly #numbers: readonly number[]
  /** Lengths in bytes of pictures embedded in the HTML. */
  readonly #embedded: readonly number[]
  readonly #byContentId: ReadonlyMap<string, number>
  #loaded = $state.raw<readonly (LoadedPicture | null)[]>([])
  #problems = $state.raw<readonly (ProblemCode | null)[]>([])
  readonly #loadedBytes: ReadonlySet<number | undefined> = $derived(
    new Set(this.#loaded.map((picture) => picture?.bytes)),
  )
  /** Numbers of pictures that have a web address but are included in the e-mail, or null until known. */
  #located = $state.raw<readonly number[] | null>(null)
  #isLoading = false
  #isOver = false

  constructor(backend: Backend, of: BodyOwner, addresses: readonly string[], embedded: readonly number[]) {
    this.#backend = backend
    this.of = of
    this.#addresses = addresses
    this.#numbers = [...addresses.keys()].filter((number) => isEmailPicture(addresses[number] ?? ''))
    this.#embedded = embedded
    this.#byContentId = new Map(this.#numbers.map((number) => [parseCidUrl(addresses[number] ?? '') ?? '', number]))
    this.#loaded = addresses.map(() => null)
    this.#problems = addresses.map(() => null)
  }

  /** True if the picture has a web address but is known to be included in the e-mail. */
  holds(number: number): boolean {
    return this.#located?.includes(number) === true
  }

  /** Each picture's address for the frame. Null if it isn't loaded or is remote. */
  get shown(): readonly (string | null)[] {
    return this.#loaded.map((picture) => picture?.address ?? null)
  }

  /** Each picture's error. Null if it is loaded or pending. */
  get problems(): readonly (ProblemCode | null)[] {
    return this.#problems
  }

  get failed(): number {
    return this.#problems.filter((problem) => problem !== null).length
  }

  /** True for an attachment shown as a picture in the text, matched by Content-ID, else by length. */
  shows(attachment: Attachment): boolean {
    const named = this.#byContentId.get(normalizeContentId(attachment.contentId))
    if (named !== undefined && this.#loaded[named] !== null) return true
    const { size } = attachment
    if (size === null || !isPicture(attachment)) return false
    return this.#embedded.includes(size) || this.#loadedBytes.has(size)
  }

  /** @param isRetry true at the user's request: also retries pictures that weren't found before */
  async load(isRetry: boolean): Promise<void> {
    if (this.#isLoading || this.#isOver) return
    this.#isLoading = true
    this.#located ??= await this.#locate()
    const missing = [...this.#numbers, ...(this.#located ?? [])].filter((number) => this.#loaded[number] === null)
    const from = { of: this.of, addresses: this.#addresses, isRetry }
    const isWanted = (): boolean => !this.#isOver
    await loadPictures(this.#backend, from, missing, isWanted, (number, result) => {
      if (result.ok) this.#loaded = this.#loaded.with(number, result.data)
      // A bare name may refer to the web page the text was copied from, so a missing picture isn't an error.
      const isMeant =
        result.ok || result.error.code !== 'not_found' || parseCidUrl(this.#addresses[number] ?? '') !== null
      this.#problems = this.#problems.with(number, result.ok || !isMeant ? null : result.error.code)
    })
    this.#isLoading = false
  }

  /** @returns numbers of pictures that have a web address but are included in the e-mail, or null if unknown */
  async #locate(): Promise<readonly number[] | null> {
    const elsewhere = [...this.#addresses.keys()].filter((number) => !this.#numbers.includes(number))
    if (elsewhere.length === 0) return []
    const answer = await this.#backend.call('picture.located', { of: this.of })
    return answer.ok ? elsewhere.filter((number) => answer.data.includes(this.#addresses[number] ?? '')) : null
  }

  /** Call when the e-mail leaves the screen. */
  end(): void {
    this.#isOver = true
    for (const picture of this.#loaded) if (picture !== null) URL.revokeObjectURL(picture.address)
  }
}
