import { SUPPRESSIONS_UNSUPPORTED } from '../../find-suppression.ts'
import type { Suppression } from '../../../../shared/suppressions.ts'
import type { Change, ChangeSubject, SubjectState, WaitingChange } from '../change.ts'
import { COMMON_RULES, describeMissing, type ChangeType } from '../change-type.ts'
import { deleted, screenOptions, type ChangeDependencies } from './change-dependencies.ts'

/** The platform sends nothing to a suppressed address (`canonicalizeAddress`). */
const FIELD = 'suppressed'
const YES = 'yes'
const NO = 'no'

const KIND = 'suppression'
export const suppressionSubject = (address: string): ChangeSubject => ({ kind: KIND, scope: '', id: address })

const stateOf = (suppression: Suppression | null): SubjectState => new Map([[FIELD, suppression === null ? NO : YES]])

export const createSuppressionChangeType = (
  { platform, cache, hub, findSuppression }: Pick<ChangeDependencies, 'platform' | 'cache' | 'hub' | 'findSuppression'>,
  now: () => number,
): ChangeType => {
  const storing = (address: string, suppression: Suppression | null) => (): void => {
    cache.suppressions.put(address, suppression, now())
    hub.suppressions()
  }
  return {
    ...COMMON_RULES,
    kind: KIND,
    owns: ({ kind, field }) => kind === KIND && field === FIELD,
    serverState: ({ id }) => {
      const known = cache.suppressions.get(id)
      return known === undefined ? new Map() : stateOf(known.suppression)
    },
    deliver: async ({ id }, [change], signal) => {
      if (change === undefined) return { store: () => undefined }
      if (change.wanted === YES) {
        await platform.addSuppression(id, screenOptions(signal))
        // The response has only an ID, and an address that someone else suppressed in the meantime keeps its origin.
        const found = await findSuppression(id, screenOptions(signal)).catch(() => SUPPRESSIONS_UNSUPPORTED)
        const added = { origin: 'manual', since: now(), sourceId: null }
        return {
          store: storing(id, found === SUPPRESSIONS_UNSUPPORTED || found === null ? added : (found as Suppression)),
        }
      }
      // Without the list, the platform's rejection counts.
      await deleted(
        platform.removeSuppression(id, screenOptions(signal)),
        async () => (await findSuppression(id, screenOptions(signal))) !== null,
      )
      return { store: storing(id, null) }
    },
    look: async ({ id }, _changes, signal) => {
      const found = await findSuppression(id, screenOptions(signal))
      return found === SUPPRESSIONS_UNSUPPORTED ? null : { state: stateOf(found), store: storing(id, found) }
    },
    // Nothing has to exist for this change, so a not-found response means that the operation is missing.
    findMissing: () => Promise.resolve('change'),
    show: () => hub.suppressions(),
    describe: ({ id }, [wanted]) =>
      (wanted === YES ? `addition of ${id} to` : `removal of ${id} from`) + ' the suppression list',
    describeMissing: describeMissing('the platform no longer has this address.'),
  }
}

export const buildSuppressionChange = (address: string, isSuppressed: boolean): Change => ({
  ...suppressionSubject(address),
  field: FIELD,
  wanted: isSuppressed ? YES : NO,
})

export const buildSuppressionOverlay = (waiting: readonly WaitingChange[]): boolean | undefined => {
  const change = waiting.find(({ field }) => field === FIELD)
  return change === undefined ? undefined : change.wanted === YES
}
