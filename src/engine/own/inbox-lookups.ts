import { toDashboardAssignee } from '../../shared/assignees.ts'
import type { Label } from '../../shared/model.ts'
import type { Cache } from '../store/cache.ts'
import { canonicalizeAddress } from '../store/canonical-address.ts'

/** The inbox with this address, however it is written; null if there is none. */
export const findInboxId = ({ inboxes }: Pick<Cache, 'inboxes'>, address: string): string | null =>
  inboxes.all().find(({ inbox }) => canonicalizeAddress(inbox.emailAddress) === canonicalizeAddress(address))?.inbox
    .id ?? null

/** Labels that a search can name: an inbox's labels, and its assignees in the dashboard. */
export const searchLabelsIn = (
  { inboxes, labels, threadLists }: Pick<Cache, 'inboxes' | 'labels' | 'threadLists'>,
  inboxId: string,
): readonly Label[] => {
  const inbox = inboxes.get(inboxId)
  if (inbox === undefined) return []
  return [...labels.all(inbox.key), ...threadLists.dashboardAssignees(inbox).map(toDashboardAssignee)]
}

/** Labels of an inbox; none if the account doesn't have it. */
export const labelsIn = ({ inboxes, labels }: Pick<Cache, 'inboxes' | 'labels'>, inboxId: string): readonly Label[] => {
  const inbox = inboxes.get(inboxId)
  return inbox === undefined ? [] : labels.all(inbox.key)
}
