import { openAccountReader, type AccountReader, type MatchedThread } from '../engine/files/account-reader.ts'
import type { Inbox, Label } from '../shared/model.ts'
import { isNarrowing } from '../shared/search/rule-search.ts'
import type { ThreadQuery } from '../shared/thread-query.ts'
import type { LocalAccount } from './local-accounts.ts'
import { matchesInbox, createInboxNotFoundError, parseInboxSearches } from './inbox-searches.ts'
import { sanitizeLine } from './safe-text.ts'
import { CommandError, EXIT } from './terminal.ts'

export interface ChosenThreads {
  readonly account: LocalAccount
  readonly inbox: Inbox
  readonly labels: readonly Label[]
  /** The search that found them; null for threads named by ID. */
  readonly query: ThreadQuery | null
  /** Latest activity first. A search returns only as many as requested. */
  readonly threads: readonly MatchedThread[]
}

/** Typed IDs of threads or messages, or one search. */
export interface ThreadChoice {
  readonly words: readonly string[]
  /** True for another program's output, where a word that isn't an ID is never a search. */
  readonly areIds: boolean
  /** Address of the inbox to search; undefined for all. */
  readonly inbox: string | undefined
}

const MATCHES_ALL = 'This search matches all mail. Use in:anywhere if you mean everything. Nothing was changed.'

/** More threads than any inbox has. */
export const NO_THREAD_LIMIT = 10_000_000

const byId = (account: LocalAccount, reader: AccountReader, ids: readonly string[]) => {
  const found = ids.map((id) => {
    const item = reader.find(id)
    return item?.kind === 'thread' || item?.kind === 'email' ? item.thread : null
  })
  const threads = found.filter((thread) => thread !== null)
  const chosen = reader.inboxes().flatMap((inbox): ChosenThreads[] => {
    const own = [
      ...new Map(threads.filter(({ inboxId }) => inboxId === inbox.id).map((thread) => [thread.id, thread])).values(),
    ]
    if (own.length === 0) return []
    const labels = reader.labels(inbox.id)
    return [
      { account, inbox, labels, query: null, threads: own.map((thread) => ({ ...thread, matchedEmailId: null })) },
    ]
  })
  return { chosen, isFound: found.map((thread) => thread !== null) }
}

const bySearch = (
  account: LocalAccount,
  reader: AccountReader,
  { text, wanted, most }: { readonly text: string; readonly wanted: string | undefined; readonly most: number },
): readonly ChosenThreads[] =>
  parseInboxSearches(reader, text, wanted).flatMap(({ inbox, search }) => {
    if (!isNarrowing(search)) throw new CommandError(MATCHES_ALL, EXIT.usage)
    const { threads } = reader.searchThreads(inbox.id, search.filter, most)
    const query = { ...search.filter, inboxIds: [inbox.id] }
    return threads.length === 0 ? [] : [{ account, inbox, labels: reader.labels(inbox.id), query, threads }]
  })

/**
 * Resolves IDs, or runs one search. An unknown ID stops the command before its first change.
 * @param most maximum threads to read per inbox for a search; the change itself applies to all matches
 * @throws CommandError for a faulty search, an unknown ID, or no match
 */
export const resolveThreads = (
  accounts: readonly LocalAccount[],
  { words, areIds, inbox }: ThreadChoice,
  most: number,
): readonly ChosenThreads[] => {
  const readers = accounts.map((account) => ({ account, reader: openAccountReader(account.directory) }))
  try {
    if (
      inbox !== undefined &&
      !readers.some(({ reader }) => reader.inboxes().some((each) => matchesInbox(each, inbox)))
    )
      throw createInboxNotFoundError(inbox)
    const named = readers.map(({ account, reader }) => byId(account, reader, words))
    const missing = words.filter((_, place) => named.every(({ isFound }) => isFound[place] !== true))
    if (missing.length === 0) return named.flatMap(({ chosen }) => chosen)
    const [text = '', ...others] = words
    if (areIds || others.length > 0) {
      const shown = missing.slice(0, 5).map((id) => `  ${sanitizeLine(id)}`)
      const hint = areIds ? 'Nothing was changed' : 'If this is a search, put quotes around it'
      throw new CommandError(`${hint}. IDs not found on this computer:`, EXIT.nothing, shown)
    }
    const found = readers.flatMap(({ account, reader }) => bySearch(account, reader, { text, wanted: inbox, most }))
    if (found.length === 0)
      throw new CommandError('Nothing on this computer matches. Nothing was changed.', EXIT.nothing)
    return found
  } finally {
    for (const { reader } of readers) reader.close()
  }
}
