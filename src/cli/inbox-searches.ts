import { openAccountReader, type AccountReader } from '../engine/files/account-reader.ts'
import type { Inbox } from '../shared/model.ts'
import { describeSearchFault } from '../shared/search/describe-search-fault.ts'
import { parseSearch, type ParsedSearch } from '../shared/search/parse-search.ts'
import { stripControlCharacters } from './safe-text.ts'
import type { LocalAccount } from './local-accounts.ts'
import { CommandError, EXIT } from './terminal.ts'

/** Opens an account's stored mail for the duration of `work`. @throws the errors of `openAccountReader` */
export const readAccount = <Value>(
  { directory }: Pick<LocalAccount, 'directory'>,
  work: (reader: AccountReader) => Value,
): Value => {
  const reader = openAccountReader(directory)
  try {
    return work(reader)
  } finally {
    reader.close()
  }
}

export const getSearchClock = () => ({ now: Date.now(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone })

/** Shows each fault of a search below the text that caused it. */
export const toSearchError = ({ text, faults }: ParsedSearch): CommandError => {
  const line = text.replace(/\s/gu, ' ')
  const details = faults.flatMap((fault) => {
    const { start, end } = fault.span
    const before = Array.from(stripControlCharacters(line.slice(0, start))).length
    const marked = Math.max(1, Array.from(stripControlCharacters(line.slice(start, end))).length)
    return [`  ${line}`, `  ${' '.repeat(before)}${'^'.repeat(marked)}`, `  ${describeSearchFault(fault)}`]
  })
  return new CommandError('This search has a mistake:', EXIT.usage, details)
}

/** Matches an inbox by its address or ID. */
export const matchesInbox = ({ id, emailAddress }: Inbox, typed: string): boolean =>
  id === typed || emailAddress.toLowerCase() === typed.toLowerCase()

export const createInboxNotFoundError = (typed: string): CommandError =>
  new CommandError(`There is no inbox “${typed}” here. Run “linnet accounts” to see all inboxes.`, EXIT.nothing)

export interface InboxSearch {
  readonly inbox: Inbox
  readonly search: ParsedSearch
}

/** Parses the search per inbox, skipping inboxes that lack its labels. @throws CommandError if invalid for all */
export const parseInboxSearches = (
  reader: Pick<AccountReader, 'inboxes' | 'searchLabels'>,
  text: string,
  wanted: string | undefined,
): readonly InboxSearch[] => {
  const inboxes = reader.inboxes().filter((inbox) => wanted === undefined || matchesInbox(inbox, wanted))
  const parsed = inboxes.map((inbox) => ({
    inbox,
    search: parseSearch(text, { ...getSearchClock(), labels: reader.searchLabels(inbox.id) }),
  }))
  const sound = parsed.filter(({ search }) => search.faults.length === 0)
  const [faulty] = parsed
  if (faulty !== undefined && sound.length === 0) throw toSearchError(faulty.search)
  return sound
}
