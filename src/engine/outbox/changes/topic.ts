import { isContactGone } from '../../contact-gone.ts'
import type { Change, Subject, WaitingChange } from '../change.ts'
import type { ChangeRules, ChangeType } from '../change-type.ts'
import { asScreen, unlessGone, type ChangeParts } from './change-parts.ts'

const PREFIX = 'topic:'
const topicIdOf = (field: string): string => field.slice(PREFIX.length)

export const contactSubject = (contactId: string): Subject => ({ kind: 'contact', scope: '', id: contactId })

/** A contact's subscription to a topic, each a field of its own. */
const topicRules: ChangeRules = {
  owns: ({ kind, field }) => kind === 'contact' && field.startsWith(PREFIX),
  valueIn: (state, field) => state.get(field),
  together: (first) => [first],
  inverse: ({ before }) => before,
}

/** @param now wall time, milliseconds since the epoch */
export const createTopic = (
  { platform, cache, hub }: Pick<ChangeParts, 'platform' | 'cache' | 'hub'>,
  now: () => number,
): ChangeType => {
  const fetchTopics = (contactId: string, signal: AbortSignal) =>
    unlessGone(platform.listContactTopics(contactId, asScreen(signal)))
  return {
    ...topicRules,
    serverState: ({ id }) =>
      new Map([...cache().topics.serverSubscriptions(id)].map(([topicId, value]) => [`${PREFIX}${topicId}`, value])),
    deliver: async ({ id }, [change], signal) => {
      if (change === undefined) return { keep: () => undefined }
      const topicId = topicIdOf(change.field)
      await platform.setContactTopic(id, topicId, change.wanted, asScreen(signal))
      return {
        keep: () => {
          cache().topics.storeSubscription(id, topicId, change.wanted)
          hub.topics(id)
        },
      }
    },
    look: async ({ id }, _changes, signal) => {
      const topics = await fetchTopics(id, signal)
      if (topics === null) return null
      return {
        state: new Map(topics.map((topic) => [`${PREFIX}${topic.id}`, topic.subscription ?? ''])),
        keep: () => {
          if (cache().topics.replaceAll(id, topics, now())) hub.topics(id)
        },
      }
    },
    /** A contact is gone where its topics are refused again after the platform has shown that it knows others. */
    inquire: async ({ id }, changes, signal) => {
      let topics = await fetchTopics(id, signal)
      if (topics === null) {
        await platform.listContacts({ ...asScreen(signal), limit: 1 })
        topics = await fetchTopics(id, signal)
      }
      if (topics === null) return (await isContactGone(platform, id, asScreen(signal))) ? 'subject' : 'change'
      const there = new Set(topics.map((topic) => topic.id))
      return changes.every(({ field }) => there.has(topicIdOf(field))) ? 'nothing' : 'change'
    },
    show: (subjects) => {
      for (const { kind, id } of subjects) if (kind === 'contact') hub.topics(id)
    },
    words: ({ id }) => {
      const address = cache().contacts.get(id)?.email ?? (id.includes('@') ? id : '')
      return address === '' ? 'topic change' : `topic change for ${address}`
    },
    goneWords: ({ missing, problem }) =>
      problem.code === 'not_found'
        ? `the platform no longer has this ${missing === 'subject' ? 'contact' : 'topic'}.`
        : null,
    isGone: ({ id }) => {
      if (!cache().contacts.has(id)) return
      cache().contacts.remove(id)
      hub.contacts()
    },
  }
}

/** The change that sets a contact's subscription to a topic. */
export const topicChange = (contactId: string, topicId: string, subscription: string): Change => ({
  ...contactSubject(contactId),
  field: `${PREFIX}${topicId}`,
  wanted: subscription,
})

/** How a contact's topics are seen with what waits of them: subscriptions by the topic's ID. */
export const topicOverlay = (waiting: readonly WaitingChange[]): ReadonlyMap<string, string> =>
  new Map(
    waiting.flatMap(({ field, wanted }) => (field.startsWith(PREFIX) ? [[topicIdOf(field), wanted] as const] : [])),
  )
