import type { EventName, Events } from '../../../shared/contract.ts'
import { ACROSS, inboxIdAcross, joinIds, labelIdAcross, threadIdAcross } from './across-ids.ts'
import type { LabelsAcross } from './labels-across.ts'
import type { Places } from './places.ts'
import type { SyncAcross } from './sync-across.ts'

/** What an account tells, as it is told of all accounts; the same where an event has no entry. */
export type EventsAcross = {
  readonly [Name in EventName]?: (accountId: string, payload: Events[Name]) => Promise<Events[Name]> | Events[Name]
}

export const eventsAcross = (places: Places, labels: LabelsAcross, sync: SyncAcross): EventsAcross => ({
  'threads.changed': (accountId, { inboxId, threadIds, movedHere, labelIds, searches, ...rest }) => ({
    ...rest,
    inboxId: ACROSS,
    threadIds: threadIds.map((threadId) => threadIdAcross({ accountId, inboxId, threadId })),
    ...(movedHere && { movedHere: movedHere.map((threadId) => threadIdAcross({ accountId, inboxId, threadId })) }),
    labelIds: labelIds.flatMap((id) => {
      const name = places.labelName(accountId, inboxId, id)
      return name === undefined ? [] : [labelIdAcross(name)]
    }),
    // A search over all inboxes goes by another key than each inbox's part of it.
    searches: searches?.length === 0 ? [] : null,
  }),
  'emails.changed': (accountId, { inboxId, threadIds }) => ({
    inboxId: ACROSS,
    threadIds: threadIds.map((threadId) => threadIdAcross({ accountId, inboxId, threadId })),
  }),
  // A draft says its inbox here, and stands in the list of all as well.
  'drafts.changed': (accountId, { inboxIds }) => ({
    inboxIds: [ACROSS, ...inboxIds.map((inboxId) => inboxIdAcross(accountId, inboxId))],
  }),
  'draft.sent': (accountId, { draftId, inboxId, threadId, emailId }) => ({
    draftId: joinIds([{ accountId, id: draftId }]),
    inboxId: ACROSS,
    threadId: threadId === null ? null : threadIdAcross({ accountId, inboxId, threadId }),
    emailId,
  }),
  'labels.changed': async (accountId, { inboxId }) => {
    const renamed = await places.rereadLabels(accountId, inboxId)
    const left = await labels.all()
    // Where another inbox has the former name still, that is a label of its own.
    const gone = renamed.filter(({ was }) => left.every(({ name }) => name !== was))
    const replaced = gone.map(({ was, name }) => ({ was: labelIdAcross(was), id: labelIdAcross(name) }))
    return { inboxId: ACROSS, replaced }
  },
  'sync.changed': (accountId, status) => sync.changed(accountId, status),
})
