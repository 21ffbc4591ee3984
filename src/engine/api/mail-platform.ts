import type { Contact, Folder } from '../../shared/model.ts'
import type { Clock } from '../../shared/search/date-bounds.ts'
import { toSearchParameters } from '../../shared/search/search-parameters.ts'
import { NO_FILTER, type ThreadFilter } from '../../shared/thread-query.ts'
import {
  readReceivedEmail,
  readReceivedEmails,
  readSentEmail,
  readSentEmails,
  type FetchedReceivedEmail,
  type FetchedSentEmail,
} from './answers/account-emails.ts'
import { readAttachment, readAttachments, type FetchedAttachment } from './answers/attachments.ts'
import {
  madeContact,
  readContact,
  readContacts,
  readMadeContact,
  readSegments,
  readTopics,
  type FetchedContact,
  type FetchedSegment,
  type FetchedTopic,
} from './answers/contacts.ts'
import { readDraft, readDrafts, readMadeDraft, type FetchedDraft, type ListedDraft } from './answers/drafts.ts'
import { readEmail, readEmails, type FetchedEmail } from './answers/emails.ts'
import { readInboxes, type FetchedInbox } from './answers/inboxes.ts'
import { readLabels, readMadeLabel, type FetchedLabel } from './answers/labels.ts'
import type { ListPage } from './answers/read-answer.ts'
import { readSentId } from './answers/outgoing.ts'
import { readShareLink } from './answers/share-links.ts'
import {
  readFoundThreads,
  readThreadLabels,
  readThreads,
  readThreadSummary,
  type FetchedThread,
  type FetchedThreadState,
  type FetchedThreadSummary,
  type FoundThread,
} from './answers/threads.ts'
import { problem } from '../saying.ts'
import type { HttpClient } from './http-client.ts'
import type { OutgoingFile } from './outgoing-body.ts'
import {
  draftBody,
  emailBody,
  forwardBody,
  replyBody,
  type OutgoingDraft,
  type OutgoingEmail,
  type OutgoingForward,
  type OutgoingReply,
} from './outgoing-message.ts'
import { path } from './path.ts'
import type { Priority } from './request-budget.ts'
import { systemClock } from '../timing/clock.ts'

/** The most that a list gives at once (contract, "Limits"). */
export const PAGE_LIMIT = 100
/** More pages of inboxes than any account is known to have; a list that never ends is left there. */
export const MOST_INBOX_PAGES = 50

/** What can be a row's ID: no platform gives others. */
const CURSOR = /^[!-~]{1,512}$/

/** More topics or e-mails than anybody has in one list: what goes on after them never ends. */
const MAX_ITEMS = 10_000

/** How urgent a call is, and what ends it. */
export interface CallOptions {
  readonly priority: Priority
  readonly signal: AbortSignal
}

export interface PageOptions extends CallOptions {
  /** The last ID of the page before. */
  readonly after?: string | undefined
  /** 1 to 100; 100 where it is not given. */
  readonly limit?: number
}

/** A call that takes effect once, however often it is made with the same key within a day (platform facts 1). */
export interface SendOptions extends CallOptions {
  readonly idempotencyKey: string
}

/** An e-mail of a thread. */
export interface ThreadEmailRef {
  readonly inboxId: string
  readonly threadId: string
  readonly emailId: string
}

/** Of which list the platform takes an e-mail's ID. */
export type EmailKind = 'received' | 'sent'

/**
 * Every call that Linnet makes, one function each, with its answer read into the model's terms. All throw what
 * `HttpClient.request` throws; an ID that could leave its place in a path is refused with `invalid_input`, and so is a page
 * that no list has (contract, "Limits"): of 0 rows or 101, after what is no ID, or after one row and before another.
 */
export interface MailPlatform {
  /** Platform facts 3.0, 1. */
  readonly listInboxes: (options: PageOptions) => Promise<ListPage<FetchedInbox>>
  /** Platform facts 3.0, 18. */
  readonly listLabels: (inboxId: string, options: CallOptions) => Promise<readonly FetchedLabel[]>
  /** Platform facts 3.0, 19. Returns the label's ID. */
  readonly createLabel: (
    inboxId: string,
    label: { readonly name: string; readonly color: string },
    options: CallOptions,
  ) => Promise<string>
  /** Platform facts 3.0, 20. At least one field. */
  readonly updateLabel: (
    inboxId: string,
    labelId: string,
    change: { readonly name?: string; readonly color?: string },
    options: CallOptions,
  ) => Promise<void>
  /** Platform facts 3.0, 21: takes the label off all threads. */
  readonly deleteLabel: (inboxId: string, labelId: string, options: CallOptions) => Promise<void>
  /** Exact and current; latest activity first (platform facts 3.2). */
  readonly listThreads: (
    inboxId: string,
    filter: { readonly folders: readonly Folder[] },
    options: PageOptions,
  ) => Promise<ListPage<FetchedThread>>
  /**
   * Contract, 2. The inbox's ID, never its address.
   * @param clock what the filter's days and times are meant by; UTC and now where they are moments
   */
  readonly searchThreads: (
    inboxId: string,
    filter: Partial<ThreadFilter>,
    options: PageOptions & { readonly clock?: Clock },
  ) => Promise<ListPage<FoundThread>>
  /** Platform facts 3.0, 8. */
  readonly getThread: (inboxId: string, threadId: string, options: CallOptions) => Promise<FetchedThreadSummary>
  /** Platform facts 3.3. At least one field. */
  readonly updateThread: (
    inboxId: string,
    threadId: string,
    change: { readonly read?: boolean; readonly folder?: string },
    options: CallOptions,
  ) => Promise<FetchedThreadSummary>
  /**
   * E-mails of a thread, oldest first (platform facts 3.4). A page can be of any size: `maxBytes` is the most to fetch.
   * @throws AnswerTooLarge
   */
  readonly listThreadEmails: (
    inboxId: string,
    threadId: string,
    options: PageOptions & { readonly maxBytes: number },
  ) => Promise<ListPage<FetchedEmail>>
  /** One e-mail of a thread, by its ID or by a search's `matched_email_id`, which the answer does not repeat. */
  readonly getThreadEmail: (
    inboxId: string,
    threadId: string,
    emailId: string,
    options: CallOptions,
  ) => Promise<FetchedEmail>
  /** Platform facts 3.0, 15: one to ten labels a call. Returns the thread's labels after it. */
  readonly addThreadLabels: (
    inboxId: string,
    threadId: string,
    labelIds: readonly string[],
    options: CallOptions,
  ) => Promise<FetchedThreadState>
  /** Contract, 3. Returns the thread's labels after it. */
  readonly removeThreadLabel: (
    inboxId: string,
    threadId: string,
    labelId: string,
    options: CallOptions,
  ) => Promise<FetchedThreadState>
  /** Contract, 1. @param expiresIn as `shareDurationText` writes it */
  readonly createShareLink: (
    emailId: string,
    expiresIn: string,
    options: CallOptions,
  ) => Promise<{ readonly url: string }>
  /** Contract, 4. */
  readonly listContacts: (options: PageOptions) => Promise<ListPage<FetchedContact>>
  /** Platform facts 5, by ID or by address. */
  readonly getContact: (idOrAddress: string, options: CallOptions) => Promise<FetchedContact>
  /**
   * Platform facts 5: where the address is a contact's already, that one is changed. Returns the contact as far as the
   * platform has told of it: its ID.
   */
  readonly createContact: (
    contact: Pick<Contact, 'email' | 'firstName' | 'lastName'>,
    options: CallOptions,
  ) => Promise<FetchedContact>
  /** Platform facts 5, by ID or by address. */
  readonly deleteContact: (idOrAddress: string, options: CallOptions) => Promise<void>
  /** Platform facts 5: all segments that a contact is in. */
  readonly listContactSegments: (contactId: string, options: CallOptions) => Promise<readonly FetchedSegment[]>
  /** Contract, 5: all topics of a contact, by its ID or its address. */
  readonly listContactTopics: (contactId: string, options: CallOptions) => Promise<readonly FetchedTopic[]>
  /** Platform facts 5: the bare array form. */
  readonly setContactTopic: (
    contactId: string,
    topicId: string,
    subscription: string,
    options: CallOptions,
  ) => Promise<void>
  /** Platform facts 7, newest first. */
  readonly listReceivedEmails: (options: PageOptions) => Promise<ListPage<FetchedReceivedEmail>>
  /** Contract, 6. */
  readonly getReceivedEmail: (id: string, options: CallOptions) => Promise<FetchedReceivedEmail>
  /** Platform facts 6, newest first. */
  readonly listSentEmails: (options: PageOptions) => Promise<ListPage<FetchedSentEmail>>
  /** Platform facts 6. */
  readonly getSentEmail: (id: string, options: CallOptions) => Promise<FetchedSentEmail>
  /** Platform facts 6 and 7: an attachment of a received or a sent e-mail, with a fresh link to its bytes. */
  readonly getAttachment: (
    kind: EmailKind,
    emailId: string,
    attachmentId: string,
    options: CallOptions,
  ) => Promise<FetchedAttachment>
  /** Platform facts 6 and 7: all attachments of a received or a sent e-mail. */
  readonly listAttachments: (
    kind: EmailKind,
    emailId: string,
    options: CallOptions,
  ) => Promise<readonly FetchedAttachment[]>
  /** Platform facts 3.5. All that send return the ID of the e-mail that was sent. */
  readonly reply: (
    to: ThreadEmailRef,
    reply: OutgoingReply,
    files: readonly OutgoingFile[],
    options: SendOptions,
  ) => Promise<string>
  /** Platform facts 3.6: with the original and all of its attachments. */
  readonly forward: (
    original: ThreadEmailRef,
    forward: OutgoingForward,
    files: readonly OutgoingFile[],
    options: SendOptions,
  ) => Promise<string>
  /** Platform facts 6.1. */
  readonly sendEmail: (email: OutgoingEmail, files: readonly OutgoingFile[], options: SendOptions) => Promise<string>
  /**
   * Platform facts 3.7. Returns the draft's ID: of an answer that of the unsent one that the e-mail has, whoever began it.
   * @param answers the e-mail that it answers
   */
  readonly createDraft: (
    inboxId: string,
    draft: OutgoingDraft,
    answers: Pick<ThreadEmailRef, 'threadId' | 'emailId'> | null,
    files: readonly OutgoingFile[],
    options: SendOptions,
  ) => Promise<string>
  /** Platform facts 3.7: all of it. @param files null leaves them as they are; 409 where it was sent */
  readonly updateDraft: (
    inboxId: string,
    draftId: string,
    draft: OutgoingDraft,
    files: readonly OutgoingFile[] | null,
    options: CallOptions,
  ) => Promise<void>
  /** Platform facts 3.0, 22: those that were not sent. */
  readonly listDrafts: (inboxId: string, options: PageOptions) => Promise<ListPage<ListedDraft>>
  /** Platform facts 3.7, also of one that was sent. */
  readonly getDraft: (inboxId: string, draftId: string, options: CallOptions) => Promise<FetchedDraft>
  /** Platform facts 3.7. 409 where it was sent. */
  readonly deleteDraft: (inboxId: string, draftId: string, options: CallOptions) => Promise<void>
  /** Platform facts 3.7. 409 where it was sent already. */
  readonly sendDraft: (inboxId: string, draftId: string, options: SendOptions) => Promise<string>
  /** Platform facts 6: of a scheduled e-mail alone. @param scheduledAt milliseconds since the epoch */
  readonly rescheduleEmail: (emailId: string, scheduledAt: number, options: CallOptions) => Promise<void>
  /** Platform facts 6: of a scheduled e-mail alone. */
  readonly cancelEmail: (emailId: string, options: CallOptions) => Promise<void>
}

/** The platform's endpoints over one account's HTTP client. */
/** @param now wall time, milliseconds since the epoch */
export const createMailPlatform = ({ request }: HttpClient, now: () => number = systemClock.now): MailPlatform => {
  const page = (options: PageOptions): { readonly limit: number; readonly after: string | undefined } => {
    const { after, limit = PAGE_LIMIT } = options
    const isWithinLimits = Number.isInteger(limit) && limit >= 1 && limit <= PAGE_LIMIT
    if (!isWithinLimits) throw problem('invalid_input', `A page has 1 to ${PAGE_LIMIT} rows, and not ${limit}.`)
    if (after !== undefined && 'before' in options) {
      throw problem('invalid_input', 'A page goes on after a row or before one, and not both.')
    }
    if (after !== undefined && !CURSOR.test(after)) {
      throw problem('invalid_input', 'A page goes on after the ID of a row.')
    }
    return { limit, after }
  }
  const call = ({ priority, signal }: CallOptions): CallOptions => ({ priority, signal })
  const send = ({ idempotencyKey, ...options }: SendOptions) => ({ idempotencyKey, ...call(options) })

  /**
   * Reads a list to its end; for lists that are short by nature. One that brings nothing new, or never ends, is ended
   * here.
   */
  const readAll = async <Item extends { readonly id: string }>(
    readPage: (after: string | undefined) => Promise<ListPage<Item>>,
  ): Promise<readonly Item[]> => {
    const all = new Map<string, Item>()
    let after: string | undefined
    for (;;) {
      const { items, hasMore } = await readPage(after)
      const before = all.size
      for (const item of items) all.set(item.id, item)
      after = items.at(-1)?.id
      if (!hasMore || all.size === before || all.size >= MAX_ITEMS) return [...all.values()]
    }
  }

  return {
    listInboxes: async (options) =>
      readInboxes(
        await request({ method: 'GET', path: path`/inboxes`, query: page(options), ...call(options) }),
        options.limit ?? PAGE_LIMIT,
      ),
    listLabels: async (inboxId, options) =>
      readLabels(await request({ method: 'GET', path: path`/inboxes/${inboxId}/labels`, ...call(options) }), PAGE_LIMIT)
        .items,
    createLabel: async (inboxId, label, options) =>
      readMadeLabel(
        await request({ method: 'POST', path: path`/inboxes/${inboxId}/labels`, body: label, ...call(options) }),
      ),
    updateLabel: async (inboxId, labelId, change, options) => {
      await request({
        method: 'PATCH',
        path: path`/inboxes/${inboxId}/labels/${labelId}`,
        body: change,
        ...call(options),
      })
    },
    deleteLabel: async (inboxId, labelId, options) => {
      await request({ method: 'DELETE', path: path`/inboxes/${inboxId}/labels/${labelId}`, ...call(options) })
    },
    listThreads: async (inboxId, { folders }, options) =>
      readThreads(
        await request({
          method: 'GET',
          path: path`/inboxes/${inboxId}/threads`,
          query: { folders: folders.join(','), ...page(options) },
          ...call(options),
        }),
        options.limit ?? PAGE_LIMIT,
      ),
    searchThreads: async (inboxId, filter, { clock = { now: now(), timeZone: 'UTC' }, ...options }) =>
      readFoundThreads(
        await request({
          method: 'GET',
          path: path`/inboxes/${inboxId}/threads/search`,
          query: { ...toSearchParameters({ ...NO_FILTER, ...filter }, clock), ...page(options) },
          ...call(options),
        }),
        options.limit ?? PAGE_LIMIT,
      ),
    getThread: async (inboxId, threadId, options) =>
      readThreadSummary(
        await request({ method: 'GET', path: path`/inboxes/${inboxId}/threads/${threadId}`, ...call(options) }),
      ),
    updateThread: async (inboxId, threadId, change, options) =>
      readThreadSummary(
        await request({
          method: 'PATCH',
          path: path`/inboxes/${inboxId}/threads/${threadId}`,
          body: change,
          ...call(options),
        }),
      ),
    listThreadEmails: async (inboxId, threadId, options) =>
      readEmails(
        await request({
          method: 'GET',
          path: path`/inboxes/${inboxId}/threads/${threadId}/emails`,
          query: page(options),
          maxBytes: options.maxBytes,
          ...call(options),
        }),
        options.limit ?? PAGE_LIMIT,
      ),
    getThreadEmail: async (inboxId, threadId, emailId, options) =>
      readEmail(
        await request({
          method: 'GET',
          path: path`/inboxes/${inboxId}/threads/${threadId}/emails/${emailId}`,
          ...call(options),
        }),
      ),
    addThreadLabels: async (inboxId, threadId, labelIds, options) =>
      readThreadLabels(
        await request({
          method: 'POST',
          path: path`/inboxes/${inboxId}/threads/${threadId}/labels`,
          body: { labels: labelIds },
          ...call(options),
        }),
        PAGE_LIMIT,
      ),
    removeThreadLabel: async (inboxId, threadId, labelId, options) =>
      readThreadLabels(
        await request({
          method: 'DELETE',
          path: path`/inboxes/${inboxId}/threads/${threadId}/labels/${labelId}`,
          ...call(options),
        }),
        PAGE_LIMIT,
      ),
    createShareLink: async (emailId, expiresIn, options) =>
      readShareLink(
        await request({
          method: 'POST',
          path: path`/emails/${emailId}/share`,
          body: { expires_in: expiresIn },
          ...call(options),
        }),
      ),
    listContacts: async (options) =>
      readContacts(
        await request({ method: 'GET', path: path`/contacts`, query: page(options), ...call(options) }),
        options.limit ?? PAGE_LIMIT,
      ),
    getContact: async (idOrAddress, options) =>
      readContact(await request({ method: 'GET', path: path`/contacts/${idOrAddress}`, ...call(options) })),
    createContact: async ({ email, firstName, lastName }, options) => {
      const body = {
        email,
        ...(firstName !== null && { first_name: firstName }),
        ...(lastName !== null && { last_name: lastName }),
      }
      const id = readMadeContact(await request({ method: 'POST', path: path`/contacts`, body, ...call(options) }))
      return madeContact(id, { email, firstName, lastName }, now())
    },
    deleteContact: async (idOrAddress, options) => {
      await request({ method: 'DELETE', path: path`/contacts/${idOrAddress}`, ...call(options) })
    },
    listContactSegments: (contactId, options) =>
      readAll(async (after) =>
        readSegments(
          await request({
            method: 'GET',
            path: path`/contacts/${contactId}/segments`,
            query: page({ ...options, after }),
            ...call(options),
          }),
          PAGE_LIMIT,
        ),
      ),
    listContactTopics: (contactId, options) =>
      readAll(async (after) =>
        readTopics(
          await request({
            method: 'GET',
            path: path`/contacts/${contactId}/topics`,
            query: page({ ...options, after }),
            ...call(options),
          }),
          PAGE_LIMIT,
        ),
      ),
    setContactTopic: async (contactId, topicId, subscription, options) => {
      await request({
        method: 'PATCH',
        path: path`/contacts/${contactId}/topics`,
        body: [{ id: topicId, subscription }],
        ...call(options),
      })
    },
    listReceivedEmails: async (options) =>
      readReceivedEmails(
        await request({ method: 'GET', path: path`/emails/receiving`, query: page(options), ...call(options) }),
        options.limit ?? PAGE_LIMIT,
      ),
    getReceivedEmail: async (id, options) =>
      readReceivedEmail(
        await request({
          method: 'GET',
          path: path`/emails/receiving/${id}`,
          // Its pictures apart, to be fetched where they are shown: else they come within the HTML (platform facts 7).
          query: { html_format: 'cid' },
          ...call(options),
        }),
      ),
    listSentEmails: async (options) =>
      readSentEmails(
        await request({ method: 'GET', path: path`/emails`, query: page(options), ...call(options) }),
        options.limit ?? PAGE_LIMIT,
      ),
    getSentEmail: async (id, options) =>
      readSentEmail(await request({ method: 'GET', path: path`/emails/${id}`, ...call(options) })),
    getAttachment: async (kind, emailId, attachmentId, options) => {
      const where =
        kind === 'received'
          ? path`/emails/receiving/${emailId}/attachments/${attachmentId}`
          : path`/emails/${emailId}/attachments/${attachmentId}`
      return readAttachment(await request({ method: 'GET', path: where, ...call(options) }))
    },
    listAttachments: (kind, emailId, options) =>
      readAll(async (after) =>
        readAttachments(
          await request({
            method: 'GET',
            path:
              kind === 'received'
                ? path`/emails/receiving/${emailId}/attachments`
                : path`/emails/${emailId}/attachments`,
            query: page({ ...options, after }),
            ...call(options),
          }),
          PAGE_LIMIT,
        ),
      ),
    reply: async ({ inboxId, threadId, emailId }, reply, files, options) =>
      readSentId(
        await request({
          method: 'POST',
          path: path`/inboxes/${inboxId}/threads/${threadId}/emails/${emailId}/reply`,
          body: replyBody(reply),
          files,
          ...send(options),
        }),
      ),
    forward: async ({ inboxId, threadId, emailId }, forward, files, options) =>
      readSentId(
        await request({
          method: 'POST',
          path: path`/inboxes/${inboxId}/threads/${threadId}/emails/${emailId}/forward`,
          body: forwardBody(forward),
          files,
          ...send(options),
        }),
      ),
    sendEmail: async (email, files, options) =>
      readSentId(
        await request({ method: 'POST', path: path`/emails`, body: emailBody(email), files, ...send(options) }),
      ),
    createDraft: async (inboxId, draft, answers, files, options) =>
      readMadeDraft(
        await request({
          method: 'POST',
          path: path`/inboxes/${inboxId}/drafts`,
          body: {
            ...draftBody(draft),
            ...(answers !== null && { thread_id: answers.threadId, reply_to_email_id: answers.emailId }),
          },
          files,
          ...send(options),
        }),
      ),
    updateDraft: async (inboxId, draftId, draft, files, options) => {
      await request({
        method: 'PATCH',
        path: path`/inboxes/${inboxId}/drafts/${draftId}`,
        body: { ...draftBody(draft), ...(files?.length === 0 && { attachments: [] }) },
        files: files ?? [],
        ...call(options),
      })
    },
    listDrafts: async (inboxId, options) =>
      readDrafts(
        await request({
          method: 'GET',
          path: path`/inboxes/${inboxId}/drafts`,
          query: page(options),
          ...call(options),
        }),
        options.limit ?? PAGE_LIMIT,
      ),
    getDraft: async (inboxId, draftId, options) =>
      readDraft(await request({ method: 'GET', path: path`/inboxes/${inboxId}/drafts/${draftId}`, ...call(options) })),
    deleteDraft: async (inboxId, draftId, options) => {
      await request({ method: 'DELETE', path: path`/inboxes/${inboxId}/drafts/${draftId}`, ...call(options) })
    },
    sendDraft: async (inboxId, draftId, options) =>
      readSentId(
        await request({
          method: 'POST',
          path: path`/inboxes/${inboxId}/drafts/${draftId}/send`,
          body: {},
          ...send(options),
        }),
      ),
    rescheduleEmail: async (emailId, scheduledAt, options) => {
      const body = { scheduled_at: new Date(scheduledAt).toISOString() }
      await request({ method: 'PATCH', path: path`/emails/${emailId}`, body, ...call(options) })
    },
    cancelEmail: async (emailId, options) => {
      await request({ method: 'POST', path: path`/emails/${emailId}/cancel`, body: {}, ...call(options) })
    },
  }
}
