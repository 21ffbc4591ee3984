import { copyText } from '../../kernel/copy-text.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { findLinkWarnings, type LinkWarning, type LinkAppearance } from './link-warnings.ts'
import { openLink } from '../../ui/open-link.ts'
import { parseMailtoRecipients, toCallTarget, toSafeLinkTarget } from './safe-link.ts'

export interface LinkQuestion {
  readonly target: string
  /** The link's text, possibly empty. */
  readonly words: string
  /** At least one. */
  readonly reasons: readonly LinkWarning[]
}

/** Links in the displayed mail: the one under the pointer, the focused one, and the one waiting for confirmation. */
export class LinksManager {
  readonly #toasts: Readonly<ToastManager>
  readonly #ownHosts: () => readonly string[]
  readonly #write: (target: string) => void
  #pointed = $state.raw<string | null>(null)
  focused = $state.raw<string | null>(null)
  #followed: HTMLElement | null = null
  #isFocusNewer = $state(false)
  question = $state.raw<LinkQuestion | null>(null)

  /** @param ownHosts returns the hosts of the user's addresses @param write starts a message from a `mailto:` */
  constructor(toasts: Readonly<ToastManager>, ownHosts: () => readonly string[], write: (target: string) => void) {
    this.#toasts = toasts
    this.#ownHosts = ownHosts
    this.#write = write
  }

  /** Target of the link under the pointer or of the focused link, whichever is newer. */
  get shown(): string | null {
    return this.#isFocusNewer ? (this.focused ?? this.#pointed) : (this.#pointed ?? this.focused)
  }

  /** The last followed link, if still displayed. */
  get followed(): HTMLElement | null {
    return this.#followed?.isConnected === true ? this.#followed : null
  }

  point(target: string | null): void {
    this.#pointed = target
    this.#isFocusNewer = false
  }

  focus(target: string | null): void {
    this.focused = target
    this.#isFocusNewer = target !== null
  }

  /**
   * Opens a link externally, or asks first if there is a reason to. A `mailto:` starts a message in Linnet.
   * @param target output of `toLinkTarget`
   * @param link element to focus after the question
   */
  follow(target: string, seen: LinkAppearance, link: HTMLElement | null = null): void {
    const reasons = findLinkWarnings(seen, target, this.#ownHosts())
    this.#followed = link
    if (reasons.length === 0) this.#go(target)
    else this.question = { target, words: seen.words[0] ?? '', reasons }
  }

  /** Opens the target of one of Linnet's buttons, judged by the button's label alone. @param words button label */
  followButton(address: string, words: string): void {
    const target = toSafeLinkTarget(address)
    if (target !== null) this.follow(target, { words: [words] })
  }

  confirm(): void {
    const asked = this.question
    this.question = null
    if (asked !== null) this.#go(asked.target)
  }

  cancel(): void {
    this.question = null
  }

  /** Copies the target instead of opening it. */
  async copy(): Promise<void> {
    const { target } = this.question ?? { target: '' }
    this.question = null
    const isMail = target.startsWith('mailto:')
    const isNumber = toCallTarget(target) !== null
    const text = isMail ? parseMailtoRecipients(target).join(', ') : isNumber ? target.slice('tel:'.length) : target
    if (text === '') this.#toasts.show('This link contains no email address.')
    else {
      const done = isMail || isNumber ? `${text} copied.` : 'Address copied.'
      await copyText(
        this.#toasts,
        text,
        done,
        'The address could not be copied. To see the address, point at the link.',
      )
    }
  }

  #go(target: string): void {
    if (target.startsWith('mailto:')) this.#write(target)
    else openLink(target)
  }
}
