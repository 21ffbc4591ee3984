import type { BodyOwner } from '../../../shared/contract.ts'
import type { Authentication } from '../../../shared/authentication.ts'
import type { Backend } from '../../kernel/backend.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly senders: SendersManager
  }
}

/** E-mails of which it is remembered what the platform found. */
const REMEMBERED = 500

/** What is known of those who sent the e-mails on the screen, beside what the e-mails say of them. */
export class SendersManager {
  readonly #backend: Backend
  readonly #found = new Map<string, Authentication>()

  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** What was found before, without asking anybody; null where that is nothing. */
  known(of: BodyOwner): Authentication | null {
    return this.#found.get(JSON.stringify(of)) ?? null
  }

  /** Null where it is not known: no reason to trust, and none not to. */
  async authentication(of: BodyOwner): Promise<Authentication | null> {
    const before = this.known(of)
    if (before !== null) return before
    const result = await this.#backend.call('sender.authentication', { of })
    if (!result.ok || result.data === null) return null
    if (this.#found.size >= REMEMBERED) this.#found.clear()
    this.#found.set(JSON.stringify(of), result.data)
    return result.data
  }

  /** Whether this is the first mail from somebody, as far as can be told. */
  async isNew(of: BodyOwner): Promise<boolean> {
    const result = await this.#backend.call('sender.isNew', { of })
    return result.ok && result.data === true
  }
}
