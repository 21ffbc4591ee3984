import type { HandlersOf } from '../../shared/contract.ts'
import type { Topic } from '../../shared/people.ts'
import type { AccountAccess } from '../account-access.ts'
import { contactSeen, idsSeen } from '../contacts-seen.ts'
import { problem } from '../saying.ts'

/** A description of which nothing was typed is none. */
const withoutBlank = (description: string | null): string | null => (description === '' ? null : description)

export const topicHandlers = ({ current }: AccountAccess): HandlersOf<'topic'> => {
  /** @throws ProblemError `not_found` for one that is gone, or is to go */
  const topicOf = (given: string): Topic => {
    const { cache, outbox } = current()
    const topicId = outbox.topicIdNow(given)
    const topic = cache.accountLists.topics().find(({ id }) => id === topicId)
    if (topic === undefined) throw problem('not_found', 'This topic no longer exists. Nothing was changed.')
    return topic
  }
  return {
    'topic.create': ({ description, ...look }) =>
      current().outbox.createTopic({ ...look, description: withoutBlank(description) }),
    'topic.update': ({ topicId, name, description, visibility }) => ({
      changeId: current().outbox.updateTopic(topicOf(topicId).id, {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description: withoutBlank(description) }),
        ...(visibility !== undefined && { visibility }),
      }),
    }),
    'topic.setForMany': async ({ topicId: given, subscription, of }) => {
      const account = current()
      const { cache, outbox } = account
      const topicId = topicOf(given).id
      // One that is gone meanwhile does not hold up the others.
      const meant =
        'query' in of
          ? idsSeen(account, of.query)
          : [...new Set(of.contactIds)].flatMap((id) => contactSeen(account, id)?.id ?? [])
      // Who waits to be added has no subscriptions that could be changed.
      const contactIds = meant.filter((id) => cache.contacts.has(id))
      const left = meant.length - contactIds.length
      if (contactIds.length === 0) {
        throw problem(
          'invalid_input',
          left === 0
            ? 'There is no contact to change.'
            : 'These contacts wait to be added. Try again when they are sent.',
        )
      }
      const { changeId } = await outbox.setTopicOfMany(contactIds, topicId, subscription)
      return { changeId, contacts: contactIds.length, left }
    },
    'topic.delete': ({ topicId }) => ({ changeId: current().outbox.deleteTopic(topicOf(topicId).id) }),
  }
}
