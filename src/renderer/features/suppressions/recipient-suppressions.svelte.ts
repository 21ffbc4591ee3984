import { MAX_ADDRESSES_PER_REQUEST, type AddressSuppression } from '../../../shared/suppressions.ts'
import type { Backend } from '../../kernel/backend.ts'

/** Suppressions of a message's recipients: the local ones at once, then those from the platform. */
export class RecipientSuppressions {
  readonly #backend: Pick<Backend, 'call'>
  #found = $state.raw<readonly AddressSuppression[]>([])
  #inboxId = ''
  #addresses: readonly string[] = []

  /** @param backend the subscriptions last as long as the backend */
  constructor(backend: Pick<Backend, 'call' | 'on'>) {
    this.#backend = backend
    backend.on('suppressions.changed', () => void this.#read(true))
    backend.on('sentEmails.changed', () => void this.#read(true))
  }

  get suppressed(): readonly AddressSuppression[] {
    return this.#found.filter(({ suppression }) => suppression !== null)
  }

  async show(inboxId: string, addresses: readonly string[]): Promise<void> {
    const isOther = inboxId !== this.#inboxId || addresses.some((address) => !this.#addresses.includes(address))
    this.#inboxId = inboxId
    this.#addresses = addresses.slice(0, MAX_ADDRESSES_PER_REQUEST)
    this.#found = this.#found.filter(({ address }) => addresses.includes(address))
    if (!isOther) return
    await this.#read(true)
    await this.#read(false)
  }

  /** @param cacheOnly read local data only, without a request to the platform */
  async #read(cacheOnly: boolean): Promise<void> {
    const [inboxId, addresses] = [this.#inboxId, this.#addresses]
    if (addresses.length === 0) return
    const asked = { inboxId, addresses: [...addresses] }
    const found = await (cacheOnly
      ? this.#backend.call('suppression.ofAddresses', asked)
      : this.#backend.call('suppression.refresh', asked))
    // The recipients may have changed in the meantime. A failed check must not stop the user from writing.
    if (found.ok && inboxId === this.#inboxId && addresses === this.#addresses) this.#found = found.data
  }
}
