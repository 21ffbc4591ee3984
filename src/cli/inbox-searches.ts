import type { AccountReader } from '../engine/account-reader.ts'
import type { Inbox } from '../shared/model.ts'
import { describeSearchFault } from '../shared/search/describe-search-fault.ts'
import { parseSearch, type ParsedSearch } from '../shared/search/parse-search.ts'
import { withoutControls } from './safe-text.ts'
import { CommandError, EXIT } from './terminal.ts'

export const clock = () => ({ now: Date.now(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone })

/** What is wrong with a search, each fault below the words that it is about. */
export const searchFaultError = ({ text, faults }: ParsedSearch): CommandError => {
  const line = text.replace(/\s/gu, ' ')
  const details = faults.flatMap((fault) => {
    const { start, end } = fault.span
    const before = Array.from(withoutControls(line.slice(0, start))).length
    const marked = Math.max(1, Array.from(withoutControls(line.slice(start, end))).length)
    return [`  ${line}`, `  ${' '.repeat(before)}${'^'.repeat(marked)}`, `  ${describeSearchFault(fault)}`]
  })
  return new CommandError('This search has a mistake:', EXIT.usage, details)
}

/** Whether an inbox is the one that a person names: by its address or its ID. */
export const hasAddress = ({ id, emailAddress }: Inbox, typed: string): boolean =>
  id === typed || emailAddress.toLowerCase() === typed.toLowerCase()

export const noInbox = (typed: string): CommandError =>
  new CommandError(`There is no inbox “${typed}” here. Run accounts to see all inboxes.`, EXIT.nothing)

export interface InboxSearch {
  readonly inbox: Inbox
  readonly search: ParsedSearch
}

/**
 * A search for each inbox that can be searched for it: a label that one of them has and another has not is no fault of what
 * was typed.
 * @param wanted the one inbox that is searched; undefined for all @throws CommandError for a fault of the search itself
 */
export const searchesOf = (
  reader: Pick<AccountReader, 'inboxes' | 'labels'>,
  text: string,
  wanted: string | undefined,
): readonly InboxSearch[] => {
  const inboxes = reader.inboxes().filter((inbox) => wanted === undefined || hasAddress(inbox, wanted))
  const parsed = inboxes.map((inbox) => ({
    inbox,
    search: parseSearch(text, { ...clock(), labels: reader.labels(inbox.id) }),
  }))
  const sound = parsed.filter(({ search }) => search.faults.length === 0)
  const [faulty] = parsed
  if (faulty !== undefined && sound.length === 0) throw searchFaultError(faulty.search)
  return sound
}
