import { untrack } from 'svelte'
import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import type { SenderChoice } from '../../../shared/sender-choices.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { reportSavedFile } from '../../kernel/report-saved-file.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import type { DisplayedMail, DisplayedPicture } from './displayed-mail.svelte.ts'

const keyOf = (of: BodyOwner): string => JSON.stringify(of)

/**
 * How e-mails are displayed: with or without remote pictures, dark or as sent, formatted or as plain text. Choices for
 * an e-mail last while the account is open, choices for a sender until revoked.
 */
export class MailDisplay {
  readonly #backend: Backend
  readonly #toasts: Readonly<ToastManager>
  #open = $state.raw<readonly DisplayedMail[]>([])
  /** E-mails whose remote pictures were shown once. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not rendered
  readonly #shownOnce = new Set<string>()
  readonly #dark = new SvelteMap<string, boolean>()
  readonly #asText = new SvelteSet<string>()
  /** Sorted by name. */
  choices = $state.raw<readonly SenderChoice[]>([])
  /** Pictures for the user to choose from, or null if none are offered. */
  pictureChoice = $state.raw<{ readonly of: BodyOwner; readonly pictures: readonly DisplayedPicture[] } | null>(null)
  #isSaving = false

  constructor(backend: Backend, toasts: Readonly<ToastManager>) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on('senderChoices.changed', () => {
      void this.load()
      for (const mail of this.#open) void this.#follow(mail)
    })
    // The thread may have moved into or out of spam.
    backend.on('threads.changed', ({ threadIds }) => {
      for (const mail of this.#open) {
        const { of } = mail
        // Only the engine knows the thread of a received e-mail.
        if (of.list === 'received' || (of.list === 'threads' && threadIds.includes(of.threadId))) {
          void this.#follow(mail)
        }
      }
    })
  }

  async load(): Promise<void> {
    const answer = await this.#backend.call('senderChoice.list', {})
    if (answer.ok) this.choices = answer.data
  }

  /** Revokes a choice. Pictures of open e-mails stay as they are. */
  async forget(choice: SenderChoice): Promise<void> {
    const problem = await this.#choose(choice, false)
    if (problem !== null) this.#toasts.show(problem.message)
  }

  /** Call when the e-mail is displayed. Returns a function to call when it is gone. */
  open(mail: DisplayedMail): () => void {
    this.#open = [...untrack(() => this.#open), mail]
    void this.#follow(mail)
    return () => {
      this.#open = untrack(() => this.#open).filter((each) => each !== mail)
      mail.end()
    }
  }

  /** Open e-mails with pictures that the user may want to see. */
  get waiting(): readonly DisplayedMail[] {
    return this.#open.filter(({ hasBlocked }) => hasBlocked)
  }

  areRemotePicturesShown(of: BodyOwner): boolean {
    return this.#displayed(of).some(({ remoteLoadedCount }) => remoteLoadedCount > 0)
  }

  /** True if the attachment is displayed as a picture in the text of an open e-mail. */
  isInlinePicture(of: BodyOwner, attachment: Attachment): boolean {
    return this.#displayed(of).some((mail) => mail.shows(attachment))
  }

  /** Shows remote pictures now, and whenever this e-mail is opened again while the account is open. */
  showPictures(mail: DisplayedMail): void {
    this.#shownOnce.add(keyOf(mail.of))
    void mail.showRemote()
  }

  /** Shows remote pictures from now on, in every e-mail from this sender or domain. */
  async alwaysShowPictures(mail: DisplayedMail, who: SenderChoice['who']): Promise<void> {
    const name = mail.policy?.[who]
    if (typeof name !== 'string') return
    const problem = await this.#choose({ about: 'pictures', who, name }, true)
    if (problem === null) return
    this.#toasts.show(`Your choice could not be saved. ${problem.message} Pictures are shown this time only.`)
    this.showPictures(mail)
  }

  /** The user's choice for the e-mail, or null. */
  isChosenDark(of: BodyOwner): boolean | null {
    return this.#dark.get(keyOf(of)) ?? null
  }

  /** Null when there is nothing to choose: the e-mail is not displayed, has no colours, or the theme is light. */
  colored(of: BodyOwner): DisplayedMail | null {
    return this.#displayed(of).find(({ isDark }) => isDark !== null) ?? null
  }

  toggleDark(of: BodyOwner): void {
    const mail = this.colored(of)
    if (mail !== null) this.#dark.set(keyOf(of), mail.isDark !== true)
  }

  /** Darkens all e-mails from this sender from now on, or undoes that choice. */
  async toggleAlwaysDark(of: BodyOwner): Promise<void> {
    const policy = this.colored(of)?.policy
    if (typeof policy?.sender !== 'string') return
    // Drop the e-mail's own choice so that it follows the sender's.
    this.#dark.delete(keyOf(of))
    const problem = await this.#choose({ about: 'dark', who: 'sender', name: policy.sender }, !policy.isDark)
    if (problem !== null) this.#toasts.show(problem.message)
  }

  isAsText(of: BodyOwner): boolean {
    return this.#asText.has(keyOf(of))
  }

  toggleAsText(of: BodyOwner): void {
    if (!this.#asText.delete(keyOf(of))) this.#asText.add(keyOf(of))
  }

  /** Pictures that can be saved. Blocked and failed ones aren't displayed, and so aren't offered. */
  picturesOf(of: BodyOwner): readonly DisplayedPicture[] {
    return this.#displayed(of).flatMap(({ drawn }) => drawn)
  }

  /** Saves the message's only picture, or asks the user to choose one of several. */
  async savePicture(of: BodyOwner): Promise<void> {
    const pictures = this.picturesOf(of)
    const [only] = pictures
    if (pictures.length > 1) this.pictureChoice = { of, pictures }
    else if (only !== undefined) await this.#save(of, only)
  }

  /** Saves the picture chosen from `pictureChoice`, or none for null. */
  async choosePicture(picture: DisplayedPicture | null): Promise<void> {
    const choice = this.pictureChoice
    this.pictureChoice = null
    if (choice !== null && picture !== null) await this.#save(choice.of, picture)
  }

  /** Saves the picture with this `src` in a frame's document. Returns false if no message shows it. */
  savePointedPicture(src: string): boolean {
    for (const { of, drawn } of this.#open) {
      const picture = drawn.find((each) => each.src === src)
      if (picture === undefined) continue
      void this.#save(of, picture)
      return true
    }
    return false
  }

  async #save(of: BodyOwner, { url }: DisplayedPicture): Promise<void> {
    if (this.#isSaving) return
    this.#isSaving = true
    reportSavedFile(this.#toasts, await this.#backend.call('picture.save', { of, url }))
    this.#isSaving = false
  }

  /** Displayed parts of an e-mail. One with signed parts has several. */
  #displayed(of: BodyOwner): readonly DisplayedMail[] {
    const key = keyOf(of)
    return this.#open.filter((mail) => keyOf(mail.of) === key)
  }

  async #choose(choice: SenderChoice, isOn: boolean): Promise<Problem | null> {
    const answer = await this.#backend.call('senderChoice.set', { ...choice, isOn })
    return answer.ok ? null : answer.error
  }

  #follow(mail: DisplayedMail): Promise<void> {
    return mail.follow(this.#shownOnce.has(keyOf(mail.of)))
  }
}
