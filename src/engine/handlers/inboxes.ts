import type { DomainHandlers } from '../../shared/contract.ts'
import { createProblem } from '../../shared/result.ts'
import type { BackgroundPart } from '../account-background.ts'
import type { OwnPart } from '../account-own.ts'
import type { PlatformPart } from '../account-platform.ts'
import { toMarkLabelId } from '../../shared/thread-marks.ts'
import { createPlaceholderInbox } from '../platform/resources/inboxes.ts'
import { PlatformRefusalError, UnreachableError, isNotFound } from '../platform/platform-problem.ts'
import { findInboxProblem } from '../../shared/inbox-rules.ts'
import { INBOX_GONE_MESSAGE, withMessage, withMessages } from '../platform/problem.ts'
import { Agents } from '../mail/agents/agents.ts'
import type { Clock } from '../timing/clock.ts'

const orNull = (typed: string): string | null => (typed === '' ? null : typed)

/** An unverified domain gets the same status with a different message (platform.md 6.7). */
const isOverPlan = (thrown: unknown): thrown is PlatformRefusalError =>
  thrown instanceof PlatformRefusalError && thrown.status === 403 && !/domain/i.test(thrown.problem.message)

/** Error message for a failed inbox change. @param verb such as `create an inbox` */
const toUserError = (thrown: unknown, verb: string): unknown =>
  withMessage(thrown, {
    unreachable:
      thrown instanceof UnreachableError && thrown.mayHaveArrived
        ? 'The connection was lost before the platform answered. Check the list of inboxes before you try again.'
        : `You are offline. Go online to ${verb}.`,
    not_found: INBOX_GONE_MESSAGE,
    ...(verb.startsWith('create') &&
      isOverPlan(thrown) && {
        refused: `${thrown.problem.message} Your plan may not include another inbox. Check your plan on the platform, or delete an inbox.`,
      }),
  })

export const createInboxHandlers = (
  { api, action }: PlatformPart,
  { cache, hub, presence }: OwnPart,
  { freshness, lists, sync, threads }: BackgroundPart,
): DomainHandlers<'inbox'> => {
  /** Runs the change, then reloads the list; if the reload fails, sync does it later. */
  const change = async <Value>(verb: string, work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work()
    } catch (thrown) {
      throw toUserError(thrown, verb)
    } finally {
      await lists.inboxes('action').catch(() => undefined)
      sync.nudge()
    }
  }

  /** @throws ProblemError `not_found` if the inbox no longer exists */
  const emailAddressOf = (inboxId: string): string => {
    const { inbox, onServer } = cache.inboxes.get(inboxId) ?? {}
    if (inbox === undefined || onServer !== true) throw createProblem('not_found', INBOX_GONE_MESSAGE)
    return inbox.emailAddress
  }

  return {
    'inbox.create': async ({ emailAddress, name, fromName, forwarding }) => {
      const known = cache.inboxes.all().flatMap(({ inbox }) => (inbox.onServer ? [inbox.emailAddress] : []))
      const fault = findInboxProblem({ emailAddress, name, fromName }, known)
      if (fault !== null) throw createProblem('invalid_input', fault.message)
      const wanted = { emailAddress, name: orNull(name), fromName: orNull(fromName), forwarding }
      return { inboxId: await change('create an inbox', () => api.createInbox(wanted, action)) }
    },
    'inbox.rename': async ({ inboxId, name, fromName }) => {
      const emailAddress = emailAddressOf(inboxId)
      const fault = findInboxProblem({ emailAddress, name: name ?? '', fromName: fromName ?? '' })
      if (fault !== null) throw createProblem('invalid_input', fault.message)
      const names = { name: name === '' ? emailAddress : name, fromName }
      if (names.name === undefined && fromName === undefined) return null
      await change('rename an inbox', () => api.renameInbox(inboxId, names, action))
      return null
    },
    'inbox.delete': async ({ inboxId, typed }) => {
      const emailAddress = emailAddressOf(inboxId)
      if (typed.toLowerCase() !== emailAddress.toLowerCase()) {
        throw createProblem('invalid_input', `Type ${emailAddress} to delete this inbox. Nothing was deleted.`)
      }
      await change('delete an inbox', async () => {
        await api.deleteInbox(inboxId, action).catch((thrown: unknown) => {
          // Already deleted by someone else.
          if (!isNotFound(thrown)) throw thrown
        })
        // The user deleted it, so don't report it as missing.
        cache.inboxes.markGone(inboxId)
        hub.inboxes()
      })
      return null
    },
    'inbox.list': () => ({
      inboxes: cache.inboxes.all().map((stored) => {
        const { inbox, fromName } = stored
        // Counting locally keeps the number consistent with the list, including pending changes.
        const counts = {
          localOnly: cache.threadLists.count(stored, { isLocalOnly: true }),
          unreadLocalOnly: cache.threadLists.countUnreadOnlyHere(stored),
          starred: cache.threadLists.count(stored, { labelId: toMarkLabelId('starred') }),
          snoozed: cache.threadLists.count(stored, { labelId: toMarkLabelId('snoozed') }),
        }
        return {
          ...inbox,
          fromName,
          ...(threads.isListed(stored, 'inbox') && { unread: cache.threadLists.countUnread(stored) }),
          ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
        }
      }),
      freshness: freshness(lists.polledAt('inboxes')),
    }),
    'inbox.add': async ({ inboxId }) => {
      await withMessages(api.searchThreads(inboxId, {}, { ...action, limit: 1 }), {
        unreachable: 'You are offline. Go online to add an inbox.',
        not_found: 'The platform has no inbox with this ID. Enter an inbox ID, not an email address.',
      })
      cache.inboxes.add(inboxId)
      presence.isBack(inboxId)
      hub.inboxes()
      sync.nudge()
      return { ...createPlaceholderInbox(inboxId), onServer: true }
    },
  }
}

export const createAgentHandlers = (
  { api, action }: PlatformPart,
  { cache }: OwnPart,
  { freshness }: BackgroundPart,
  clock: Clock,
): DomainHandlers<'agent'> => {
  const agents = new Agents({ platform: api, cache, clock })
  return {
    'agent.get': async ({ inboxId, cacheOnly = false }) => {
      const { id } = cache.inboxes.require(inboxId)
      if (!cacheOnly) {
        try {
          await agents.refresh(id, action)
        } catch (thrown) {
          if (agents.of(id, freshness).settings === null) {
            throw withMessage(thrown, {
              unreachable:
                'You are offline, and the agent’s settings are not on this computer yet. Go online to load them.',
            })
          }
        }
      }
      return agents.of(id, freshness)
    },
    'agent.set': ({ inboxId, change, expected }) =>
      agents.set(cache.inboxes.require(inboxId).id, change, expected, action),
  }
}
