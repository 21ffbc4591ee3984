import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { SenderPolicy } from '../../../shared/sender-choices.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'

export interface ColoredMail {
  readonly of: BodyOwner
  readonly isDark: boolean
  /** The user's choice for the e-mail's sender, or null until it has loaded. */
  readonly policy: SenderPolicy | null
}

const keyOf = (of: BodyOwner): string => JSON.stringify(of)

/** Dark rendering, chosen per e-mail (while the account is open) or per sender (until revoked). */
export class DarkMailManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  readonly #chosen = new SvelteMap<string, boolean>()
  #drawn = $state.raw<readonly ColoredMail[]>([])

  constructor(backend: Backend, toasts: ToastManager) {
    this.#backend = backend
    this.#toasts = toasts
  }

  chosenFor(of: BodyOwner): boolean | null {
    return this.#chosen.get(keyOf(of)) ?? null
  }

  /** Call when the e-mail is displayed. Returns a function to call when it is gone. */
  open(mail: ColoredMail): () => void {
    this.#drawn = [...untrack(() => this.#drawn), mail]
    return () => {
      this.#drawn = untrack(() => this.#drawn).filter((each) => each !== mail)
    }
  }

  /** Null when there is nothing to choose: the e-mail is not displayed, has no colours, or the theme is light. */
  drawn(of: BodyOwner): ColoredMail | null {
    const key = keyOf(of)
    return this.#drawn.find((mail) => keyOf(mail.of) === key) ?? null
  }

  toggle(of: BodyOwner): void {
    const mail = this.drawn(of)
    if (mail !== null) this.#chosen.set(keyOf(of), !mail.isDark)
  }

  /** Darkens all e-mails from this sender from now on, or undoes that choice. */
  async toggleAlways(of: BodyOwner): Promise<void> {
    const policy = this.drawn(of)?.policy
    if (policy === undefined || policy === null || policy.sender === null) return
    const { isDark, sender } = policy
    // Drop the e-mail's own choice so that it follows the sender's.
    this.#chosen.delete(keyOf(of))
    const answer = await this.#backend.call('senderChoice.set', {
      about: 'dark',
      who: 'sender',
      name: sender,
      isOn: !isDark,
    })
    if (!answer.ok) this.#toasts.show(answer.error.message)
  }
}
