import { untrack } from 'svelte'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import type { SenderChoice } from '../../../shared/sender-choices.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { EmailPictures } from './email-pictures.svelte.ts'
import { RemotePictures } from './remote-pictures.svelte.ts'

const keyOf = (of: BodyOwner): string => JSON.stringify(of)

/** Pictures of the open e-mails, and the user's choices for their senders. */
export class PicturesManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  #open = $state.raw<readonly RemotePictures[]>([])
  #emailPictures = $state.raw<readonly EmailPictures[]>([])
  /** E-mails whose pictures were shown once. Remembered while the account is open. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not rendered
  readonly #shownOnce = new Set<string>()
  #choices = $state.raw<readonly SenderChoice[]>([])

  constructor(backend: Backend, toasts: ToastManager) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on('senderChoices.changed', () => {
      void this.load()
      for (const pictures of this.#open) void this.#follow(pictures)
    })
    // The thread may have moved into or out of spam.
    backend.on('threads.changed', ({ threadIds }) => {
      for (const pictures of this.#open) {
        const { of } = pictures
        // Only the engine knows the thread of a received e-mail.
        if (of.list === 'received' || (of.list === 'threads' && threadIds.includes(of.threadId))) {
          void this.#follow(pictures)
        }
      }
    })
  }

  /** Sorted by name. */
  get choices(): readonly SenderChoice[] {
    return this.#choices
  }

  /** Open e-mails with pictures that the user may want to see. */
  get waiting(): readonly RemotePictures[] {
    return this.#open.filter(({ hasBlocked }) => hasBlocked)
  }

  areShown(of: BodyOwner): boolean {
    return this.#open.some((pictures) => pictures.loadedCount > 0 && keyOf(pictures.of) === keyOf(of))
  }

  /** True if the attachment is displayed as a picture in the text of an open e-mail. */
  isInlinePicture(of: BodyOwner, attachment: Attachment): boolean {
    return this.#emailPictures.some(
      (emailPictures) => keyOf(emailPictures.of) === keyOf(of) && emailPictures.shows(attachment),
    )
  }

  async load(): Promise<void> {
    const answer = await this.#backend.call('senderChoice.list', {})
    if (answer.ok) this.#choices = answer.data
  }

  /** @param isWithin true if the e-mail itself contains the picture */
  of(of: BodyOwner, addresses: readonly string[], isWithin?: (number: number) => boolean): RemotePictures {
    return new RemotePictures(this.#backend, of, addresses, isWithin)
  }

  /** @param embedded size in bytes of each picture inside the HTML */
  emailPicturesOf(of: BodyOwner, addresses: readonly string[], embedded: readonly number[]): EmailPictures {
    return new EmailPictures(this.#backend, of, addresses, embedded)
  }

  /** Call when the e-mail is displayed. Returns a function to call when it is gone. */
  registerEmailPictures(emailPictures: EmailPictures): () => void {
    this.#emailPictures = [...untrack(() => this.#emailPictures), emailPictures]
    return () => {
      this.#emailPictures = untrack(() => this.#emailPictures).filter((each) => each !== emailPictures)
      emailPictures.end()
    }
  }

  /** Call when the e-mail is displayed. Returns a function to call when it is gone. */
  open(pictures: RemotePictures): () => void {
    this.#open = [...untrack(() => this.#open), pictures]
    void this.#follow(pictures)
    return () => {
      this.#open = untrack(() => this.#open).filter((each) => each !== pictures)
      pictures.end()
    }
  }

  /** Shows the pictures now, and whenever this e-mail is opened again while the account is open. */
  show(pictures: RemotePictures): void {
    this.#shownOnce.add(keyOf(pictures.of))
    void pictures.show()
  }

  retry(pictures: RemotePictures): void {
    void pictures.show(true)
  }

  /** Shows remote pictures from now on, in every e-mail from this sender or domain. */
  async showAlways(pictures: RemotePictures, who: SenderChoice['who']): Promise<void> {
    const problem = await pictures.choose(who)
    if (problem === null) return
    this.#toasts.show(`Your choice could not be saved. ${problem.message} Pictures are shown this time only.`)
    this.show(pictures)
  }

  /** Revokes a choice. Open e-mails stay as they are. */
  async forget(choice: SenderChoice): Promise<void> {
    const answer = await this.#backend.call('senderChoice.set', { ...choice, isOn: false })
    if (!answer.ok) this.#toasts.show(answer.error.message)
  }

  #follow(pictures: RemotePictures): Promise<void> {
    return pictures.follow(this.#shownOnce.has(keyOf(pictures.of)))
  }
}
