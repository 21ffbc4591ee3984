import { SvelteMap } from 'svelte/reactivity'
import type { AccountsState, CommandInput, ConnectedAccount, RestoredAccount } from '../../shared/contract.ts'
import type { Account, Inbox } from '../../shared/model.ts'
import type { Problem, Result } from '../../shared/result.ts'
import { ALL_INBOXES, parseUnifiedThreadId } from '../../shared/unified-ids.ts'
import type { Backend } from './backend.ts'
import type { PreferencesManager } from './preferences-manager.svelte.ts'
import type { Route } from './route.ts'
import type { RouteManager } from './route-manager.svelte.ts'
import { SyncManager } from './sync-manager.svelte.ts'

/** State of an open account that every window tracks, displayed or not: inboxes and sync. */
class AccountWatch {
  readonly sync: SyncManager
  readonly #backend: Backend
  readonly #ending = new AbortController()
  /** In the platform's order; empty until loaded. */
  inboxes = $state.raw<readonly Inbox[]>([])

  constructor(id: string, backend: Backend) {
    const { signal } = this.#ending
    this.#backend = backend.of(id).until(signal)
    this.sync = new SyncManager(this.#backend, signal)
    this.#backend.on('inboxes.changed', () => void this.#loadInboxes())
  }

  get unread(): number {
    return this.inboxes.reduce((sum, { unread }) => sum + unread, 0)
  }

  async load(): Promise<void> {
    await Promise.all([this.sync.load(), this.#loadInboxes()])
  }

  end(): void {
    this.#ending.abort()
  }

  async #loadInboxes(): Promise<void> {
    const result = await this.#backend.call('inbox.list', {})
    if (result.ok) this.inboxes = result.data.inboxes
  }
}

type AccountChange = `account.${'cancelTest' | 'change' | 'disconnect' | 'move' | 'remove'}`

export interface AccountInbox {
  readonly account: ConnectedAccount
  readonly inbox: Inbox
}

/** The accounts on this computer, the one in this window, and the ways to add one. Never contains an API key. */
export class AccountManager {
  readonly #backend: Backend
  readonly #route: RouteManager
  readonly #preferences: PreferencesManager
  /** Null until the host responds. */
  state = $state.raw<AccountsState | null>(null)
  problem = $state.raw<Problem | null>(null)
  #last = $state<string | null>(null)
  readonly #watched = new SvelteMap<string, AccountWatch>()
  keyDialogAccountId = $state<string | null>(null)
  isAdding = $state(false)

  constructor(backend: Backend, route: RouteManager, preferences: PreferencesManager) {
    this.#backend = backend
    this.#route = route
    this.#preferences = preferences
    // Read only once: each window then has its own value, regardless of what other windows show.
    this.#last = preferences.values.lastAccount
    backend.on('account.changed', (state) => this.#applyState(state))
  }

  /** Connected accounts in the user's order. */
  get all(): readonly ConnectedAccount[] {
    return this.state?.accounts ?? []
  }

  /** Inboxes of all open accounts: accounts in the user's order, inboxes in the platform's. */
  get inboxes(): readonly AccountInbox[] {
    return this.all.flatMap((account) =>
      (this.watch(account.id)?.inboxes ?? []).map((inbox): AccountInbox => ({ account, inbox })),
    )
  }

  get unread(): number {
    return this.inboxes.reduce((sum, { inbox }) => sum + inbox.unread, 0)
  }

  /** Unread threads in the inbox lists, which may exclude local-only mail. */
  get unreadListed(): number {
    const excludesLocalOnly = this.#preferences.values.keptInLists === 'only-here'
    return this.inboxes.reduce(
      (sum, { inbox }) => sum + inbox.unread - (excludesLocalOnly ? (inbox.unreadLocalOnly ?? 0) : 0),
      0,
    )
  }

  /** Accounts whose mail can be read. */
  get opened(): readonly ConnectedAccount[] {
    return this.all.filter(({ isOpen }) => isOpen)
  }

  /** True if there is something to combine: several accounts or inboxes. */
  get hasSeveral(): boolean {
    return this.opened.length > 0 && (this.all.length > 1 || this.inboxes.length > 1)
  }

  get isAllInboxes(): boolean {
    const [only] = this.opened
    if (only === undefined) return false
    // Until the inboxes are loaded, their number is unknown.
    const hasOne = this.all.length === 1 && this.watch(only.id)?.inboxes.length === 1
    if (hasOne) return false
    const named = this.#route.accountId
    return named === null
      ? this.#last === ALL_INBOXES && !this.all.some(({ isFromEnvironment }) => isFromEnvironment)
      : named === ALL_INBOXES
  }

  /** Account ID or `ALL_INBOXES`; null if there is none. */
  get shownId(): string | null {
    return this.isAllInboxes ? ALL_INBOXES : (this.shown?.id ?? null)
  }

  find(accountId: string): ConnectedAccount | undefined {
    return this.all.find(({ id }) => id === accountId)
  }

  /** Inbox of a thread in all inboxes; null if it isn't open. */
  placeOf(threadId: string): AccountInbox | null {
    const at = parseUnifiedThreadId(threadId)
    return this.inboxes.find(({ account, inbox }) => account.id === at?.accountId && inbox.id === at.inboxId) ?? null
  }

  /** Undefined if the account is not open. */
  watch(accountId: string): AccountWatch | undefined {
    return this.#watched.get(accountId)
  }

  /**
   * The window's account: the one in its address, else the one passed from outside, else the last used, else the first
   * open, else any connected. Undefined if there is none, or if all are combined.
   */
  get shown(): ConnectedAccount | undefined {
    if (this.isAllInboxes) return undefined
    const given = this.all.find(({ isFromEnvironment }) => isFromEnvironment)?.id ?? null
    const wanted = [this.#route.accountId, given, this.#last].flatMap((id) =>
      id === null ? [] : (this.find(id) ?? []),
    )
    return wanted[0] ?? this.all.find(({ isOpen }) => isOpen) ?? this.all[0]
  }

  /** Switches to an account, or to all inboxes (`ALL_INBOXES`). @param route the list to show */
  show(accountId: string, route: Route = { view: 'start' }): void {
    const { shownId } = this
    if (shownId === accountId) {
      if (route.view !== 'start') this.#route.go(route)
      return
    }
    // "Back" must lead to the previous account.
    if (shownId !== null) this.#route.replace(this.#route.current, shownId)
    this.#route.go(route, accountId)
    this.visit(accountId)
  }

  /** Remembers the account for the next window. */
  visit(accountId: string): void {
    if (accountId === this.#last) return
    this.#last = accountId
    void this.#preferences.choose({ lastAccount: accountId })
  }

  /** Opens or closes the dialog that adds an account. */
  askToAdd(isAdding: boolean): void {
    this.isAdding = isAdding
  }

  /** Opens the dialog for an account's key, or closes it with null. */
  askForKey(accountId: string | null): void {
    this.keyDialogAccountId = accountId
  }

  async load(): Promise<void> {
    const result = await this.#backend.call('account.state', {})
    if (result.ok) this.#applyState(result.data)
    this.problem = result.ok ? null : result.error
    await Promise.all([...this.#watched.values()].map((watch) => watch.load()))
  }

  /** @returns the problem; null if the account is open or `state.question` needs an answer first */
  async connect(baseUrl: string, apiKey: string): Promise<Problem | null> {
    return this.#opened(await this.#backend.call('account.connect', { baseUrl, apiKey }))
  }

  /**
   * Signs in through the browser.
   * @param accountId for signing in again; undefined for a new account
   * @param open opens the page in the browser
   * @returns the problem; null if the account is open or `state.question` needs an answer first
   */
  async signIn(baseUrl: string, accountId: string | undefined, open: (url: string) => void): Promise<Problem | null> {
    const begun = await this.#backend.call('account.beginSignIn', { baseUrl })
    if (!begun.ok) return begun.error
    const { url } = begun.data
    open(url)
    return this.#opened(
      await this.#backend.call('account.finishSignIn', accountId === undefined ? { url } : { accountId, url }),
    )
  }

  /** Answers `state.question`. @returns the problem, or null */
  async decide(answer: CommandInput<'account.decide'>): Promise<Problem | null> {
    return this.#opened(await this.#backend.call('account.decide', answer))
  }

  async open(accountId: string): Promise<Problem | null> {
    return this.#opened(await this.#backend.call('account.open', { accountId }))
  }

  /** Creates an account from a backup and opens it. */
  async restore(folder: string): Promise<Result<RestoredAccount>> {
    const result = await this.#backend.call('backup.restore', { folder })
    await this.#opened(result)
    return result
  }

  async startDemo(): Promise<Problem | null> {
    return this.#opened(await this.#backend.call('account.startDemo', {}))
  }

  /** Changes accounts without opening one. @returns the problem, or null */
  async change<Name extends AccountChange>(name: Name, input: CommandInput<Name>): Promise<Problem | null> {
    const result = await this.#backend.call(name, input)
    return result.ok ? null : result.error
  }

  /** Reloads the accounts and shows the one that the user has just opened. */
  async #opened(result: Result<Account | null>): Promise<Problem | null> {
    if (!result.ok) return result.error
    await this.load()
    if (result.data !== null) this.show(result.data.id)
    return null
  }

  #applyState(state: AccountsState): void {
    this.state = state
    const open = state.accounts.flatMap(({ id, isOpen }) => (isOpen ? [id] : []))
    for (const [id, watch] of this.#watched) {
      if (open.includes(id)) continue
      this.#watched.delete(id)
      watch.end()
    }
    for (const id of open) {
      if (this.#watched.has(id)) continue
      const watch = new AccountWatch(id, this.#backend)
      this.#watched.set(id, watch)
      void watch.load()
    }
  }
}
