import { untrack } from 'svelte'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import type { SenderChoice } from '../../../shared/sender-choices.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { CarriedPictures } from './carried-pictures.svelte.ts'
import { RemotePictures } from './remote-pictures.svelte.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly pictures: PicturesManager
  }
}

const keyOf = (of: BodyOwner): string => JSON.stringify(of)

/** The pictures of the e-mails that are open, and what a person has chosen for their senders. */
export class PicturesManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  #open = $state.raw<readonly RemotePictures[]>([])
  #carried = $state.raw<readonly CarriedPictures[]>([])
  /** E-mails whose pictures were shown once: as long as the account is open. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn by it
  readonly #shownOnce = new Set<string>()
  #choices = $state.raw<readonly SenderChoice[]>([])

  constructor(backend: Backend, toasts: ToastManager) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on('senderChoices.changed', () => {
      void this.load()
      for (const pictures of this.#open) void this.#follow(pictures)
    })
    // Its thread may be in the spam by now, or out of it.
    backend.on('threads.changed', ({ threadIds }) => {
      for (const pictures of this.#open) {
        const { of } = pictures
        // In which thread a received e-mail lies, the engine knows.
        if (of.list === 'received' || (of.list === 'threads' && threadIds.includes(of.threadId))) {
          void this.#follow(pictures)
        }
      }
    })
  }

  /** All that was chosen, by names. */
  get choices(): readonly SenderChoice[] {
    return this.#choices
  }

  /** Those among the open e-mails whose pictures a person could want to see. */
  get waiting(): readonly RemotePictures[] {
    return this.#open.filter(({ areWaiting }) => areWaiting)
  }

  /** Whether the pictures of an e-mail that is open are shown. */
  areShown(of: BodyOwner): boolean {
    return this.#open.some((pictures) => pictures.here > 0 && keyOf(pictures.of) === keyOf(of))
  }

  /** Whether an attachment of an e-mail that is open is a picture which stands in its text. */
  standsInText(of: BodyOwner, attachment: Attachment): boolean {
    return this.#carried.some((carried) => keyOf(carried.of) === keyOf(of) && carried.shows(attachment))
  }

  /** Call when an account has been opened. */
  async load(): Promise<void> {
    const answer = await this.#backend.call('senderChoice.list', {})
    if (answer.ok) this.#choices = answer.data
  }

  /**
   * The pictures of an e-mail.
   * @param addresses where they are
   * @param isWithin whether the e-mail itself has one of them
   */
  of(of: BodyOwner, addresses: readonly string[], isWithin?: (number: number) => boolean): RemotePictures {
    return new RemotePictures(this.#backend, of, addresses, isWithin)
  }

  /** Those that the e-mail carries. @param embedded bytes of each that stands within its HTML */
  carriedBy(of: BodyOwner, addresses: readonly string[], embedded: readonly number[]): CarriedPictures {
    return new CarriedPictures(this.#backend, of, addresses, embedded)
  }

  /** Their e-mail is on the screen, until what is returned is called. */
  openCarried(carried: CarriedPictures): () => void {
    this.#carried = [...untrack(() => this.#carried), carried]
    return () => {
      this.#carried = untrack(() => this.#carried).filter((each) => each !== carried)
      carried.end()
    }
  }

  /** Their e-mail is on the screen, until what is returned is called. */
  open(pictures: RemotePictures): () => void {
    this.#open = [...untrack(() => this.#open), pictures]
    void this.#follow(pictures)
    return () => {
      this.#open = untrack(() => this.#open).filter((each) => each !== pictures)
      pictures.end()
    }
  }

  /** Shows the pictures of an e-mail now, and whenever it is opened again while the account is. */
  show(pictures: RemotePictures): void {
    this.#shownOnce.add(keyOf(pictures.of))
    void pictures.show()
  }

  /** Asks again for those that did not come. */
  retry(pictures: RemotePictures): void {
    void pictures.show(true)
  }

  /** Shows them from now on, in every e-mail of the sender or of the domain. */
  async showAlways(pictures: RemotePictures, who: SenderChoice['who']): Promise<void> {
    const problem = await pictures.choose(who)
    if (problem === null) return
    this.#toasts.say(`This choice could not be saved. ${problem.message} The pictures are shown this time.`)
    this.show(pictures)
  }

  /** Takes a choice back: what is open stays as it is. */
  async forget(choice: SenderChoice): Promise<void> {
    const answer = await this.#backend.call('senderChoice.set', { ...choice, isOn: false })
    if (!answer.ok) this.#toasts.say(answer.error.message)
  }

  #follow(pictures: RemotePictures): Promise<void> {
    return pictures.follow(this.#shownOnce.has(keyOf(pictures.of)))
  }
}
