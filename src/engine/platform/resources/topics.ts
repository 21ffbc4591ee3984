import { z } from 'zod'
import type { Topic, TopicChange, TopicSettings } from '../../../shared/people.ts'
import { apiPath } from '../api-path.ts'
import {
  wireId,
  parseCreatedId,
  createParser,
  wireText,
  RAW_PAYLOAD,
  toTime,
  formatPlatformTime,
  type RawPayload,
} from '../parse-response.ts'
import type { CallOptions, Requests } from '../requests.ts'

const wireAccountTopic = z.looseObject({
  id: wireId,
  name: wireText,
  description: wireText,
  default_subscription: wireText,
  visibility: wireText,
  created_at: wireText,
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
  [RAW_PAYLOAD]: wire,
})

const toWireAppearance = ({ name, description, visibility, byDefault }: Partial<TopicSettings>) => ({
  ...(name !== undefined && { name }),
  ...(description !== undefined && { description }),
  ...(visibility !== undefined && visibility !== '' && { visibility }),
  ...(byDefault !== undefined && { default_subscription: byDefault }),
})

/** A locally created topic. @param createdAt milliseconds since the epoch */
export const createLocalTopic = (topicId: string, look: TopicSettings, createdAt: number): FetchedAccountTopic =>
  toAccountTopic({ ...toWireAppearance(look), id: topicId, created_at: formatPlatformTime(createdAt) })

export const withTopicChange = (topic: FetchedAccountTopic, change: TopicChange): FetchedAccountTopic =>
  toAccountTopic({ ...topic[RAW_PAYLOAD], ...toWireAppearance(change) })

export const accountTopicParser = createParser(wireAccountTopic, toAccountTopic)

export const createTopicCalls = (requests: Requests) => ({
  /** See platform.md 19.1. */
  listTopics: async (options: CallOptions) => requests.all(accountTopicParser.page, apiPath`/topics`, options),

  /** See platform.md 19.1. @returns its ID */
  createTopic: async (look: TopicSettings, options: CallOptions): Promise<string> =>
    parseCreatedId(await requests.post(apiPath`/topics`, toWireAppearance(look), options)),

  /** Sends only changed fields; the default subscription is fixed (platform.md 19.1). */
  updateTopic: async (topicId: string, change: TopicChange, options: CallOptions) =>
    requests.patch(apiPath`/topics/${topicId}`, toWireAppearance(change), options),

  /** Also deletes all contacts' choices (platform.md 19.5). */
  deleteTopic: async (topicId: string, options: CallOptions) => requests.delete(apiPath`/topics/${topicId}`, options),
})
