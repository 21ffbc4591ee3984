import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { judgeLink, writtenTo, type LinkReason, type SeenLink } from './judge-link.ts'
import { openLink } from '../../ui/open-link.ts'
import { callTarget, safeLinkTarget } from './safe-link.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly links: LinksManager
  }
}

/** A link that is opened only if a person says so. */
export interface LinkQuestion {
  readonly target: string
  /** What the link says; empty where it says nothing. */
  readonly words: string
  /** At least one. */
  readonly reasons: readonly LinkReason[]
}

const COPY_FAILED = {
  code: 'internal',
  message: 'The address could not be copied. Point at the link again and copy it yourself.',
} as const

/** The links of the mail on the screen: which one is pointed at, and which one a person is asked about. */
export class LinksManager {
  readonly #toasts: ToastManager
  readonly #ownHosts: () => readonly string[]
  readonly #write: (target: string) => void
  #pointed = $state.raw<string | null>(null)
  #focused = $state.raw<string | null>(null)
  #followed: HTMLElement | null = null
  #isFocusNewer = $state(false)
  #question = $state.raw<LinkQuestion | null>(null)

  /**
   * @param ownHosts of the person's own addresses
   * @param write begins a message with what a `mailto:` says
   */
  constructor(toasts: ToastManager, ownHosts: () => readonly string[], write: (target: string) => void) {
    this.#toasts = toasts
    this.#ownHosts = ownHosts
    this.#write = write
  }

  /** Where the link leads that was pointed at or got the focus last, as long as it is or has it; else the other one. */
  get shown(): string | null {
    return this.#isFocusNewer ? (this.#focused ?? this.#pointed) : (this.#pointed ?? this.#focused)
  }

  /** Where the link that has the focus leads. */
  get focused(): string | null {
    return this.#focused
  }

  get question(): LinkQuestion | null {
    return this.#question
  }

  /** The link that was followed last, as long as it is on the screen. */
  get followed(): HTMLElement | null {
    return this.#followed?.isConnected === true ? this.#followed : null
  }

  point(target: string | null): void {
    this.#pointed = target
    this.#isFocusNewer = false
  }

  focus(target: string | null): void {
    this.#focused = target
    this.#isFocusNewer = target !== null
  }

  /**
   * Opens a link outside, or asks first where there is a reason to. A `mailto:` begins a message here.
   * @param target what `followedTarget` made
   * @param link has the focus again after the question
   */
  follow(target: string, seen: SeenLink, link: HTMLElement | null = null): void {
    const reasons = judgeLink(seen, target, this.#ownHosts())
    this.#followed = link
    if (reasons.length === 0) this.#go(target)
    else this.#question = { target, words: seen.words[0] ?? '', reasons }
  }

  /** Opens where a button of Linnet's leads: it is judged by that alone. @param words on the button */
  followButton(address: string, words: string): void {
    const target = safeLinkTarget(address)
    if (target !== null) this.follow(target, { words: [words], beside: [], isWordless: false, isCovering: false })
  }

  /** Does what was asked about. */
  confirm(): void {
    const asked = this.#question
    this.#question = null
    if (asked !== null) this.#go(asked.target)
  }

  cancel(): void {
    this.#question = null
  }

  /** Copies where the link leads, without opening it. */
  async copy(target: string): Promise<void> {
    const isMail = target.startsWith('mailto:')
    const isNumber = callTarget(target) !== null
    const text = isMail ? writtenTo(target).join(', ') : isNumber ? target.slice('tel:'.length) : target
    if (text === '') {
      this.#toasts.say('This link has no address to write to.')
      return
    }
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      this.#toasts.problem(COPY_FAILED)
      return
    }
    this.#toasts.say(isMail || isNumber ? `${text} copied.` : 'Address copied.')
  }

  #go(target: string): void {
    if (target.startsWith('mailto:')) this.#write(target)
    else openLink(target)
  }
}
