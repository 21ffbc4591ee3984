import { catchMissing } from '../../../platform/platform-problem.ts'
import type { CallOptions } from '../../../platform/requests.ts'
import { isContactDeleted } from '../../../platform/contact-deletion-check.ts'
import { UNKNOWN, type ChangeRequest, type WaitingChange } from '../change.ts'
import { COMMON_RULES, describeMissing, type ChangeTypeRules, type ChangeType } from '../change-type.ts'
import { keepNewestValue } from '../waiting-changes.ts'
import { toTopicExistenceField } from './account-topic.ts'
import { callOptionsFor, type ChangeDependencies } from './change-dependencies.ts'
import { contactSubject, isTopicField, toTopicField, topicIdOf } from './contact-fields.ts'

/** Setting a topic to `UNKNOWN` changes nothing: it undoes a change whose old value was never read. */
export const topicRules: ChangeTypeRules = {
  ...COMMON_RULES,
  kind: 'contact',
  owns: ({ kind, field }) => kind === 'contact' && isTopicField(field),
  fold: (waiting, next, server) => {
    const before = waiting.get(next.field)
    const sending = before?.sending ?? null
    if (next.wanted === UNKNOWN) {
      return [{ target: next, change: before && sending !== null ? { ...before, wanted: sending } : null }]
    }
    // Large changes don't rely on the cached state, which may be days old.
    const change =
      next.large === undefined ? keepNewestValue(before, next, server.get(next.field)) : { ...next, sending }
    return [{ target: next, change }]
  },
  // A topic being created has no ID on the platform yet.
  waitsFor: ({ field }) => (isTopicField(field) ? toTopicExistenceField(topicIdOf(field)) : undefined),
  withId: (field, id) => ({ ...field, field: toTopicField(id) }),
}

export const createTopicChangeType = (
  { platform, cache, hub }: Pick<ChangeDependencies, 'platform' | 'cache' | 'hub'>,
  now: () => number,
): ChangeType => {
  const fetchTopics = (contactId: string, options: CallOptions) =>
    catchMissing(platform.listContactTopics(contactId, options))
  return {
    ...topicRules,
    readsBeforeWrite: true,
    serverState: ({ id }) =>
      new Map([...cache.topics.serverSubscriptions(id)].map(([topicId, value]) => [toTopicField(topicId), value])),
    isObsolete: ({ field }) => cache.accountLists.isTopicGoing(topicIdOf(field)),
    deliver: async ({ id }, [change], signal) => {
      if (change === undefined) return { store: () => undefined }
      const topicId = topicIdOf(change.field)
      await platform.setContactTopic(id, topicId, change.wanted, callOptionsFor([change], signal))
      return {
        store: () => {
          cache.topics.storeSubscription(id, topicId, change.wanted)
          hub.topics(id)
        },
      }
    },
    look: async ({ id }, changes, signal) => {
      const topics = await fetchTopics(id, callOptionsFor(changes, signal))
      if (topics === null) return null
      return {
        state: new Map(topics.map((topic) => [toTopicField(topic.id), topic.subscription ?? ''])),
        store: () => {
          if (cache.topics.replaceAll(id, topics, now())) hub.topics(id)
        },
      }
    },
    /** The contact is considered deleted if its topics are still missing after a successful request for contacts. */
    findMissing: async ({ id }, changes, signal) => {
      const options = callOptionsFor(changes, signal)
      let topics = await fetchTopics(id, options)
      if (topics === null) {
        await platform.listContacts({ ...options, limit: 1 })
        topics = await fetchTopics(id, options)
      }
      if (topics === null) return (await isContactDeleted(platform, id, options)) ? 'subject' : 'change'
      const there = new Set(topics.map((topic) => topic.id))
      return changes.every(({ field }) => there.has(topicIdOf(field))) ? 'nothing' : 'change'
    },
    show: (subjects) => {
      for (const { id } of subjects) hub.topics(id)
    },
    describe: ({ id }) => {
      const address = cache.contacts.get(id)?.email ?? (id.includes('@') ? id : '')
      return address === '' ? 'topic change' : `topic change for ${address}`
    },
    describeMissing: describeMissing(
      'the platform no longer has this contact.',
      'the platform no longer has this topic.',
    ),
    isGone: ({ id }) => {
      if (!cache.contacts.has(id)) return
      cache.contacts.remove(id)
      hub.contacts()
    },
  }
}

/** @param before the current value, if it isn't cached */
export const buildTopicChange = (
  contactId: string,
  topicId: string,
  subscription: string,
  before?: string,
): ChangeRequest => ({
  ...contactSubject(contactId),
  field: toTopicField(topicId),
  wanted: subscription,
  ...(before !== undefined && { before }),
})

/** For a large change, which doesn't rely on the cached value: it may be days old. */
export const buildBulkTopicChange = (contactId: string, topicId: string, subscription: string): ChangeRequest =>
  buildTopicChange(contactId, topicId, subscription, UNKNOWN)

/** Pending subscriptions by topic ID. */
export const buildTopicOverlay = (waiting: readonly WaitingChange[]): ReadonlyMap<string, string> =>
  new Map(
    waiting.flatMap(({ field, wanted }) =>
      isTopicField(field) && wanted !== UNKNOWN ? [[topicIdOf(field), wanted] as const] : [],
    ),
  )
