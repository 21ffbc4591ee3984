import type { HandlersOf } from '../../shared/contract.ts'
import type { Topic } from '../../shared/people.ts'
import type { AccountAccess } from '../account-access.ts'
import { problem } from '../saying.ts'

/** A description of which nothing was typed is none. */
const withoutBlank = (description: string | null): string | null => (description === '' ? null : description)

/** The topics of the account: `contact.catalog` lists them. */
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
    'topic.delete': ({ topicId }) => ({ changeId: current().outbox.deleteTopic(topicOf(topicId).id) }),
  }
}
