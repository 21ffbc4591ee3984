import type { BodyOwner } from '../../../shared/contract.ts'
import type { SenderChoice, SenderPolicy } from '../../../shared/sender-choices.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { isEmailPicture } from './block-images.ts'
import { loadPictures } from './load-picture.ts'

const NO_ADDRESS: Problem = { code: 'not_found', message: 'This sender has no address.' }

/** Remote pictures of one e-mail. Blocked until the user shows them or has chosen so before. */
export class RemotePictures {
  readonly of: BodyOwner
  readonly #backend: Backend
  readonly #addresses: readonly string[]
  /** Indexes of the remote pictures in `#addresses`. */
  readonly #numbers: readonly number[] = $derived.by(() =>
    [...this.#addresses.keys()].filter(
      (number) => !isEmailPicture(this.#addresses[number] ?? '') && !this.#isWithin(number),
    ),
  )
  readonly #isWithin: (number: number) => boolean
  #policy = $state.raw<SenderPolicy | null>(null)
  #state = $state<'blocked' | 'loading' | 'shown'>('blocked')
  #shown = $state.raw<readonly (string | null)[]>([])
  #failed = $state(0)
  #isOver = false

  /** @param isWithin true if the e-mail itself contains the picture */
  constructor(
    backend: Backend,
    of: BodyOwner,
    addresses: readonly string[],
    isWithin: (number: number) => boolean = () => false,
  ) {
    this.#backend = backend
    this.of = of
    this.#addresses = addresses
    this.#isWithin = isWithin
    this.#shown = addresses.map(() => null)
  }

  /** Null until loaded. */
  get policy(): SenderPolicy | null {
    return this.#policy
  }

  get state(): 'blocked' | 'loading' | 'shown' {
    return this.#state
  }

  get isInSpam(): boolean {
    return this.#policy?.pictures === 'spam'
  }

  /** True if the user may want to see blocked pictures. */
  get hasBlocked(): boolean {
    return this.count > 0 && this.#state === 'blocked' && !this.isInSpam
  }

  /** Address of each picture in the frame, or null if not loaded. */
  get shown(): readonly (string | null)[] {
    return this.#shown
  }

  get count(): number {
    return this.#numbers.length
  }

  get loadedCount(): number {
    return this.#shown.filter((address) => address !== null).length
  }

  get failed(): number {
    return this.#failed
  }

  /** Applies the policy for the sender: shows chosen pictures, blocks them in spam. */
  async follow(wasShown: boolean): Promise<void> {
    const answer = await this.#backend.call('senderChoice.of', { of: this.of })
    if (this.#isOver) return
    this.#policy = answer.ok ? answer.data : { sender: null, domain: null, pictures: 'asked', isDark: false }
    const { pictures } = this.#policy
    if (pictures === 'spam') this.#block()
    // Failed pictures are only requested again by the user: each request tells the sender something.
    else if (this.#state === 'blocked' && (wasShown || pictures === 'sender' || pictures === 'domain'))
      await this.show()
  }

  /** Loads the missing pictures; loaded ones stay. @param isRetry also retries those that failed */
  async show(isRetry = false): Promise<void> {
    if (this.#state === 'loading' || this.isInSpam || this.#isOver) return
    const missing = this.#numbers.filter((number) => this.#shown[number] === null)
    this.#state = 'loading'
    this.#failed = 0
    const from = { of: this.of, addresses: this.#addresses, isRetry }
    // The e-mail may have been closed or moved to spam.
    const isWanted = (): boolean => this.#state === 'loading'
    await loadPictures(this.#backend, from, missing, isWanted, (number, result) => {
      if (result.ok) this.#shown = this.#shown.with(number, result.data.address)
      else this.#failed += 1
    })
    if (isWanted()) this.#state = 'shown'
  }

  /** Stores a choice for the sender or the domain. @returns the problem, or null if stored */
  async choose(who: SenderChoice['who']): Promise<Problem | null> {
    const name = who === 'sender' ? this.#policy?.sender : this.#policy?.domain
    if (name === null || name === undefined) return NO_ADDRESS
    const answer = await this.#backend.call('senderChoice.set', { about: 'pictures', who, name, isOn: true })
    return answer.ok ? null : answer.error
  }

  /** Call when the e-mail is no longer displayed. */
  end(): void {
    this.#isOver = true
    this.#block()
  }

  #block(): void {
    for (const address of this.#shown) if (address !== null) URL.revokeObjectURL(address)
    this.#shown = this.#addresses.map(() => null)
    this.#state = 'blocked'
    this.#failed = 0
  }
}
