import { randomUUID } from 'node:crypto'
import type { DomainHandlers } from '../../shared/contract.ts'
import { findLabelCountProblem, findLabelNameProblem } from '../../shared/label-rules.ts'
import type { Label } from '../../shared/model.ts'
import type { OwnPart } from '../account-own.ts'
import { buildLabelChanges, labelCreation, labelDeletion } from '../own/outbox/changes/label.ts'
import { INBOX_GONE_MESSAGE } from '../platform/problem.ts'
import { isSameAssignee, toAssigneeLabelName, extractPersonName } from '../../shared/assignees.ts'
import { toVisibleText } from '../../shared/visible-text.ts'
import { createProblem } from '../../shared/result.ts'

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

export const createLabelHandlers = ({
  cache,
  outbox,
  ownName,
  savedSearches,
}: OwnPart): DomainHandlers<'label'> & DomainHandlers<'assignee'> => {
  const labelsOf = (inboxId: string): readonly Label[] => cache.labels.all(cache.inboxes.require(inboxId).key)

  /** @throws ProblemError `not_found` if the platform no longer has the inbox: nothing in it can be changed */
  const changeable = (inboxId: string): readonly Label[] => {
    const labels = labelsOf(inboxId)
    if (cache.inboxes.get(inboxId)?.onServer !== true) throw createProblem('not_found', INBOX_GONE_MESSAGE)
    return labels
  }

  /** Finds the label under its current ID. @throws ProblemError `not_found` */
  const find = (inboxId: string, labelId: string): Label => {
    const id = outbox.labelIdNow(inboxId, labelId)
    const label = changeable(inboxId).find((each) => each.id === id)
    if (label === undefined) throw createProblem('not_found', 'This label no longer exists. Nothing was changed.')
    return label
  }

  /** Rejects at once any name that the platform would reject. @param others other labels of the inbox */
  const nameFor = (typed: string, others: readonly Label[]): string => {
    const fault = findLabelNameProblem(typed, others)
    if (fault !== null) throw createProblem('invalid_input', fault)
    return typed.trim()
  }

  const threadsOf = (inboxId: string, labelId: string): number =>
    cache.threadLists.idsWithLabel(cache.inboxes.require(inboxId), labelId).length

  return {
    'label.list': ({ inboxId }) => labelsOf(inboxId),
    'label.create': ({ inboxId, name: typed, color }) => {
      const labels = changeable(inboxId)
      const name = nameFor(typed, labels)
      const fault = findLabelCountProblem(labels)
      if (fault !== null) throw createProblem('invalid_input', fault)
      // Easy to tell apart from the platform's IDs, which are UUIDs (platform.md 8.3).
      const labelId = `new-${randomUUID()}`
      return { changeId: outbox.change([labelCreation(inboxId, labelId, { name, color })]), labelId }
    },
    'label.update': ({ inboxId, labelId, name: typed, color }) => {
      const { id } = find(inboxId, labelId)
      const others = labelsOf(inboxId).filter((label) => label.id !== id)
      const look = {
        ...(typed !== undefined && { name: nameFor(typed, others) }),
        ...(color !== undefined && { color }),
      }
      return { changeId: outbox.change(buildLabelChanges(inboxId, id, look)) }
    },
    'label.usage': ({ inboxId, labelId }) => {
      const { id } = find(inboxId, labelId)
      return { labelId: id, threads: threadsOf(inboxId, id) }
    },
    'label.delete': ({ inboxId, labelId }) => {
      const { id } = find(inboxId, labelId)
      const threads = threadsOf(inboxId, id)
      return { changeId: outbox.change([labelDeletion(inboxId, id)]), threads }
    },
    'assignee.list': ({ inboxId }) => {
      const inbox = cache.inboxes.require(inboxId)
      const inboxes = cache.inboxes.all()
      const keys = [inbox.key, ...inboxes.flatMap(({ key }) => (key === inbox.key ? [] : [key]))]
      const senders = distinct(
        keys.flatMap((key) => cache.search.writers(key).map(({ name }) => extractPersonName(name))),
      )
      // Mail sent in the name of an inbox doesn't say who wrote it.
      const shared = inboxes.flatMap(({ inbox: { name, fromName } }) => [name ?? [], fromName ?? []].flat())
      const writers = senders.filter((sender) => !shared.some((name) => isSameAssignee(name, sender)))
      const address = inbox.inbox.emailAddress
      const local = toVisibleText(address.slice(0, Math.max(0, address.lastIndexOf('@'))))
      // With several writers, the user could be any of them.
      const [only = senders[0] ?? (local === '' ? null : local), ...others] = writers
      const inDashboard = cache.threadLists.dashboardAssignees(inbox)
      return { me: ownName.all(), suggested: others.length === 0 ? only : null, writers, inDashboard }
    },
    'assignee.unread': ({ inboxId }) => savedSearches.unreadAssigned(cache.inboxes.require(inboxId).id),
    'assignee.setMe': ({ name }) => ownName.set(name),
  }
}
