import { z } from 'zod'
import type { Topic, TopicChange, TopicAppearance } from '../../shared/people.ts'
import { readStoredList } from './contacts.ts'
import { path } from './path.ts'
import { toTime, writePlatformTime } from './platform-time.ts'
import { id, readCreatedId, readPageOf, text, RAW } from './read-response.ts'
import type { CallOptions, Requests } from './requests.ts'
import type { RawPayload } from './raw-payload.ts'

const wireAccountTopic = z.looseObject({
  id,
  name: text,
  description: text,
  default_subscription: text,
  visibility: text,
  created_at: text,
})
type WireAccountTopic = z.infer<typeof wireAccountTopic>

export interface FetchedAccountTopic extends Topic, RawPayload<WireAccountTopic> {
  readonly createdAt: number
}

const toAccountTopic = (wire: WireAccountTopic): FetchedAccountTopic => ({
  id: wire.id,
  name: wire.name ?? wire.id,
  description: wire.description ?? null,
  visibility: wire.visibility ?? '',
  byDefault: wire.default_subscription ?? '',
  createdAt: toTime(wire.created_at),
  [RAW]: wire,
})

const wireLook = ({ name, description, visibility, byDefault }: Partial<TopicAppearance>) => ({
  ...(name !== undefined && { name }),
  ...(description !== undefined && { description }),
  ...(visibility !== undefined && visibility !== '' && { visibility }),
  ...(byDefault !== undefined && { default_subscription: byDefault }),
})

/** A locally created topic. @param createdAt milliseconds since the epoch */
export const topicMade = (topicId: string, look: TopicAppearance, createdAt: number): FetchedAccountTopic =>
  toAccountTopic({ ...wireLook(look), id: topicId, created_at: writePlatformTime(createdAt) })

export const withTopicChange = (topic: FetchedAccountTopic, change: TopicChange): FetchedAccountTopic =>
  toAccountTopic({ ...topic[RAW], ...wireLook(change) })

const readAccountTopics = readPageOf(wireAccountTopic, toAccountTopic)
export const readStoredAccountTopics = readStoredList(wireAccountTopic, toAccountTopic)

export const topicCalls = (requests: Requests) => ({
  /** See platform facts 5. */
  listTopics: async (options: CallOptions) => requests.all(readAccountTopics, path`/topics`, options),

  /** Platform facts 5. @returns its ID */
  createTopic: async (look: TopicAppearance, options: CallOptions): Promise<string> =>
    readCreatedId(await requests.post(path`/topics`, wireLook(look), options)),

  /** Platform facts 5. Sends only changed fields; the default subscription is fixed. */
  updateTopic: async (topicId: string, change: TopicChange, options: CallOptions): Promise<void> => {
    await requests.patch(path`/topics/${topicId}`, wireLook(change), options)
  },

  /** Platform facts 5. Also deletes all contacts' choices. */
  deleteTopic: async (topicId: string, options: CallOptions): Promise<void> => {
    await requests.delete(path`/topics/${topicId}`, options)
  },
})
