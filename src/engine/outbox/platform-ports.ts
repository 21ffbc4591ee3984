import type { CallOptions, MailPlatform } from '../api/mail-platform.ts'
import { isNotFound } from '../api/platform-problem.ts'
import type { WireThreadSummary } from '../api/wire.ts'
import type { Cache } from '../store/cache.ts'
import type { Field, Lane, LaneState } from './intent.ts'
import type { Keep, OutboxPorts } from './outbox.ts'

type Summary = Pick<WireThreadSummary, 'folder' | 'read' | 'labels'>

const stateOfSummary = ({ folder, read, labels }: Summary): LaneState =>
  new Map<Field, string>([
    ...(folder === undefined ? [] : [['folder', folder] as const]),
    ...(read === undefined ? [] : [['read', String(read)] as const]),
    ...(labels ?? []).map(({ id }) => [`label:${id}`, 'true'] as const),
  ])

/** What was confirmed is newer than any answer that was asked for before it. */
const NEWEST = Number.POSITIVE_INFINITY

/**
 * How the outbox speaks to the platform and to the cache. Its requests go as `screen`: what a person did is on the
 * screen already, so what they look at now goes first.
 */
export const createPlatformPorts = (
  platform: MailPlatform,
  cache: () => Cache,
): Pick<OutboxPorts, 'deliver' | 'look' | 'serverState'> => {
  const options = (signal: AbortSignal): CallOptions => ({ priority: 'screen', signal })

  const keepSummary =
    ({ scope, id }: Lane, summary: Summary): Keep =>
    () => {
      const inbox = cache().inboxes.get(scope)
      if (inbox !== undefined) cache().threads.storeState({ key: inbox.key, id: scope }, id, summary, NEWEST)
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
          return () => cache().topics.storeSubscription(id, topicId, subscription)
        }
      }
    },
    look: async (lane, signal) => {
      if (lane.kind === 'contact') {
        const topics = await platform.listContactTopics(lane.id, options(signal))
        return {
          state: new Map(topics.map((topic) => [`topic:${topic.id}` as const, topic.subscription ?? ''])),
          keep: () => void cache().topics.replaceAll(lane.id, topics, Date.now()),
        }
      }
      try {
        const summary = await platform.getThread(lane.scope, lane.id, options(signal))
        return { state: stateOfSummary(summary), keep: keepSummary(lane, summary) }
      } catch (thrown) {
        // A thread that is gone refuses the change itself; a platform of the contract alone has no such operation.
        if (isNotFound(thrown)) return null
        throw thrown
      }
    },
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
