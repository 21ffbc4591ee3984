import { type Suppression, MAX_ADDRESSES_PER_REQUEST, type AddressSuppression } from '../../../shared/suppressions.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { Session, Shell } from '../../kernel/session.ts'
import { undoableCall } from '../threads/thread-actions-manager.svelte.ts'
import { describeSuppression } from './describe-suppression.ts'

interface SuppressionContext {
  readonly session: Pick<Session, 'actions' | 'questions'>
  readonly shell: Pick<Shell, 'backend' | 'clock' | 'toasts'>
}

/**
 * Removes an address from the platform's suppression list as an undoable step, after a confirmation. @param inboxId
 * inbox of the sending account; undefined for the open account
 */
export const askToUnsuppress = (
  { session: { actions, questions }, shell: { backend, clock } }: SuppressionContext,
  address: string,
  suppression: Suppression,
  inboxId?: string,
): void => {
  const removal = undoableCall('suppression', () => backend.call('suppression.remove', { address, inboxId }))
  questions.ask({
    title: 'Send to this address again?',
    description: describeSuppression({ address, suppression }, clock.style) ?? '',
    details: [
      `Your whole team will be able to send to ${toVisibleText(address)} again. If another message is returned or marked as spam, the address goes back on the list and your domain’s reputation suffers.`,
      'Undo puts the address back on the list, marked as added manually.',
    ],
    action: 'Remove from list',
    isDestructive: true,
    answer: () => Promise.resolve(null),
    onDone: () =>
      void actions.make(removal, {
        done: `Removed ${address} from the suppression list`,
        undone: `Put ${address} back on the suppression list`,
      }),
  })
}

/** Checks an address, then asks as `askToUnsuppress`, or says that the address isn't on the list. */
export const askAboutSuppression = async (
  context: SuppressionContext,
  address: string,
  inboxId?: string,
): Promise<void> => {
  const { backend, toasts } = context.shell
  const checked = await backend.call('suppression.refresh', { addresses: [address], inboxId })
  const [known] = checked.ok ? checked.data : []
  if (!checked.ok) toasts.problem(checked.error)
  else if (known?.suppression) askToUnsuppress(context, address, known.suppression, inboxId)
  else if (known?.freshness.state === 'live') toasts.show(`${toVisibleText(address)} is not on the suppression list.`)
  else toasts.show('Linnet could not check the suppression list. Try again later.')
}

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
