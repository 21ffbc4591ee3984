import { isNotFound } from '../../../platform/platform-problem.ts'
import type { MailPlatform } from '../../../platform/mail-platform.ts'
import type { CallOptions } from '../../../platform/requests.ts'
import type { SUPPRESSIONS_UNSUPPORTED } from '../../find-suppression.ts'
import type { Suppression } from '../../../../shared/suppressions.ts'
import type { EventHub } from '../../event-hub.ts'
import type { Cache } from '../../../store/cache.ts'
import type { NotFoundResolver } from '../../../platform/not-found-resolver.ts'
import type { Change } from '../change.ts'

export interface ChangeDependencies {
  readonly platform: MailPlatform
  readonly cache: Cache
  readonly hub: Pick<EventHub, 'contacts' | 'labels' | 'suppressions' | 'threads' | 'topics'>
  readonly notFound: Pick<NotFoundResolver, 'ofThread' | 'inboxExists'>
  readonly findSuppression: (
    address: string,
    options: CallOptions,
  ) => Promise<Suppression | null | typeof SUPPRESSIONS_UNSUPPORTED>
}

/** Changes are sent as `screen`: their effect is already visible, so what the user asks for now goes first. */
export const screenOptions = (signal: AbortSignal): CallOptions => ({ priority: 'screen', signal })

/** `screen`, or the priority of sync for large changes, which must delay neither screens nor single changes. */
export const callOptionsFor = (changes: readonly Pick<Change, 'large'>[], signal: AbortSignal): CallOptions => ({
  priority: changes.length > 0 && changes.every(({ large }) => large !== undefined) ? 'sync' : 'screen',
  signal,
})

/**
 * Waits for a deletion. Something that is missing counts as deleted.
 * @param isThere asks the platform after a not-found response @throws the platform's rejection
 */
export const deleted = async (deletion: Promise<unknown>, isThere: () => Promise<boolean>): Promise<void> => {
  try {
    await deletion
  } catch (thrown) {
    if (!isNotFound(thrown) || (await isThere())) throw thrown
  }
}

/** Confirmed state is newer than the response to any earlier request. */
export const NEWER_THAN_ANY_RESPONSE = Number.POSITIVE_INFINITY
