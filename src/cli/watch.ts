import type { LinnetEvent } from '../shared/contract.ts'
import type { LocalAccount } from './local-accounts.ts'
import { openWritableAccount, type WritableAccount } from './writable-account.ts'
import { matchesInbox, createInboxNotFoundError, readAccount, parseInboxSearches } from './inbox-searches.ts'
import { runInterruptible } from './interruption.ts'
import { toSafeJson } from './safe-text.ts'
import { toThreadLine } from './json-mail.ts'
import { toResultRow, formatResultRows } from './search.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

export interface WatchOptions {
  readonly text: string
  readonly inbox: string | undefined
  readonly isJson: boolean
}

/** Threads to check after a change, newest first; new matches are among them. */
const MAX_CHECKED_THREADS = 500
/** Changes come in bursts; handle them together. */
const DEBOUNCE_MS = 200
/** Number of matches to remember. Older matches are no longer among the newest threads. */
const MAX_SEEN = 20_000

const CHANGES: ReadonlySet<LinnetEvent['name']> = new Set<LinnetEvent['name']>(['threads.changed', 'mail.arrived'])

class Matches {
  readonly #account: LocalAccount
  readonly #options: WatchOptions
  readonly #seen = new Set<string>()

  constructor(account: LocalAccount, options: WatchOptions) {
    this.#account = account
    this.#options = options
  }

  /** New matches, oldest first. @throws CommandError if the search has a mistake, or the inbox is unknown */
  next() {
    const { text, inbox: wanted } = this.#options
    const found = readAccount(this.#account, (reader) =>
      parseInboxSearches(reader, text, wanted).flatMap(({ inbox, search }) =>
        reader.searchThreads(inbox.id, search.filter, MAX_CHECKED_THREADS).threads.map((thread) => ({ inbox, thread })),
      ),
    )
    // A later matching message in the same thread is a new match.
    const isNew = ({ thread }: (typeof found)[number]): boolean => {
      const key = `${thread.id} ${thread.matchedEmailId ?? thread.receivedAt}`
      const isThere = this.#seen.has(key)
      this.#seen.add(key)
      return !isThere
    }
    const next = found.filter(isNew).toSorted((one, other) => one.thread.receivedAt - other.thread.receivedAt)
    for (const key of [...this.#seen].slice(0, Math.max(0, this.#seen.size - MAX_SEEN))) this.#seen.delete(key)
    return next
  }
}

const checkInbox = (accounts: readonly LocalAccount[], wanted: string | undefined): void => {
  if (wanted === undefined) return
  const isHere = accounts.some((account) =>
    readAccount(account, (reader) => reader.inboxes().some((inbox) => matchesInbox(inbox, wanted))),
  )
  if (!isHere) throw createInboxNotFoundError(wanted)
}

/** Prints new matches until the signal is aborted. @returns the exit code */
const printMatches = async (
  opened: readonly { readonly account: LocalAccount; readonly mail: WritableAccount }[],
  options: WatchOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> => {
  const ended = Promise.withResolvers<ExitCode>()
  for (const { account, mail } of opened) {
    const matches = new Matches(account, options)
    matches.next()
    const look = (): void => {
      try {
        for (const { inbox, thread } of matches.next()) {
          const lines = options.isJson
            ? [toSafeJson(toThreadLine(account, inbox.emailAddress, thread))]
            : formatResultRows([toResultRow(thread)], terminal.columns)
          for (const line of lines) terminal.print(line)
        }
        if (terminal.isOver) ended.resolve(EXIT.done)
      } catch (thrown) {
        ended.reject(thrown)
      }
    }
    let timer: NodeJS.Timeout | null = null
    mail.listen(({ name }) => {
      if (!CHANGES.has(name) || timer !== null) return
      timer = setTimeout(() => {
        timer = null
        look()
      }, DEBOUNCE_MS)
    })
    void mail.lost.then(() => ended.reject(new CommandError('Linnet was closed.', EXIT.failed)))
  }
  // Printed only after the existing matches are recorded, so that everything from here on counts as new.
  terminal.note('Watching. Press Ctrl+C to stop.')
  signal.addEventListener('abort', () => ended.resolve(EXIT.interrupted))
  return ended.promise
}

/** `linnet watch`: prints a line for each new match of a search. */
export const watchSearch = async (
  accounts: readonly LocalAccount[],
  options: WatchOptions,
  terminal: Terminal,
): Promise<ExitCode> => {
  checkInbox(accounts, options.inbox)
  const opened: { account: LocalAccount; mail: WritableAccount }[] = []
  try {
    for (const account of accounts) {
      const mail = await openWritableAccount(account, terminal)
      opened.push({ account, mail })
      if (!mail.isRunning && !mail.sends) {
        const message =
          'Linnet is not running, so no new mail will arrive. Start it, or set LINNET_BASE_URL and LINNET_API_KEY.'
        throw new CommandError(message, EXIT.failed)
      }
    }
    return await runInterruptible(({ signal }) => printMatches(opened, options, terminal, signal))
  } finally {
    for (const { mail } of opened) await mail.close()
  }
}
