import { isSameAssignee, toAssigneeLabelName, extractPersonName } from '../../shared/assignees.ts'
import type { DomainHandlers } from '../../shared/contract.ts'
import { toVisibleText } from '../../shared/visible-text.ts'
import type { AccountAccess } from '../account-access.ts'

/** More names per inbox or account than anyone would scan. */
const MAX_NAMES = 100

/** Removes names that can't be a label, and duplicates. Keeps the first spelling of each. */
const distinct = (names: readonly string[]): readonly string[] => {
  const found: string[] = []
  for (const name of names) {
    if (found.length >= MAX_NAMES) break
    if (toAssigneeLabelName(name) !== null && !found.some((each) => isSameAssignee(each, name))) found.push(name)
  }
  return found
}

export const createAssigneeHandlers = ({ current, inboxOf }: AccountAccess): DomainHandlers<'assignee'> => ({
  'assignee.list': ({ inboxId }) => {
    const { cache, ownName } = current()
    const inbox = inboxOf(inboxId)
    const keys = [inbox.key, ...cache.inboxes.all().flatMap(({ key }) => (key === inbox.key ? [] : [key]))]
    const writers = distinct(
      keys.flatMap((key) => cache.search.writers(key).map(({ name }) => extractPersonName(name))),
    )
    const address = cache.inboxes.get(inboxId)?.inbox.emailAddress ?? ''
    const local = toVisibleText(address.slice(0, Math.max(0, address.lastIndexOf('@'))))
    return { me: ownName.all(), suggested: writers[0] ?? (local === '' ? null : local), writers }
  },
  'assignee.unread': ({ inboxId }) => current().savedSearches.unreadAssigned(inboxOf(inboxId).id),
  'assignee.setMe': ({ name }) => current().ownName.set(name),
})
