import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { SenderPolicy } from '../../../shared/sender-choices.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly darkMail: DarkMailManager
  }
}

/** A mail with colours of its own that is on the screen, in the dark theme. */
export interface ColouredMail {
  readonly of: BodyOwner
  /** How it is drawn at the moment. */
  readonly isDark: boolean
  /** What was chosen for its sender; null until it is known. */
  readonly policy: SenderPolicy | null
}

const keyOf = (of: BodyOwner): string => JSON.stringify(of)

/**
 * In the dark theme: which mail with colours of its own is drawn dark, and which as its sender has chosen them. What was
 * chosen for one e-mail holds as long as the account is open, what was chosen for a sender until it is taken back.
 */
export class DarkMailManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  readonly #chosen = new SvelteMap<string, boolean>()
  #drawn = $state.raw<readonly ColouredMail[]>([])

  constructor(backend: Backend, toasts: ToastManager) {
    this.#backend = backend
    this.#toasts = toasts
  }

  /** What was chosen for an e-mail itself; null where nothing was. */
  chosenFor(of: BodyOwner): boolean | null {
    return this.#chosen.get(keyOf(of)) ?? null
  }

  /** Call when it is drawn, with what it is drawn like; until what is returned is called. */
  open(mail: ColouredMail): () => void {
    this.#drawn = [...untrack(() => this.#drawn), mail]
    return () => {
      this.#drawn = untrack(() => this.#drawn).filter((each) => each !== mail)
    }
  }

  /** The mail as it is drawn; null where it has nothing to choose: it is not on the screen, or has no colours, or all is light. */
  drawn(of: BodyOwner): ColouredMail | null {
    const key = keyOf(of)
    return this.#drawn.find((mail) => keyOf(mail.of) === key) ?? null
  }

  /** Draws an e-mail dark that is light, and the other way around. */
  toggle(of: BodyOwner): void {
    const mail = this.drawn(of)
    if (mail !== null) this.#chosen.set(keyOf(of), !mail.isDark)
  }

  /** Draws all e-mails of the sender dark from now on; or, where that was chosen before, as they come. */
  async toggleAlways(of: BodyOwner): Promise<void> {
    const policy = this.drawn(of)?.policy
    if (policy === undefined || policy === null || policy.sender === null) return
    const { isDark, sender } = policy
    // This one says what it is about: it follows, whatever was chosen for it before.
    this.#chosen.delete(keyOf(of))
    const answer = await this.#backend.call('senderChoice.set', {
      about: 'dark',
      who: 'sender',
      name: sender,
      isOn: !isDark,
    })
    if (!answer.ok) this.#toasts.say(answer.error.message)
  }
}
