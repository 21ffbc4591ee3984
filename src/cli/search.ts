import { openAccountReader, type AccountReader } from '../engine/files/account-reader.ts'
import type { EmailList, SearchableList } from '../shared/email-query.ts'
import type { Thread } from '../shared/model.ts'
import { parseSearch } from '../shared/search/parse-search.ts'
import type { LocalAccount } from './local-accounts.ts'
import { toAccountEmailLine, toThreadLine } from './json-mail.ts'
import { fitToColumns, toSafeJson, sanitizeLine } from './safe-text.ts'
import {
  getSearchClock,
  matchesInbox,
  createInboxNotFoundError,
  parseInboxSearches,
  toSearchError,
} from './inbox-searches.ts'
import { EXIT, type ExitCode, type Terminal } from './terminal.ts'

export interface SearchOptions {
  readonly text: string
  readonly list: SearchableList
  readonly limit: number
  readonly isJson: boolean
  /** Address of the inbox to search; undefined for all. */
  readonly inbox: string | undefined
}

interface Found {
  readonly account: LocalAccount
  readonly inbox: string | null
  readonly time: number
  readonly isUnread: boolean
  /** The sender; for a sent e-mail, the recipients. */
  readonly who: string
  readonly subject: string | null
  readonly id: string
  readonly json: unknown
}

interface SearchAnswer {
  readonly found: readonly Found[]
  readonly hasMore: boolean
  readonly notes: readonly string[]
}

type Row = Pick<Found, 'id' | 'isUnread' | 'subject' | 'time' | 'who'>

export const toResultRow = ({ id, subject, from, read, receivedAt }: Thread): Row => ({
  ...{ id, subject, who: from ?? '', isUnread: !read, time: receivedAt },
})

const searchInboxes = (
  account: LocalAccount,
  reader: AccountReader,
  { text, limit, inbox: wanted }: SearchOptions,
): SearchAnswer => {
  const sound = parseInboxSearches(reader, text, wanted)
  const answers = sound.map(({ inbox, search }) => {
    const { threads, hasMore, extent } = reader.searchThreads(inbox.id, search.filter, limit)
    const isPart = extent !== null && extent.emails < extent.of
    return {
      hasMore,
      notes: isPart
        ? [`${inbox.emailAddress}: ${extent.emails} of ${extent.of} messages are on this computer and were searched.`]
        : [],
      found: threads.map((thread) => ({
        account,
        inbox: inbox.emailAddress,
        ...toResultRow(thread),
        json: toThreadLine(account, inbox.emailAddress, thread),
      })),
    }
  })
  return {
    found: answers.flatMap(({ found }) => found),
    hasMore: answers.some(({ hasMore }) => hasMore),
    notes: answers.flatMap(({ notes }) => notes),
  }
}

const searchList = async (
  account: LocalAccount,
  reader: AccountReader,
  list: EmailList,
  { text, limit }: SearchOptions,
): Promise<SearchAnswer> => {
  const search = parseSearch(text, { ...getSearchClock(), labels: [], list })
  if (search.faults.length > 0) throw toSearchError(search)
  const { items, hasMore } = await reader.searchEmails(list, search.filter, limit)
  return {
    hasMore,
    notes: [],
    found: items.map((email) => ({
      account,
      inbox: null,
      time: email.createdAt,
      isUnread: false,
      who: list === 'sent' ? email.to.join(', ') : email.from,
      subject: email.subject,
      id: email.id,
      json: toAccountEmailLine(account, list, email),
    })),
  }
}

/** Local time, as `2026-05-01 10:00`. */
const dateOf = (time: number): string => {
  const at = new Date(time)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`
}

const WHO_COLUMNS = 24
/** Subject width when the line has no limit. */
const SUBJECT_COLUMNS = 60

/** One line per result: time, unread mark, sender, subject, and the ID for `show`. */
export const formatResultRows = (found: readonly Row[], columns: number | null): readonly string[] => {
  const idWidth = Math.max(0, ...found.map(({ id }) => sanitizeLine(id).length))
  const rest = columns === null ? SUBJECT_COLUMNS : Math.max(20, columns - (16 + 2 + 2 + WHO_COLUMNS + 2 + 2 + idWidth))
  return found.map(({ time, isUnread, who, subject, id }) =>
    [
      dateOf(time),
      `${isUnread ? '*' : ' '} ${fitToColumns(sanitizeLine(who), WHO_COLUMNS)}`,
      fitToColumns(sanitizeLine(subject ?? '') || '(no subject)', rest),
      sanitizeLine(id),
    ].join('  '),
  )
}

/** `linnet search`: prints matching local mail, newest first. */
export const searchMail = async (
  accounts: readonly LocalAccount[],
  options: SearchOptions,
  terminal: Terminal,
): Promise<ExitCode> => {
  const { list, limit, isJson, inbox } = options
  const answers: SearchAnswer[] = []
  for (const account of accounts) {
    const reader = openAccountReader(account.directory)
    try {
      if (inbox !== undefined && !reader.inboxes().some((each) => matchesInbox(each, inbox))) continue
      answers.push(
        list === 'threads' ? searchInboxes(account, reader, options) : await searchList(account, reader, list, options),
      )
    } finally {
      reader.close()
    }
  }
  if (inbox !== undefined && answers.length === 0) {
    throw createInboxNotFoundError(inbox)
  }
  const all = answers.flatMap(({ found }) => found).toSorted((a, b) => b.time - a.time)
  const found = all.slice(0, limit)
  for (const line of isJson ? found.map(({ json }) => toSafeJson(json)) : formatResultRows(found, terminal.columns))
    terminal.print(line)
  for (const note of answers.flatMap(({ notes }) => notes)) terminal.note(note)
  if (found.length === 0) {
    terminal.note('Nothing on this computer matches.')
    return EXIT.nothing
  }
  if (all.length > found.length || answers.some(({ hasMore }) => hasMore)) {
    terminal.note(`Showing the newest ${found.length}. Use --limit N to see more.`)
  }
  return EXIT.done
}
