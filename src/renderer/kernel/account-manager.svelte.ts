import { SvelteMap } from 'svelte/reactivity'
import type {
  AccountsState,
  AccountUsage,
  CommandInput,
  ConnectedAccount,
  RestoredAccount,
} from '../../shared/contract.ts'
import type { Account, Inbox } from '../../shared/model.ts'
import type { Problem, Result } from '../../shared/result.ts'
import { AccountWatch } from './account-watch.svelte.ts'
import { ACROSS } from './across/across-ids.ts'
import type { Backend } from './backend.ts'
import type { PreferencesManager } from './preferences-manager.svelte.ts'
import type { Route } from './route.ts'
import type { RouteManager } from './route-manager.svelte.ts'

/** An inbox, and whose it is. */
export interface AccountInbox {
  readonly account: ConnectedAccount
  readonly inbox: Inbox
}

interface Watched {
  readonly watch: AccountWatch
  readonly ending: AbortController
}

/** The accounts of this computer, the one whose mail this window shows, and the ways to get one. Never holds an API key. */
export class AccountManager {
  readonly #backend: Backend
  readonly #route: RouteManager
  readonly #preferences: PreferencesManager
  #state = $state.raw<AccountsState | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #last = $state<string | null>(null)
  readonly #watched = new SvelteMap<string, Watched>()
  /** The account for which the dialog that asks for a key is there. */
  keyAskedOf = $state<string | null>(null)
  /** Whether the dialog that adds an account is there. */
  isAdding = $state(false)

  constructor(backend: Backend, route: RouteManager, preferences: PreferencesManager) {
    this.#backend = backend
    this.#route = route
    this.#preferences = preferences
    // Of this window alone from now on: what another one shows is its own.
    this.#last = preferences.values.lastAccount
    backend.on('account.changed', (state) => this.#take(state))
  }

  /** Null until the host has said it. */
  get state(): AccountsState | null {
    return this.#state
  }

  /** Why the host could not say whether there is an account. */
  get problem(): Problem | null {
    return this.#problem
  }

  /** Those that are connected, in the person's order. */
  get all(): readonly ConnectedAccount[] {
    return this.#state?.accounts ?? []
  }

  /** The inboxes of all accounts that are open: accounts in the person's order, the inboxes of each in its platform's. */
  get inboxes(): readonly AccountInbox[] {
    return this.all.flatMap((account) =>
      (this.watch(account.id)?.inboxes ?? []).map((inbox): AccountInbox => ({ account, inbox })),
    )
  }

  /** Unread threads in all of them. */
  get unread(): number {
    return this.inboxes.reduce((sum, { inbox }) => sum + inbox.unread, 0)
  }

  /** Of those, the threads that the inboxes list: what only this computer has may stand apart. */
  get unreadListed(): number {
    const isApart = this.#preferences.values.keptInLists === 'only-here'
    return this.inboxes.reduce((sum, { inbox }) => sum + inbox.unread - (isApart ? (inbox.unreadOnlyHere ?? 0) : 0), 0)
  }

  /** Those whose mail can be read. */
  get opened(): readonly ConnectedAccount[] {
    return this.all.filter(({ isOpen }) => isOpen)
  }

  /** Whether there is anything to show as one: several accounts, or several inboxes of one. */
  get hasSeveral(): boolean {
    return this.opened.length > 0 && (this.all.length > 1 || this.inboxes.length > 1)
  }

  /** Whether this window shows the inboxes of all accounts as one. */
  get isAcross(): boolean {
    const [only] = this.opened
    if (only === undefined) return false
    // Before its inboxes have been read nobody knows whether there are several.
    const hasOne = this.all.length === 1 && this.watch(only.id)?.inboxes.length === 1
    if (hasOne) return false
    const named = this.#route.accountId
    return named === null ? this.#last === ACROSS && !this.all.some(({ isGiven }) => isGiven) : named === ACROSS
  }

  /** What the window shows: an account, or `ACROSS`; null where there is none. */
  get shownId(): string | null {
    return this.isAcross ? ACROSS : (this.shown?.id ?? null)
  }

  find(accountId: string): ConnectedAccount | undefined {
    return this.all.find(({ id }) => id === accountId)
  }

  /** What is known of an open account; undefined for one that is not open. */
  watch(accountId: string): AccountWatch | undefined {
    return this.#watched.get(accountId)?.watch
  }

  /**
   * The account of this window, undefined where it shows all of them: the one that its address names, else the one that was given from outside, else that of the last visit, else the first that is open,
   * else one that is connected. Undefined where there is none.
   */
  get shown(): ConnectedAccount | undefined {
    if (this.isAcross) return undefined
    const given = this.all.find(({ isGiven }) => isGiven)?.id ?? null
    const wanted = [this.#route.accountId, given, this.#last].flatMap((id) =>
      id === null ? [] : (this.find(id) ?? []),
    )
    return wanted[0] ?? this.all.find(({ isOpen }) => isOpen) ?? this.all[0]
  }

  /** Shows the mail of an account, or of all of them (`ACROSS`): a list of it, else what it starts with. */
  show(accountId: string, route: Route = { view: 'start' }): void {
    const { shownId } = this
    if (shownId === accountId) {
      if (route.view !== 'start') this.#route.go(route)
      return
    }
    // The way back is to lead to the account that was shown until now.
    if (shownId !== null) this.#route.replace(this.#route.current, shownId)
    this.#route.go(route, accountId)
    this.visit(accountId)
  }

  /** The window shows this account: the next one begins with it. */
  visit(accountId: string): void {
    if (accountId === this.#last) return
    this.#last = accountId
    void this.#preferences.choose({ lastAccount: accountId })
  }

  async load(): Promise<void> {
    const result = await this.#backend.call('account.state', {})
    if (result.ok) this.#take(result.data)
    this.#problem = result.ok ? null : result.error
    await Promise.all([...this.#watched.values()].map(({ watch }) => watch.load()))
  }

  /** @returns the problem, or null where the account is open or `state.question` has to be answered first */
  async connect(baseUrl: string, apiKey: string): Promise<Problem | null> {
    return this.#opened(await this.#backend.call('account.connect', { baseUrl, apiKey }))
  }

  /**
   * Signs in by the person's browser.
   * @param accountId that they sign in to again; undefined for one that is new here
   * @param open has the browser open the page
   * @returns the problem, or null where the account is open or `state.question` has to be answered first
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

  /** Ends the test of a base URL and a key that is under way. @returns the problem, or null where it ends */
  async cancelTest(): Promise<Problem | null> {
    return this.#problemOf(await this.#backend.call('account.cancelTest', {}))
  }

  /** Gives an account another key. */
  async setKey(accountId: string, apiKey: string): Promise<Result<{ readonly isTried: boolean }>> {
    return this.#backend.call('account.setKey', { accountId, apiKey })
  }

  /** Answers `state.question`. @returns the problem, or null where the answer was carried out */
  async decide(answer: CommandInput<'account.decide'>): Promise<Problem | null> {
    return this.#opened(await this.#backend.call('account.decide', answer))
  }

  /** Opens an account whose mail is on this computer. @returns the problem, or null where it is open */
  async open(accountId: string): Promise<Problem | null> {
    return this.#opened(await this.#backend.call('account.open', { accountId }))
  }

  /** Makes an account of a backup, and opens it. */
  async restore(folder: string): Promise<Result<RestoredAccount>> {
    const result = await this.#backend.call('backup.restore', { folder })
    await this.#opened(result)
    return result
  }

  /** @returns the problem, or null where the demo is open */
  async startDemo(): Promise<Problem | null> {
    return this.#opened(await this.#backend.call('account.startDemo', {}))
  }

  /** Names an account, or gives it another colour. @returns the problem, or null where that is kept */
  async change(input: CommandInput<'account.change'>): Promise<Problem | null> {
    return this.#problemOf(await this.#backend.call('account.change', input))
  }

  /** Puts an account before another one, at the end for null. */
  async move(accountId: string, before: string | null): Promise<Problem | null> {
    return this.#problemOf(await this.#backend.call('account.move', { accountId, before }))
  }

  usage(accountId: string): Promise<Result<AccountUsage>> {
    return this.#backend.call('account.usage', { accountId })
  }

  /** Forgets the key; the mail stays. @returns the problem, or null where that is done */
  async disconnect(accountId: string): Promise<Problem | null> {
    return this.#problemOf(await this.#backend.call('account.disconnect', { accountId }))
  }

  /** Removes an account with its mail. @returns the problem, or null where that is done */
  async remove(accountId: string): Promise<Problem | null> {
    return this.#problemOf(await this.#backend.call('account.remove', { accountId }))
  }

  #problemOf(result: Result<unknown>): Problem | null {
    return result.ok ? null : result.error
  }

  /** What a person has just opened is what they want to see. */
  async #opened(result: Result<Account | null>): Promise<Problem | null> {
    if (!result.ok) return result.error
    await this.load()
    if (result.data !== null) this.show(result.data.id)
    return null
  }

  #take(state: AccountsState): void {
    this.#state = state
    const open = state.accounts.flatMap(({ id, isOpen }) => (isOpen ? [id] : []))
    for (const [id, { ending }] of this.#watched) {
      if (open.includes(id)) continue
      this.#watched.delete(id)
      ending.abort()
    }
    for (const id of open) {
      if (this.#watched.has(id)) continue
      const ending = new AbortController()
      const watch = new AccountWatch(id, this.#backend.of(id).until(ending.signal), ending.signal)
      this.#watched.set(id, { watch, ending })
      void watch.load()
    }
  }
}
