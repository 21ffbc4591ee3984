import type { DomainHandlers, ParsedInput } from '../../shared/contract.ts'
import type { EmailBodies, EmailPage, ReceivedEmail, SentEmail } from '../../shared/model.ts'
import { createProblem, ProblemError } from '../../shared/result.ts'
import type { BackgroundPart } from '../account-background.ts'
import type { MailPart } from '../account-mail.ts'
import type { OwnPart } from '../account-own.ts'
import type { PlatformPart } from '../account-platform.ts'
import type { CallOptions } from '../platform/requests.ts'
import type { EmailSearches } from '../mail/search/email-searches.ts'
import { isNotFound, PlatformRefusalError } from '../platform/platform-problem.ts'
import { withMessage } from '../platform/problem.ts'
import type { AccountEmailStore, FetchedAccountEmail } from '../store/account-emails.ts'
import { measureBodies, INLINE_BODY_CHARS, withoutBodies } from '../store/separate-bodies.ts'
import type { EmailList } from '../sync/account-lists.ts'
import { withThread, createThreadLookup } from '../own/email-threads.ts'

type MaybeStored = EmailBodies & { readonly onServer: boolean }

const ABOVE_QUOTA =
  'The platform withholds the text and attachments: your account was over its quota when this message arrived.'

/** Why the platform withholds an e-mail; null for other errors. */
const whyWithheld = (thrown: unknown): string | null => {
  if (!(thrown instanceof ProblemError) || thrown.problem.code !== 'refused') return null
  const isAboveQuota = thrown instanceof PlatformRefusalError && thrown.errorName === 'email_above_quota'
  return isAboveQuota ? ABOVE_QUOTA : thrown.problem.message
}

export const createAccountEmailHandlers = (
  { api, action }: PlatformPart,
  { cache, hub }: OwnPart,
  { freshness, lists, localDeletion }: BackgroundPart,
  { emailSearches }: MailPart,
): DomainHandlers<'receivedEmail'> & DomainHandlers<'sentEmail'> => {
  /** Rebuilds an e-mail that was dropped too early: a thread may still have its text. */
  const recoverLost = <Whole extends MaybeStored>(left: Whole | undefined, id: string): Whole | undefined => {
    if (left === undefined || left.onServer) return undefined
    const place = cache.keeping.threadWith(id)
    const email = place === undefined ? undefined : cache.emails.get(place.inbox, place.threadId, id)
    if (email === undefined) return { ...left, html: null, text: null, isTextLost: true }
    return { ...left, html: email.html, text: email.text }
  }

  /** Reads a complete e-mail from the cache, or fetches and caches it. */
  const readAccountEmail = async <Fetched extends FetchedAccountEmail, Whole extends MaybeStored>(
    id: string,
    store: Pick<AccountEmailStore<Fetched, unknown, Whole>, 'get' | 'has' | 'remains' | 'storeWhole' | 'markGone'>,
    get: (id: string, options: CallOptions) => Promise<Fetched>,
    changed: () => void,
  ): Promise<Whole> => {
    const kept = store.get(id) ?? recoverLost(store.remains(id), id)
    if (kept !== undefined) return kept
    try {
      store.storeWhole(await get(id, action))
      changed()
    } catch (thrown) {
      if (isNotFound(thrown) && store.has(id)) {
        store.markGone(id)
        changed()
        const left = recoverLost(store.remains(id), id)
        if (left !== undefined) return left
      }
      const withheld = whyWithheld(thrown)
      const known = withheld === null ? undefined : store.remains(id)
      if (withheld !== null && known !== undefined) return { ...known, html: null, text: null, withheld }
      throw withMessage(thrown, {
        unreachable: 'You are offline, and this message is not on this computer yet. Go online to read it.',
        not_found: 'This message is no longer on the platform, and Linnet has no copy of its text.',
      })
    }
    const whole = store.get(id)
    if (whole === undefined) throw new Error('The message could not be read right after it was stored.')
    return whole
  }

  /** Leaves out bodies that are too large for one response. */
  const limitSize = <Whole extends EmailBodies>(whole: Whole): Whole =>
    measureBodies(whole) > INLINE_BODY_CHARS ? withoutBodies(whole) : whole

  const readWindow = async <Listed extends ReceivedEmail | SentEmail>(
    { offset, limit, query }: ParsedInput<'receivedEmail.list'>,
    of: 'received' | 'sent',
    store: Pick<AccountEmailStore<never, Listed, unknown>, 'list' | 'count' | 'countSearched'>,
    searches: Pick<EmailSearches<Listed>, 'read'>,
  ): Promise<EmailPage<Listed>> => {
    const name: EmailList = of === 'sent' ? 'sent e-mails' : of
    const threadOf = createThreadLookup({ cache }, of)
    const confirmed = freshness(lists.polledAt(name))
    if (query === undefined) {
      const items = store
        .list({ offset, limit })
        .map((email) => ({ ...email, excerpt: null, inThread: threadOf(email) }))
      return { items, offset, total: store.count(), freshness: confirmed, searched: null }
    }
    const found = await searches.read(query, { offset, limit })
    const items = found.items.map((email) => ({ ...email, inThread: threadOf(email) }))
    const searched = { emails: store.countSearched(), of: store.count(), isWhole: lists.isDone(name) }
    return { ...found, items, offset, freshness: confirmed, searched }
  }

  const deleteKept = (list: 'received' | 'sent', id: string): null => {
    if (cache.deleted.isInThread(id)) {
      throw createProblem('refused', 'This message is part of a thread. Delete the thread to delete it.')
    }
    if (!localDeletion.email(list, id)) {
      throw createProblem('refused', 'This message is on the platform, so it stays in this list. Nothing was deleted.')
    }
    if (list === 'received') hub.receivedEmails()
    else hub.sentEmails()
    hub.keeping()
    return null
  }

  return {
    'receivedEmail.deleteKept': ({ id }) => deleteKept('received', id),
    'sentEmail.deleteKept': ({ id }) => deleteKept('sent', id),
    'receivedEmail.list': (window) => readWindow(window, 'received', cache.receivedEmails, emailSearches.received),
    'receivedEmail.get': async ({ id }) => {
      const whole = await readAccountEmail(id, cache.receivedEmails, api.getReceivedEmail, hub.receivedEmails)
      return withThread({ cache }, 'received', limitSize(whole))
    },
    'sentEmail.list': (window) => readWindow(window, 'sent', cache.sentEmails, emailSearches.sent),
    'sentEmail.get': async ({ id }) => {
      const whole = await readAccountEmail(id, cache.sentEmails, api.getSentEmail, hub.sentEmails)
      return withThread({ cache }, 'sent', limitSize(whole))
    },
  }
}
