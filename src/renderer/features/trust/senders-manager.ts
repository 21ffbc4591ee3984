import type { BodyOwner } from '../../../shared/contract.ts'
import type { Authentication } from '../../../shared/authentication.ts'
import type { Backend } from '../../kernel/backend.ts'

const MAX_REMEMBERED = 500

/** Looks up and caches information about senders that the e-mail itself doesn't contain. */
export class SendersManager {
  readonly #backend: Backend
  readonly #found = new Map<string, Authentication>()

  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** Cached result or null; makes no request. */
  known(of: BodyOwner): Authentication | null {
    return this.#found.get(JSON.stringify(of)) ?? null
  }

  /** Null if unknown, which is neither good nor bad. */
  async authentication(of: BodyOwner): Promise<Authentication | null> {
    const before = this.known(of)
    if (before !== null) return before
    const result = await this.#backend.call('sender.authentication', { of })
    if (!result.ok || result.data === null) return null
    if (this.#found.size >= MAX_REMEMBERED) this.#found.clear()
    this.#found.set(JSON.stringify(of), result.data)
    return result.data
  }

  /** True for the first mail from a sender, as far as known. */
  async isNew(of: BodyOwner): Promise<boolean> {
    const result = await this.#backend.call('sender.isNew', { of })
    return result.ok && result.data === true
  }
}
