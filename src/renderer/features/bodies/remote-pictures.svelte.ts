import type { BodyOwner } from '../../../shared/contract.ts'
import type { SenderChoice, SenderPolicy } from '../../../shared/sender-choices.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { isCarried } from './block-images.ts'
import { loadPictures } from './load-picture.ts'

const NOBODY: Problem = { code: 'not_found', message: 'The sender has no address to remember this for.' }

/** The pictures of one e-mail that are elsewhere: blocked, until a person wants to see them or has chosen so before. */
export class RemotePictures {
  readonly of: BodyOwner
  readonly #backend: Backend
  readonly #addresses: readonly string[]
  /** Of those among them that are elsewhere. */
  readonly #numbers: readonly number[] = $derived.by(() =>
    [...this.#addresses.keys()].filter(
      (number) => !isCarried(this.#addresses[number] ?? '') && !this.#isWithin(number),
    ),
  )
  readonly #isWithin: (number: number) => boolean
  #policy = $state.raw<SenderPolicy | null>(null)
  #state = $state<'blocked' | 'loading' | 'shown'>('blocked')
  #shown = $state.raw<readonly (string | null)[]>([])
  #failed = $state(0)
  #isOver = false

  /** @param isWithin whether the e-mail itself has the picture of a number */
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

  /** Null until it is known. */
  get policy(): SenderPolicy | null {
    return this.#policy
  }

  get state(): 'blocked' | 'loading' | 'shown' {
    return this.#state
  }

  get isInSpam(): boolean {
    return this.#policy?.pictures === 'spam'
  }

  /** Whether there is something that a person could want to see. */
  get areWaiting(): boolean {
    return this.count > 0 && this.#state === 'blocked' && !this.isInSpam
  }

  /** Where the frame finds each picture; null for what is not here. */
  get shown(): readonly (string | null)[] {
    return this.#shown
  }

  get count(): number {
    return this.#numbers.length
  }

  get here(): number {
    return this.#shown.filter((address) => address !== null).length
  }

  /** How many did not come. */
  get failed(): number {
    return this.#failed
  }

  /** Reads what holds for the sender, and follows it: pictures are shown by a choice, and taken away in spam. */
  async follow(wasShown: boolean): Promise<void> {
    const answer = await this.#backend.call('senderChoice.of', { of: this.of })
    if (this.#isOver) return
    this.#policy = answer.ok ? answer.data : { sender: null, domain: null, pictures: 'asked', isDark: false }
    const { pictures } = this.#policy
    if (pictures === 'spam') this.#block()
    // What did not come is asked for again by a person alone: each asking tells the sender something.
    else if (this.#state === 'blocked' && (wasShown || pictures === 'sender' || pictures === 'domain'))
      await this.show()
  }

  /** Loads all that is not here. Again after it failed: what is here stays. @param isAgain what was refused is asked for, too */
  async show(isAgain = false): Promise<void> {
    if (this.#state === 'loading' || this.isInSpam || this.#isOver) return
    const missing = this.#numbers.filter((number) => this.#shown[number] === null)
    this.#state = 'loading'
    this.#failed = 0
    const from = { of: this.of, addresses: this.#addresses, isAgain }
    // It may be left, or go to the spam, meanwhile.
    const isWanted = (): boolean => this.#state === 'loading'
    await loadPictures(this.#backend, from, missing, isWanted, (number, result) => {
      if (result.ok) this.#shown = this.#shown.with(number, result.data.address)
      else this.#failed += 1
    })
    if (isWanted()) this.#state = 'shown'
  }

  /** Keeps a choice for the sender or the domain. @returns why it is not kept; null where it is */
  async choose(who: SenderChoice['who']): Promise<Problem | null> {
    const name = who === 'sender' ? this.#policy?.sender : this.#policy?.domain
    if (name === null || name === undefined) return NOBODY
    const answer = await this.#backend.call('senderChoice.set', { about: 'pictures', who, name, isOn: true })
    return answer.ok ? null : answer.error
  }

  /** The e-mail is not on the screen any more. */
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
