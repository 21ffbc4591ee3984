import type { EngineCommand, Handlers } from '../shared/contract.ts'
import type { RawEmail } from '../shared/engine-link.ts'
import { freshnessOf } from '../shared/freshness.ts'
import type { Bodies, Freshness, ThreadChange } from '../shared/model.ts'
import { ProblemError, type ProblemCode } from '../shared/result.ts'
import type { OpenAccount } from './account.ts'
import type { ReopeningAccount } from './reopening-account.ts'
import type { CallOptions } from './api/mail-platform.ts'
import { toInbox, toShareLink, toTime } from './api/model-from-wire.ts'
import { isNotFound, PlatformRefusal } from './api/platform-problem.ts'
import { downloadSigned, isExpired } from './api/raw-download.ts'
import type { WireTopic } from './api/wire.ts'
import type { Wish } from './outbox/outbox.ts'
import { rawFilename } from './raw-filename.ts'
import type { AccountEmailStore } from './store/account-emails.ts'
import { bodyLength, CARRIED, pieceOf, versionOf, withBodiesApart } from './store/bodies-apart.ts'
import { inStorageWords } from './store/storage-problem.ts'
import type { InboxRef } from './store/threads.ts'
import { depthDays, setDepthDays } from './sync/depth.ts'
import { EmailsNotOffered } from './sync/thread-sync.ts'

type HandledAccount = Pick<ReopeningAccount, 'current' | 'settled'>

const problem = (code: ProblemCode, message: string): ProblemError => new ProblemError({ code, message })

const codeOf = (thrown: unknown): ProblemCode | null => (thrown instanceof ProblemError ? thrown.problem.code : null)

/** The same failure with a sentence that fits what the person was doing; others stay as they are. */
const saying = (thrown: unknown, sentences: Partial<Record<ProblemCode, string>>): unknown => {
  const code = codeOf(thrown)
  const message = code === null ? undefined : sentences[code]
  return thrown instanceof ProblemError && message !== undefined
    ? new ProblemError({ ...thrown.problem, message }, { cause: thrown })
    : thrown
}

/** What a search is told where the platform finds fault with it: its own words, which name the limit or the value. */
const asQueryProblem = (thrown: unknown): unknown =>
  thrown instanceof PlatformRefusal && thrown.status === 422
    ? new ProblemError({
        ...thrown.problem,
        code: 'query_invalid',
        message: String(thrown.problem.details?.platform ?? 'The platform does not understand this search.').replaceAll(
          '`',
          '',
        ),
      })
    : thrown

const wishesOf = (inboxId: string, threadId: string, change: ThreadChange): readonly Wish[] => {
  const lane = { kind: 'thread', scope: inboxId, id: threadId } as const
  return [
    ...(change.read === undefined ? [] : [{ ...lane, field: 'read', wanted: String(change.read) } as const]),
    ...(change.folder === undefined ? [] : [{ ...lane, field: 'folder', wanted: change.folder } as const]),
    ...(change.addLabels ?? []).map((id) => ({ ...lane, field: `label:${id}`, wanted: 'true' }) as const),
    ...(change.removeLabels ?? []).map((id) => ({ ...lane, field: `label:${id}`, wanted: 'false' }) as const),
  ]
}

const INBOX_GONE = 'This inbox is no longer on the platform. Linnet keeps the mail that it has of it.'

const SEARCH_FAILED = 'The platform did not answer this search. Search again in a moment.'

/**
 * The same handlers, each telling of a failing disk in a person's words. One that meets a damaged file, or whose account
 * is opened anew under its hands, waits for that and is answered by the new one.
 */
const inWords = (handlers: Handlers<EngineCommand>, { current, settled }: HandledAccount): Handlers<EngineCommand> => {
  const wrapped = Object.entries(handlers).map(([name, handler]) => [
    name,
    async (input: never): Promise<unknown> => {
      await settled()
      const before = current()
      try {
        return await handler(input)
      } catch (thrown) {
        await settled()
        if (current() === before) throw inStorageWords(thrown)
      }
      try {
        return await handler(input)
      } catch (thrown) {
        throw inStorageWords(thrown)
      }
    },
  ])
  // Each name keeps its own handler's type: what is wrapped takes and gives the same.
  return Object.fromEntries(wrapped) as Handlers<EngineCommand>
}

/** What answers the contract's engine commands, over the account that is open. */
export const createHandlers = (account: HandledAccount): Handlers<EngineCommand> => {
  const { current } = account
  const freshness = (at: number | null): Freshness => freshnessOf(at, current().status().connection, Date.now())
  /** Of an inbox that the platform does not have any more, nothing is live. */
  const ofInbox = (inboxId: string, at: number | null): Freshness => {
    const { state } = freshness(at)
    const isThere = current().cache.inboxes.get(inboxId)?.onServer === true
    return { state: state === 'live' && !isThere ? 'cached' : state, at }
  }
  const inboxOf = (inboxId: string): InboxRef => {
    const stored = current().cache.inboxes.get(inboxId)
    if (stored === undefined) throw problem('not_found', 'There is no such inbox in this account.')
    return { key: stored.key, id: inboxId }
  }
  const asked = (signal: AbortSignal = current().signal): CallOptions => ({ priority: 'action', signal })

  /** A whole e-mail of one of the account's lists: from the cache, else from the platform, and then kept. */
  const readAccountEmail = async <Wire, Whole>(
    id: string,
    store: Pick<AccountEmailStore<Wire, unknown, Whole>, 'get' | 'has' | 'storeWhole' | 'markGone'>,
    get: (id: string, options: CallOptions) => Promise<Wire>,
    changed: () => void,
  ): Promise<Whole> => {
    const kept = store.get(id)
    if (kept !== undefined) return kept
    try {
      store.storeWhole(await get(id, asked()))
      changed()
    } catch (thrown) {
      if (isNotFound(thrown) && store.has(id)) {
        store.markGone(id)
        changed()
      }
      throw saying(thrown, {
        unreachable: 'You are offline, and this e-mail is not on this computer yet. Go online to read it.',
        not_found: 'The platform does not have this e-mail any more, and Linnet has no copy of its text.',
      })
    }
    const whole = store.get(id)
    if (whole === undefined) throw new Error('An e-mail that was stored can be read.')
    return whole
  }

  /** The same where its bodies are too large for one answer. */
  const carried = <Whole extends Bodies>(whole: Whole): Whole =>
    bodyLength(whole) > CARRIED ? withBodiesApart(whole) : whole

  /** The e-mail of an account's list that a window reads piece by piece: finding it takes time with its whole length. */
  let inPieces: (Pick<Bodies, 'html' | 'text'> & { readonly of: string }) | null = null
  const listedBody = (
    list: 'received' | 'sent',
    emailId: string,
    body: 'html' | 'text',
    version: string,
    place: number,
  ) => {
    const { cache } = current()
    const of = JSON.stringify([list, emailId, version])
    if (inPieces?.of !== of) {
      const whole = list === 'received' ? cache.receivedEmails.get(emailId) : cache.sentEmails.get(emailId)
      if (whole === undefined || versionOf(whole) !== version) return undefined
      inPieces = { of, html: whole.html, text: whole.text }
    }
    const whole = inPieces[body]
    if (pieceOf(whole, place + 1) === null) inPieces = null
    return pieceOf(whole, place) ?? undefined
  }

  let search: AbortController | null = null

  const handlers: Handlers<EngineCommand> = {
    'inbox.list': () => {
      const { cache, lists, threads } = current()
      return {
        inboxes: cache.inboxes.all().map(({ key, inbox }) => {
          const ref = { key, id: inbox.id }
          // Counted here, the number agrees with the list beside it, pending changes included.
          return threads.isListed(ref, 'inbox') ? { ...inbox, unread: cache.threads.countUnread(ref) } : inbox
        }),
        freshness: freshness(lists.lookedAt('inboxes')),
      }
    },
    'inbox.add': async ({ inboxId }) => {
      const { cache, platform, hub, sync, presence } = current()
      try {
        await platform.searchThreads(inboxId, {}, { ...asked(), limit: 1 })
      } catch (thrown) {
        throw saying(thrown, {
          unreachable: 'You are offline. Go online to add an inbox.',
          not_found: 'The platform has no inbox with this ID. Check it; an e-mail address does not work here.',
        })
      }
      cache.inboxes.add(inboxId)
      presence.isBack(inboxId)
      hub.inboxes()
      sync.nudge()
      return toInbox({ id: inboxId }, true)
    },
    'label.list': ({ inboxId }) => current().cache.labels.all(inboxOf(inboxId).key),
    'thread.list': ({ inboxId, folder, labelId, offset, limit }) => {
      const { cache, threads } = current()
      const inbox = inboxOf(inboxId)
      const list = labelId === undefined ? { folder: folder ?? 'inbox' } : { labelId }
      return {
        items: cache.threads.list(inbox, list, { offset, limit }),
        offset,
        total: cache.threads.count(inbox, list),
        freshness: ofInbox(inboxId, threads.lookedAt(inbox)),
      }
    },
    'thread.open': async ({ inboxId, threadId }) => {
      const { cache, threads } = current()
      const inbox = inboxOf(inboxId)
      const fromCache = () => {
        const thread = cache.threads.get(inbox, threadId)
        const emails = thread === undefined ? [] : cache.emails.ofThread(inbox, threadId, thread.read)
        return thread === undefined
          ? undefined
          : { thread, emails, freshness: ofInbox(inboxId, threads.lookedAt(inbox)) }
      }
      if (cache.threads.emailsComplete(inbox, threadId)) {
        const conversation = fromCache()
        if (conversation !== undefined && conversation.emails.length > 0) return conversation
      }
      if (!threads.mayOfferEmails(inbox)) throw new EmailsNotOffered()
      try {
        await threads.emails(inbox, threadId, 'action')
      } catch (thrown) {
        const conversation = fromCache()
        if (conversation !== undefined && conversation.emails.length > 0) return conversation
        throw saying(thrown, {
          unreachable:
            'You are offline, and the e-mails of this thread are not on this computer yet. Go online to read it.',
          not_found: 'This thread is no longer on the platform, and Linnet has no copy of its e-mails.',
        })
      }
      const conversation = fromCache()
      if (conversation === undefined) throw problem('not_found', 'This thread is no longer on the platform.')
      return { ...conversation, freshness: { state: 'live', at: Date.now() } }
    },
    'body.read': ({ of, body, version, place }) => {
      const piece =
        of.list === 'threads'
          ? current().cache.emails.bodyPiece(inboxOf(of.inboxId), of.threadId, of.emailId, body, version, place)
          : listedBody(of.list, of.emailId, body, version, place)
      if (piece === undefined) throw problem('not_found', 'The text of this e-mail is not on this computer any more.')
      return piece
    },
    'thread.search': async ({ inboxId, query, after }) => {
      const { cache, platform, signal } = current()
      search?.abort(problem('cancelled', 'A newer search took the place of this one.'))
      search = new AbortController()
      const stored = cache.inboxes.get(inboxId)
      const askedAt = performance.now()
      try {
        const page = await platform.searchThreads(
          inboxId,
          { query },
          { ...asked(AbortSignal.any([signal, search.signal])), after, limit: 50 },
        )
        const inbox = inboxOf(inboxId)
        // Search lags behind the lists by up to a minute (contract, Search threads): it never overwrites newer mail.
        const found = page.items.map(({ matched_email_id: matched, ...wire }) => ({ matched, wire }))
        const news = found.filter(
          ({ wire }) => (cache.threads.get(inbox, wire.id)?.receivedAt ?? -1) < toTime(wire.received_at),
        )
        current().hub.threads(
          inboxId,
          cache.threads.storePage(
            inbox,
            news.map(({ wire }) => wire),
            { askedAt, inSent: false },
          ),
        )
        return {
          items: found.flatMap(({ matched, wire }) => {
            const thread = cache.threads.get(inbox, wire.id)
            return thread === undefined ? [] : [{ ...thread, matchedEmailId: matched ?? null }]
          }),
          next: page.hasMore ? (page.items.at(-1)?.id ?? null) : null,
        }
      } catch (thrown) {
        if (isNotFound(thrown) && after === undefined && stored !== undefined) {
          const { absence, presence } = current()
          if (await absence.inboxExists(inboxId, 'action')) throw problem('platform_failed', SEARCH_FAILED)
          presence.isGone(inboxId)
        }
        throw saying(asQueryProblem(thrown), {
          unreachable:
            'You are offline, and search runs on the platform. Your folders are all here; go online to search.',
          not_found: after === undefined ? INBOX_GONE : 'The search has changed since. Search again to see all of it.',
        })
      }
    },
    'thread.change': ({ inboxId, threadIds, change }) => {
      const { cache, outbox } = current()
      const inbox = inboxOf(inboxId)
      if (cache.inboxes.get(inboxId)?.onServer !== true) throw problem('not_found', INBOX_GONE)
      for (const id of threadIds) {
        const thread = cache.threads.get(inbox, id)
        if (thread === undefined) throw problem('not_found', 'This thread is not here any more. Nothing was changed.')
        if (!thread.onServer) {
          throw problem(
            'not_found',
            'This thread is no longer on the platform. You can read it here, but not change it.',
          )
        }
      }
      return { changeId: outbox.change(threadIds.flatMap((id) => wishesOf(inboxId, id, change))) }
    },
    'change.undo': ({ changeId }) => {
      const undone = current().outbox.undo(changeId)
      if (undone === null) throw problem('not_found', 'This change is too long ago to be undone.')
      return { undone }
    },
    'shareLink.create': async ({ emailId, expiresIn }) => {
      try {
        return toShareLink(await current().platform.createShareLink(emailId, expiresIn, asked()))
      } catch (thrown) {
        throw saying(thrown, {
          unreachable: 'You are offline. Go online to create a share link.',
          not_found: 'The platform does not have this e-mail any more, so it cannot be shared.',
        })
      }
    },
    'contact.list': ({ offset, limit }) => {
      const { cache, lists } = current()
      return {
        items: cache.contacts.list({ offset, limit }),
        offset,
        total: cache.contacts.count(),
        freshness: freshness(lists.lookedAt('contacts')),
      }
    },
    'contact.get': ({ contactId }) => {
      const contact = current().cache.contacts.get(contactId)
      if (contact === undefined)
        throw problem('not_found', 'There is no such contact here. Choose another in the list.')
      return contact
    },
    'contact.topics': async ({ contactId }) => {
      const { cache, platform, hub, outbox } = current()
      const lane = { kind: 'contact', scope: '', id: contactId } as const
      /** An answer from before a change was confirmed would bring the old choice back: it is asked for again. */
      const fetchTopics = async (): Promise<readonly WireTopic[]> => {
        const askedAt = performance.now()
        const wires = await platform.listContactTopics(contactId, asked())
        return outbox.confirmedSince(lane, askedAt) ? fetchTopics() : wires
      }
      const fromCache = () => {
        const stored = cache.topics.ofContact(contactId)
        return stored === undefined ? undefined : { topics: stored.topics, freshness: freshness(stored.fetchedAt) }
      }
      const recent = fromCache()
      if (recent?.freshness.state === 'live') return recent
      try {
        const wires = await fetchTopics()
        if (cache.topics.replaceAll(contactId, wires, Date.now())) hub.topics(contactId)
      } catch (thrown) {
        const kept = fromCache()
        if (kept !== undefined && !isNotFound(thrown))
          return { ...kept, freshness: { state: 'cached', at: kept.freshness.at } }
        throw saying(thrown, {
          unreachable: 'You are offline, and the topics of this contact are not on this computer yet.',
          not_found: 'This contact is no longer on the platform.',
        })
      }
      const fetched = fromCache()
      if (fetched === undefined) throw problem('not_found', 'This contact is no longer on the platform.')
      return fetched
    },
    'contact.setTopic': ({ contactId, topicId, subscription }) => {
      const { cache, outbox } = current()
      if (!cache.topics.serverSubscriptions(contactId).has(topicId)) {
        throw problem('not_found', 'This topic is not in the list of the contact any more. Nothing was changed.')
      }
      const lane = { kind: 'contact', scope: '', id: contactId } as const
      return { changeId: outbox.change([{ ...lane, field: `topic:${topicId}`, wanted: subscription }]) }
    },
    'receivedEmail.list': ({ offset, limit }) => {
      const { cache, lists } = current()
      return {
        items: cache.receivedEmails.list({ offset, limit }),
        offset,
        total: cache.receivedEmails.count(),
        freshness: freshness(lists.lookedAt('received')),
      }
    },
    'receivedEmail.get': async ({ id }) => {
      const { cache, platform, hub } = current()
      return carried(await readAccountEmail(id, cache.receivedEmails, platform.getReceivedEmail, hub.receivedEmails))
    },
    'sentEmail.list': ({ offset, limit }) => {
      const { cache, lists } = current()
      return {
        items: cache.sentEmails.list({ offset, limit }),
        offset,
        total: cache.sentEmails.count(),
        freshness: freshness(lists.lookedAt('sent e-mails')),
      }
    },
    'sentEmail.get': async ({ id }) => {
      const { cache, platform, hub } = current()
      return carried(await readAccountEmail(id, cache.sentEmails, platform.getSentEmail, hub.sentEmails))
    },
    'sync.status': () => current().status(),
    'sync.now': async () => {
      await current().sync.now()
      return null
    },
    'sync.depth': () => ({ days: depthDays(current().cache.facts) }),
    'sync.setDepth': ({ days }) => {
      setDepthDays(current().cache.facts, days)
      current().sync.nudge()
      return null
    },
    'problem.list': () => current().problems.list(),
    'problem.dismiss': ({ id }) => {
      current().problems.clear(id)
      return null
    },
    'window.activity': ({ activity }) => {
      current().sync.setActivity(activity)
      return null
    },
  }
  return inWords(handlers, account)
}

/**
 * Downloads the original file of a received e-mail (contract, 6: `raw`). The signed address is always a fresh one, and
 * is asked for once more where it has run out on the way.
 * @throws ProblemError `not_found` where the platform offers none
 */
export const downloadRaw = async ({ platform, baseUrl, signal }: OpenAccount, id: string): Promise<RawEmail> => {
  const fetchOnce = async (): Promise<RawEmail> => {
    const { raw, subject } = await platform.getReceivedEmail(id, { priority: 'action', signal })
    if (raw === null || raw === undefined) {
      throw problem('not_found', 'The platform does not offer the original of this e-mail.')
    }
    return { filename: rawFilename(subject ?? null), content: await downloadSigned(raw.download_url, baseUrl, signal) }
  }
  try {
    return await fetchOnce().catch((thrown: unknown) => {
      if (!isExpired(thrown) || isNotFound(thrown)) throw thrown
      return fetchOnce()
    })
  } catch (thrown) {
    throw saying(inStorageWords(thrown), {
      unreachable: 'You are offline. Go online to download the original of this e-mail.',
      not_found: 'The platform does not have the original of this e-mail any more.',
    })
  }
}
