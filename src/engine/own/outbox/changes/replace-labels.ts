import type { FetchedLabel } from '../../../platform/resources/labels.ts'
import type { EventHub } from '../../event-hub.ts'
import type { InboxRef } from '../../../store/inboxes.ts'
import type { LabelStore } from '../../../store/labels.ts'

/** Replaces the labels with the platform's list, and notifies windows of changes. */
export const replaceLabels = (
  labels: Pick<LabelStore, 'all' | 'replaceAll'>,
  hub: Pick<EventHub, 'labels'>,
  inbox: InboxRef,
  listed: readonly FetchedLabel[],
): void => {
  const before = labels.all(inbox.key)
  if (!labels.replaceAll(inbox.key, listed)) return
  hub.labels(
    inbox.id,
    [...before, ...labels.all(inbox.key)].map(({ id }) => id),
  )
}
