/** Tools for assistants to find mail: by search, or list by list. */
import { z } from 'zod'
import type { MatchedThread } from '../../engine/files/account-reader.ts'
import { EMAIL_LISTS, type EmailList } from '../../shared/email-query.ts'
import { FOLDERS, type Folder } from '../../shared/model.ts'
import { explainSearch } from '../../shared/search/explain-search.ts'
import { parseSearch, type ParsedSearch, type SearchContext } from '../../shared/search/parse-search.ts'
import { NO_FILTER, resolveQueryFolders, type ThreadFilter } from '../../shared/thread-query.ts'
import { getSearchClock, parseInboxSearches, toSearchError } from '../inbox-searches.ts'
import { toListedEmailResult, toThreadResult } from './answers.ts'
import {
  accountsWithList,
  selectInboxes,
  resolveLabelId,
  selectAccountMail,
  createRefusedProblem,
  createInputProblem,
  type InboxSummary,
  type ReadableMail,
} from './readable-mail.ts'
import { createToolResult, defineTool, INPUT_SCHEMAS, formatCount, type ToolResult, type Tool } from './tool.ts'

/** Maximum threads to scan when many matches are in inaccessible folders. */
const MAX_SCANNED_THREADS = 5_000

const LANGUAGE =
  'All words must be in one message; "quotes" make a phrase, a minus excludes a word. Operators: from: to: cc: subject: in:FOLDER label:NAME is:unread is:starred is:person is:newsletter is:robot has:attachment after:2026-05-01 before:yesterday newer_than:7d; any one of several values: from:(ann, bob). Spam and trash are searched only with in:.'

interface Found {
  readonly inbox: InboxSummary
  readonly thread: MatchedThread
}

interface FoundThreads {
  readonly threads: readonly Found[]
  readonly hasMore: boolean
  /** Notes on what the search did not cover. */
  readonly notes: readonly string[]
}

/** An inbox's matching threads in accessible folders, latest first. */
const findThreads = (inbox: InboxSummary, filter: ThreadFilter, wanted: number): FoundThreads => {
  const { mail, folders: on } = inbox
  const asked = resolveQueryFolders(filter)
  const folders = asked.filter((folder) => on.includes(folder))
  const off = asked.filter((folder) => !on.includes(folder))
  const address = inbox.inbox.emailAddress
  if (folders.length === 0) {
    throw createRefusedProblem(
      `Not turned on for assistants in ${address}: ${asked.map((folder) => `“${folder}”`).join(', ')}.`,
    )
  }
  // A thread found through a sent message may belong to an inaccessible folder: keep searching until there are enough.
  for (let limit = wanted; ; limit *= 4) {
    const { threads, hasMore, extent } = mail.reader.searchThreads(inbox.inbox.id, { ...filter, folders }, limit)
    const readable = threads.filter((thread) => mail.isOn(thread))
    if (hasMore && readable.length < wanted && limit < MAX_SCANNED_THREADS) continue
    return {
      threads: readable.slice(0, wanted).map((thread) => ({ inbox, thread })),
      hasMore: hasMore || readable.length > wanted,
      notes: [
        ...(off.length > 0 ? [`${address}: ${off.join(', ')} not searched (not turned on for assistants).`] : []),
        ...(extent !== null && extent.emails < extent.of
          ? [`${address}: ${extent.emails} of ${extent.of} messages are on this computer and were searched.`]
          : []),
      ],
    }
  }
}

/** Merges several inboxes' threads, latest first. */
const mergeThreads = (answers: readonly FoundThreads[], { limit, offset }: ResultRange): FoundThreads => {
  const all = answers.flatMap(({ threads }) => threads).toSorted((a, b) => b.thread.receivedAt - a.thread.receivedAt)
  return {
    threads: all.slice(offset, offset + limit),
    hasMore: all.length > offset + limit || answers.some(({ hasMore }) => hasMore),
    notes: answers.flatMap(({ notes }) => notes),
  }
}

interface ResultRange {
  readonly limit: number
  readonly offset: number
}

const threadsAnswer = ({ threads, hasMore, notes }: FoundThreads, beside: Readonly<Record<string, unknown>>) => ({
  threads: threads.map(({ inbox, thread }) => toThreadResult(inbox.mail, thread)),
  hasMore,
  ...(notes.length > 0 && { notes }),
  ...beside,
})

/** Explains how a search was understood. Parts without typed text were added by Linnet. */
const describeSearch = (search: ParsedSearch, context: SearchContext) => {
  const { parameters, leftOut } = explainSearch(search, context)
  return {
    parts: parameters.map(({ typed, label, name, value, rule }) => ({
      ...(typed !== '' && { typed }),
      means: value === null ? label : `${name ?? label}: ${value}`,
      rule,
    })),
    ...(leftOut.length > 0 && { leftOut }),
  }
}

/** Runs the work for each inbox and ignores failures, unless all fail: then throws the first. */
const collectSuccesses = <Value>(works: readonly (() => Value)[]): readonly Value[] => {
  const answers: Value[] = []
  const refusals: unknown[] = []
  for (const work of works) {
    try {
      answers.push(work())
    } catch (thrown) {
      refusals.push(thrown)
    }
  }
  if (answers.length === 0) throw refusals[0]
  return answers
}

interface SearchInput extends ResultRange {
  readonly query: string
  readonly account?: string | undefined
  readonly inbox?: string | undefined
  readonly explain: boolean
}

const searchThreads = (mails: readonly ReadableMail[], input: SearchInput): ToolResult => {
  const inboxes = selectInboxes(selectAccountMail(mails, input.account), input.inbox)
  const searches = [...new Set(inboxes.map(({ mail }) => mail))].flatMap((mail) => {
    const own = inboxes.filter((each) => each.mail === mail)
    const searchLabels = (id: string) => mail.reader.searchLabels(id)
    const reader = { inboxes: () => own.map(({ inbox }) => inbox), searchLabels }
    return parseInboxSearches(reader, input.query, undefined).flatMap(({ inbox, search }) => {
      const readable = own.find((each) => each.inbox === inbox)
      return readable === undefined ? [] : [{ readable, search }]
    })
  })
  const wanted = input.offset + input.limit
  const found = mergeThreads(
    collectSuccesses(
      searches.map(
        ({ readable, search }) =>
          () =>
            findThreads(readable, search.filter, wanted),
      ),
    ),
    input,
  )
  const [first] = searches
  const understood =
    input.explain && first !== undefined
      ? {
          understood: describeSearch(first.search, {
            ...getSearchClock(),
            labels: first.readable.mail.reader.labels(first.readable.inbox.id),
          }),
        }
      : {}
  return createToolResult(
    threadsAnswer(found, understood),
    formatCount(found.threads.length, 'thread'),
    inboxes.map(({ mail }) => mail),
  )
}

const searchList = async (mails: readonly ReadableMail[], list: EmailList, input: SearchInput): Promise<ToolResult> => {
  const { query, account, limit, offset, explain, inbox } = input
  if (inbox !== undefined)
    throw createInputProblem('All received and All sent belong to an account. Leave out “inbox”.')
  const open = accountsWithList(mails, account, list)
  const context: SearchContext = { ...getSearchClock(), labels: [], list }
  const search = parseSearch(query, context)
  if (search.faults.length > 0) throw toSearchError(search)
  const answers = await Promise.all(
    open.map(async (mail) => ({ mail, ...(await mail.reader.searchEmails(list, search.filter, offset + limit)) })),
  )
  const all = answers
    .flatMap(({ mail, items }) => items.map((email) => ({ mail, email })))
    .toSorted((a, b) => b.email.createdAt - a.email.createdAt)
  const messages = all
    .slice(offset, offset + limit)
    .map(({ mail, email }) =>
      toListedEmailResult(mail, { kind: list, email } as Parameters<typeof toListedEmailResult>[1]),
    )
  const data = {
    messages,
    hasMore: all.length > offset + limit || answers.some(({ hasMore }) => hasMore),
    ...(explain && { understood: describeSearch(search, context) }),
  }
  return createToolResult(data, formatCount(messages.length, 'message'), open)
}

export const searchMailTool = defineTool(
  {
    name: 'search_mail',
    title: 'Search mail',
    description: `Searches the mail on this computer, newest first. ${LANGUAGE}`,
    input: {
      query: z.string().max(2_000).describe('The search, in Linnet’s search language.'),
      list: z
        .enum(['threads', ...EMAIL_LISTS])
        .default('threads')
        .describe('Threads in inboxes, or messages in All received or All sent.'),
      account: INPUT_SCHEMAS.account,
      inbox: INPUT_SCHEMAS.inbox,
      limit: INPUT_SCHEMAS.limit,
      offset: INPUT_SCHEMAS.offset,
      explain: z.boolean().default(false).describe('Explain how each part of the search was understood.'),
    },
    isReading: true,
  },
  ({ list, ...input }, { mails }) =>
    list === 'threads' ? searchThreads(mails, input) : searchList(mails, list, input),
)

export const listThreadsTool = defineTool(
  {
    name: 'list_threads',
    title: 'List threads',
    description: 'Threads of a folder or label, newest first.',
    input: {
      folder: z.enum(FOLDERS).optional().describe('Default: inbox; with a label, all folders except spam and trash.'),
      label: z.string().min(1).max(200).optional().describe('The name of a label.'),
      unread: z.boolean().optional().describe('true: only unread threads; false: only read ones.'),
      account: INPUT_SCHEMAS.account,
      inbox: INPUT_SCHEMAS.inbox,
      limit: INPUT_SCHEMAS.limit,
      offset: INPUT_SCHEMAS.offset,
    },
    isReading: true,
  },
  ({ folder, label, unread, account, inbox, ...window }, { mails }) => {
    const inboxes = selectInboxes(selectAccountMail(mails, account), inbox)
    const folders: readonly Folder[] | null = folder === undefined ? (label === undefined ? ['inbox'] : null) : [folder]
    const found = mergeThreads(
      collectSuccesses(
        inboxes.map((each) => () => {
          const filter: ThreadFilter = {
            ...{ ...NO_FILTER, folders, read: unread === undefined ? null : !unread },
            labelIds: label === undefined ? [] : [resolveLabelId(each.mail, each.inbox.id, label)],
          }
          return findThreads(each, filter, window.offset + window.limit)
        }),
      ),
      window,
    )
    return createToolResult(
      threadsAnswer(found, {}),
      formatCount(found.threads.length, 'thread'),
      inboxes.map(({ mail }) => mail),
    )
  },
)

export const SEARCHING_TOOLS: readonly Tool[] = [searchMailTool, listThreadsTool]
