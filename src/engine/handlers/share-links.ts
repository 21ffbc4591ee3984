import type { BodyOwner, DomainHandlers, CreatedShareLink } from '../../shared/contract.ts'
import {
  MAX_SHARE_MS,
  parseShareDuration,
  SHARE_DURATION_FAULTS,
  formatShareDuration,
} from '../../shared/share-duration.ts'
import type { OwnPart } from '../account-own.ts'
import type { PlatformPart } from '../account-platform.ts'
import { UnreachableError } from '../platform/platform-problem.ts'
import { withMessage } from '../platform/problem.ts'
import { withThread } from '../own/email-threads.ts'
import type { Clock } from '../timing/clock.ts'
import { computeLinkExpiry, type StoredShareLink } from '../own/share-link-store.ts'
import { createProblem } from '../../shared/result.ts'

const parseDuration = (typed: string | undefined): number => {
  if (typed === undefined) return MAX_SHARE_MS
  const duration = parseShareDuration(typed)
  if ('fault' in duration) throw createProblem('invalid_input', SHARE_DURATION_FAULTS[duration.fault])
  return duration.milliseconds
}

const findEmail = (
  { cache }: Pick<OwnPart, 'cache'>,
  of: BodyOwner,
): Pick<StoredShareLink, 'subject' | 'from' | 'to'> | undefined => {
  if (of.list !== 'threads') return cache[of.list === 'received' ? 'receivedEmails' : 'sentEmails'].get(of.emailId)
  const inbox = cache.inboxes.get(of.inboxId)
  return inbox && cache.emails.ofThread(inbox, of.threadId, true).find(({ id }) => id === of.emailId)
}

const locateEmail = (
  { cache }: Pick<OwnPart, 'cache'>,
  of: BodyOwner,
): Pick<CreatedShareLink, 'isHere' | 'inThread'> => {
  if (of.list !== 'threads') {
    const email = cache[of.list === 'received' ? 'receivedEmails' : 'sentEmails'].listed(of.emailId)
    if (email === undefined) return { isHere: false, inThread: null }
    return { isHere: true, inThread: withThread({ cache }, of.list, email).inThread }
  }
  const inbox = cache.inboxes.get(of.inboxId)
  const thread = inbox && cache.threads.get(inbox, of.threadId)
  return { isHere: thread !== undefined, inThread: thread === undefined ? null : { thread, emailId: of.emailId } }
}

/** If the response is lost, the link may exist, but it is harmless: nobody knows its URL. */
const toShareError = (thrown: unknown): unknown =>
  thrown instanceof UnreachableError && thrown.mayHaveArrived
    ? withMessage(thrown, {
        unreachable:
          'The platform did not answer, or you went offline. Create the link again. No one can open the unfinished link.',
      })
    : withMessage(thrown, {
        unreachable: 'You are offline. Go online to create a share link.',
        not_found: 'This message is no longer on the platform, so it cannot be shared.',
        key_restricted:
          'Your API key can only send mail. To create share links, enter a key with full access in Settings.',
      })

export const createShareLinkHandlers = (
  { api, action }: PlatformPart,
  { cache, shareLinks }: OwnPart,
  clock: Clock,
): DomainHandlers<'shareLink'> => {
  const withLocation = (link: StoredShareLink): CreatedShareLink => ({ ...link, ...locateEmail({ cache }, link.of) })
  return {
    'shareLink.create': async ({ of, expiresIn }) => {
      const duration = parseDuration(expiresIn)
      // Read the cache before the request, so that a cache failure can't prevent saving the link.
      const { subject = null, from = '', to = [] } = findEmail({ cache }, of) ?? {}
      const askedAt = clock.now()
      const { url } = await api
        .createShareLink(of.emailId, formatShareDuration(duration), action)
        .catch((thrown: unknown) => {
          throw toShareError(thrown)
        })
      const expiresAt = computeLinkExpiry(url, askedAt, duration)
      const { link, isKept } = shareLinks.add({ url, of, subject, from, to, madeAt: askedAt, expiresAt })
      return { link: withLocation(link), isKept }
    },
    'shareLink.list': ({ typed }) => shareLinks.list(typed).map(withLocation),
    'shareLink.forget': ({ id }) => shareLinks.forget(id),
    'shareLink.restore': ({ id }) => shareLinks.restore(id),
  }
}
