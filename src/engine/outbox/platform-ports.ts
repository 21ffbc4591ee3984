import type { CallOptions, MailPlatform } from '../api/mail-platform.ts'
import { isNotFound, lacksOperation } from '../api/platform-problem.ts'
import type { WireThreadSummary } from '../api/wire.ts'
import type { EventHub } from '../event-hub.ts'
import type { Cache } from '../store/cache.ts'
import type { Absence } from '../sync/absence.ts'
import type { Delivery, Field, Lane, LaneState } from './intent.ts'
import type { Keep, Missing, OutboxPorts } from './outbox.ts'

type Summary = Pick<WireThreadSummary, 'folder' | 'read' | 'labels'>

const stateOfSummary = ({ folder, read, labels }: Summary): LaneState =>
  new Map<Field, string>([
    ...(folder === undefined ? [] : [['folder', folder] as const]),
    ...(read === undefined ? [] : [['read', String(read)] as const]),
    ...(labels ?? []).map(({ id }) => [`label:${id}`, 'true'] as const),
  ])

/** The answer; null where the platform says that what was asked for, or the way of asking, does not exist. */
const unlessGone = async <Answer>(answer: Promise<Answer>): Promise<Answer | null> => {
  try {
    return await answer
  } catch (thrown) {
    if (lacksOperation(thrown)) return null
    throw thrown
  }
}

/** What was confirmed is newer than any answer that was asked for before it. */
const NEWEST = Number.POSITIVE_INFINITY

/**
 * How the outbox speaks to the platform and to the cache. Its requests go as `screen`: what a person did is on the
 * screen already, so what they look at now goes first.
 */
export const createPlatformPorts = (
  platform: MailPlatform,
  cache: () => Cache,
  hub: Pick<EventHub, 'labels' | 'threads' | 'topics'>,
  absence: Pick<Absence, 'ofThread'>,
): Pick<OutboxPorts, 'deliver' | 'look' | 'inquire' | 'serverState'> => {
  const options = (signal: AbortSignal): CallOptions => ({ priority: 'screen', signal })

  const keepSummary =
    ({ scope, id }: Lane, summary: Summary): Keep =>
    () => {
      const inbox = cache().inboxes.get(scope)
      if (inbox === undefined) return
      // The answer may say more than what was asked for: a thread that is moved back may be filed elsewhere.
      hub.threads(scope, cache().threads.storeState({ key: inbox.key, id: scope }, id, summary, NEWEST))
    }

  /** A label that is not there need not be taken off, whatever the platform answers then (contract, 3: not shown). */
  const removeLabel = async ({ scope, id }: Lane, labelId: string, signal: AbortSignal): Promise<Summary> => {
    try {
      return { labels: [...(await platform.removeThreadLabel(scope, id, labelId, options(signal)))] }
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown
      const summary = await platform.getThread(scope, id, options(signal))
      if ((summary.labels ?? []).some((label) => label.id === labelId)) throw thrown
      return summary
    }
  }

  /** A contact is gone where its topics are refused again after the platform has shown that it knows contacts. */
  const inquireOfContact = async (lane: Lane, delivery: Delivery, how: CallOptions): Promise<Missing> => {
    let topics = await unlessGone(platform.listContactTopics(lane.id, how))
    if (topics === null) {
      await platform.listContacts({ ...how, limit: 1 })
      topics = await unlessGone(platform.listContactTopics(lane.id, how))
    }
    if (topics === null) return 'lane'
    const isThere = delivery.kind === 'topic' && topics.some(({ id }) => id === delivery.topicId)
    return isThere ? 'nothing' : 'change'
  }

  /** The thread is there: so what is gone is a label, or nothing. */
  const inquireOfLabels = async (lane: Lane, delivery: Delivery, how: CallOptions): Promise<Missing> => {
    if (delivery.kind !== 'addLabels') return 'nothing'
    const labels = await unlessGone(platform.listLabels(lane.scope, how))
    if (labels === null) return 'nothing'
    const inbox = cache().inboxes.get(lane.scope)
    if (inbox !== undefined && cache().labels.replaceAll(inbox.key, labels)) hub.labels(lane.scope)
    return delivery.labelIds.every((labelId) => labels.some(({ id }) => id === labelId)) ? 'nothing' : 'change'
  }

  /** Which of thread, inbox and label is gone. */
  const inquireOfThread = async (lane: Lane, delivery: Delivery, how: CallOptions): Promise<Missing> => {
    const { part } = await absence.ofThread(lane.scope, lane.id, how.priority, { certain: true })
    switch (part) {
      case 'nothing':
        return inquireOfLabels(lane, delivery, how)
      case 'thread':
        return 'lane'
      case 'inbox':
        return 'inbox'
      case 'operation':
        return 'change'
    }
  }

  return {
    deliver: async (lane, delivery, signal) => {
      const { scope, id } = lane
      switch (delivery.kind) {
        case 'thread':
          return keepSummary(lane, await platform.updateThread(scope, id, delivery.change, options(signal)))
        case 'addLabels':
          return keepSummary(lane, {
            labels: [...(await platform.addThreadLabels(scope, id, delivery.labelIds, options(signal)))],
          })
        case 'removeLabel':
          return keepSummary(lane, await removeLabel(lane, delivery.labelId, signal))
        case 'topic': {
          const { topicId, subscription } = delivery
          await platform.setContactTopic(id, topicId, subscription, options(signal))
          return () => {
            cache().topics.storeSubscription(id, topicId, subscription)
            hub.topics(id)
          }
        }
      }
    },
    look: async (lane, signal) => {
      if (lane.kind === 'contact') {
        const topics = await unlessGone(platform.listContactTopics(lane.id, options(signal)))
        if (topics === null) return null
        return {
          state: new Map(topics.map((topic) => [`topic:${topic.id}` as const, topic.subscription ?? ''])),
          keep: () => {
            if (cache().topics.replaceAll(lane.id, topics, Date.now())) hub.topics(lane.id)
          },
        }
      }
      // A thread that is gone refuses the change itself; a platform of the contract alone has no such operation.
      const summary = await unlessGone(platform.getThread(lane.scope, lane.id, options(signal)))
      return summary === null ? null : { state: stateOfSummary(summary), keep: keepSummary(lane, summary) }
    },
    inquire: (lane, delivery, signal) =>
      lane.kind === 'contact'
        ? inquireOfContact(lane, delivery, options(signal))
        : inquireOfThread(lane, delivery, options(signal)),
    serverState: ({ kind, scope, id }) => {
      if (kind === 'contact') {
        const stored = cache().topics.serverSubscriptions(id)
        return new Map([...stored].map(([topicId, subscription]) => [`topic:${topicId}` as const, subscription]))
      }
      const inbox = cache().inboxes.get(scope)
      const state = inbox === undefined ? undefined : cache().threads.serverState({ key: inbox.key, id: scope }, id)
      return state === undefined
        ? new Map()
        : new Map<Field, string>([
            ['folder', state.folder],
            ['read', String(state.read)],
            ...state.labelIds.map((labelId) => [`label:${labelId}`, 'true'] as const),
          ])
    },
  }
}
