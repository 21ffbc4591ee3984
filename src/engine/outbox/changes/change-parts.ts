import type { MailPlatform } from '../../api/mail-platform.ts'
import type { CallOptions } from '../../api/requests.ts'
import { lacksOperation } from '../../api/platform-problem.ts'
import type { NOT_OFFERED } from '../../find-suppression.ts'
import type { Suppression } from '../../../shared/suppressions.ts'
import type { EventHub } from '../../event-hub.ts'
import type { Cache } from '../../store/cache.ts'
import type { Absence } from '../../sync/absence.ts'
import type { Change } from '../change.ts'

export interface ChangeParts {
  readonly platform: MailPlatform
  readonly cache: () => Cache
  readonly hub: Pick<EventHub, 'contacts' | 'labels' | 'suppressions' | 'threads' | 'topics'>
  readonly absence: Pick<Absence, 'ofThread' | 'inboxExists'>
  /** Asks whether the platform sends nothing to an address. */
  readonly findSuppression: (address: string, options: CallOptions) => Promise<Suppression | null | typeof NOT_OFFERED>
  /** Brings a draft that is to be sent to the platform. @throws where it is to be tried again */
  readonly deliverDraft: (draftId: string, signal: AbortSignal) => Promise<void>
}

/** Changes go as `screen`: what a person did is on the screen already, so what they look at now goes first. */
export const asScreen = (signal: AbortSignal): CallOptions => ({ priority: 'screen', signal })

/**
 * How the platform is called for changes: as `screen`, save for those of a large change, which go beside sync. Many of them
 * are to hold up neither what a person looks at nor what they change by itself.
 */
export const asNeeded = (changes: readonly Pick<Change, 'large'>[], signal: AbortSignal): CallOptions => ({
  priority: changes.length > 0 && changes.every(({ large }) => large !== undefined) ? 'sync' : 'screen',
  signal,
})

/** What was confirmed is newer than any answer that was asked for before it. */
export const NEWEST = Number.POSITIVE_INFINITY

/** The answer; null where the platform says that what was asked for, or the way of asking, does not exist. */
export const unlessGone = async <Answer>(answer: Promise<Answer>): Promise<Answer | null> => {
  try {
    return await answer
  } catch (thrown) {
    if (lacksOperation(thrown)) return null
    throw thrown
  }
}
