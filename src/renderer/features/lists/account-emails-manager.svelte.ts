import { toEmailFilter, type EmailList, type EmailQuery } from '../../../shared/email-query.ts'
import type { CommandOutput } from '../../../shared/contract.ts'
import type {
  EmailPage,
  Label,
  ListedEmail,
  EmailSearchCoverage,
  ReceivedEmail,
  SentEmail,
} from '../../../shared/model.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import { toHighlightTerms, type HighlightTerms } from '../../../shared/search/highlight-terms.ts'
import { parseSearch } from '../../../shared/search/parse-search.ts'
import { withPrefixTerm } from '../../../shared/thread-query.ts'
import type { ThreadStateChange } from '../../../shared/thread-state.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { RowMail } from '../../kernel/screen.ts'
import { coalesceCalls } from '../../ui/coalesce-calls.ts'
import { ListCursor } from '../../ui/list-cursor.svelte.ts'
import { WindowedList } from '../../ui/windowed-list.svelte.ts'
import {
  NO_OPTIMISTIC_CHANGE,
  PendingChanges,
  type OptimisticChange,
  type ChangedThreads,
} from '../threads/pending-changes.svelte.ts'

export type AccountEmail = ListedEmail<ReceivedEmail | SentEmail>
export type OpenAccountEmail = CommandOutput<'receivedEmail.get' | 'sentEmail.get'>

type EmailRows = WindowedList<AccountEmail, EmailPage<ReceivedEmail | SentEmail>>

interface EmailSearch {
  readonly text: string
  /** True while the text is still being typed, so the last word is a prefix. */
  readonly isTyped: boolean
  /** Null if the search has a fault. */
  readonly query: EmailQuery | null
  readonly marks: HighlightTerms | null
  readonly rows: EmailRows
}

/** Page shown for a search with a fault. */
const EMPTY_PAGE: Result<EmailPage<never>> = {
  ok: true,
  data: { items: [], offset: 0, total: 0, hasMore: false, freshness: { state: 'live', at: null }, searched: null },
}

/** The account's received or sent e-mails, their search, and the open one. */
export class AccountEmailsManager {
  readonly cursor = new ListCursor<AccountEmail>()
  readonly #backend: Backend
  readonly #name: EmailList
  readonly #pending = new PendingChanges()
  readonly #allRows: EmailRows
  /** The displayed search. Null for the entire list. */
  search = $state.raw<EmailSearch | null>(null)
  /** Search that replaces the rows once loaded. */
  #next = $state.raw<EmailSearch | null>(null)
  #typed: string | null = null
  #id: string | null = null
  #isShown = false
  /** Null while loading. */
  email = $state.raw<OpenAccountEmail | null>(null)
  problem = $state.raw<Problem | null>(null)

  constructor(backend: Backend, name: EmailList) {
    this.#backend = backend
    this.#name = name
    this.#allRows = this.#rowsOf()
    const refresh = (): void => {
      for (const rows of [this.#allRows, this.search?.rows, this.#next?.rows]) rows?.refresh()
    }
    const refreshSoon = coalesceCalls(refresh)
    backend.on(`${name}Emails.changed`, refresh)
    backend.on('threads.changed', refreshSoon)
    backend.on('emails.changed', refreshSoon)
  }

  get list(): EmailRows {
    return this.search?.rows ?? this.#allRows
  }

  /** Folders searched. Null for the entire list, and until loaded. */
  get searched(): EmailSearchCoverage | null {
    return this.list.page?.searched ?? null
  }

  /** True if the latest search is still being typed. */
  get isTyped(): boolean {
    return this.#latest?.isTyped === true
  }

  /** True while the latest search is loading. */
  get isArriving(): boolean {
    return this.#next !== null
  }

  find(id: string): AccountEmail | OpenAccountEmail | null {
    return this.list.at(this.list.indexOf(id)) ?? (this.email?.id === id ? this.email : null)
  }

  /** Mail in the row with this ID (null: under the cursor), or null. Its thread includes pending changes. */
  mail(id: string | null): RowMail | null {
    const row = id === null ? this.cursor.row(this.list) : null
    const email = row ?? (id === null ? null : this.find(id))
    if (email === null) return null
    const { inThread, onServer } = email
    const drawn =
      inThread === null || inThread === 'unknown'
        ? inThread
        : { ...inThread, thread: this.#pending.withPending(inThread.thread) }
    return { inThread: drawn, email: { list: this.#name, id: email.id, onServer } }
  }

  /** Shows a change on the e-mails' threads before the engine responds. */
  draw(threads: ChangedThreads, change: ThreadStateChange, labels: readonly Label[]): OptimisticChange {
    return this.#isShown ? this.#pending.draw(threads, change, labels) : NO_OPTIMISTIC_CHANGE
  }

  /** Searches as the user types, without delay. The old rows stay until results arrive. */
  type(text: string): void {
    this.#typed = text
    this.#show(text)
  }

  /** Ends typing: the last word is complete. */
  ask(): void {
    this.#typed = null
    if (this.#latest !== null) this.#show(this.#latest.text)
  }

  /** Call when the view is displayed with this e-mail open. @param text search text, or null for the entire list */
  show(id: string | null, text: string | null = null): void {
    this.#isShown = true
    this.#show(text)
    if (id === this.#id) return
    this.#id = id
    this.email = null
    this.problem = null
    if (id !== null) void this.#read(id)
  }

  hide(): void {
    this.#isShown = false
    this.#typed = null
    this.#next = null
    this.list.close()
  }

  retry(): void {
    if (this.#id !== null) void this.#read(this.#id)
  }

  get #latest(): EmailSearch | null {
    return this.#next ?? this.search
  }

  #show(text: string | null): void {
    const isTyped = text !== null && text === this.#typed
    if (!isTyped) this.#typed = null
    if (text === null) {
      this.#replaceSearch(null)
      void this.#allRows.open()
      return
    }
    const known = [this.#next, this.search].find((each) => each?.text === text && each.isTyped === isTyped) ?? null
    if (known !== null) {
      if (known === this.search) this.#next = null
      void known.rows.open()
      return
    }
    const search = this.#searchFor(text, isTyped)
    // While typing, keep the old rows until the new ones arrive.
    if (isTyped || this.isTyped) {
      this.#next = search
      void search.rows.open().then(() => {
        if (this.#next === search) this.#replaceSearch(search)
      })
      return
    }
    this.#replaceSearch(search)
    void search.rows.open()
  }

  #replaceSearch(search: EmailSearch | null): void {
    this.#next = null
    if (search === this.search) return
    this.list.close()
    this.search = search
    this.cursor.moveTo(this.list, 0)
  }

  #searchFor(text: string, isTyped: boolean): EmailSearch {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    const parsed = parseSearch(text, { labels: [], now: Date.now(), timeZone, list: this.#name })
    if (parsed.faults.length > 0) {
      const rows: EmailRows = new WindowedList(() => Promise.resolve(EMPTY_PAGE))
      return { text, isTyped, query: null, marks: null, rows }
    }
    const query = withPrefixTerm(toEmailFilter(parsed.filter))
    const rows = this.#rowsOf({ query }, { before: this.list, isTransient: isTyped })
    return { text, isTyped, query, marks: toHighlightTerms(query), rows }
  }

  #rowsOf(
    search: { readonly query?: EmailQuery } = {},
    options: { readonly before?: EmailRows; readonly isTransient?: boolean } = {},
  ): EmailRows {
    return new WindowedList((window) => this.#backend.call(`${this.#name}Email.list`, { ...window, ...search }), {
      ...options,
      startRead: () => this.#pending.startRead(),
    })
  }

  async #read(id: string): Promise<void> {
    const result = await this.#backend.call(`${this.#name}Email.get`, { id })
    if (id !== this.#id) return
    if (result.ok) this.email = result.data
    this.problem = result.ok ? null : result.error
  }
}
