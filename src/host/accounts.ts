import type { AccountsState, AccountUsage, HostCommand, Handlers, ParsedInput } from '../shared/contract.ts'
import type { Credentials, EngineApi, InboxIdentity } from '../shared/engine-api.ts'
import type { Log } from '../shared/log.ts'
import type { Account, Inbox } from '../shared/model.ts'
import { type ProblemError, toProblem, unwrap, type Problem, createProblem } from '../shared/result.ts'
import { AccountConnector } from './account-connector.ts'
import { AccountDirectories } from './account-directories.ts'
import { AccountOpener } from './account-opener.ts'
import type { AccountRecord, StoredAccounts } from './stored-accounts.ts'
import { BrowserSignIn } from './browser-sign-in.ts'
import { DemoAccount } from './demo-account.ts'
import type { LaunchPlatform } from './demo-platform.ts'
import { sealKeyInRecord, type KeyVault } from './stored-keys.ts'
import { OpenAccounts } from './open-accounts.ts'
import { createSerialQueue } from './serial-queue.ts'

export interface AccountsDependencies {
  readonly dataDirectory: string
  readonly settings: StoredAccounts
  readonly vault: KeyVault
  readonly launchPlatform: LaunchPlatform
  readonly clientId: string | null
  readonly engine: () => EngineApi
  readonly log: Log
  readonly report: (thrown: unknown) => void
  readonly changed: () => void
  /** A problem found at start, such as settings that were set aside. */
  readonly problem: Problem | null
}

const namesOf = (inboxes: readonly Inbox[]): readonly InboxIdentity[] =>
  inboxes.map(({ id, emailAddress }) => ({ id, address: emailAddress }))

const isSame = (some: readonly InboxIdentity[], others: readonly InboxIdentity[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others)

const noAccount = (): ProblemError => createProblem('no_account', 'Connect an account first.')

/** The accounts of a host. Opens, changes and closes them, one step at a time. */
export class Accounts {
  readonly #parts: AccountsDependencies
  readonly #inTurn = createSerialQueue()
  readonly #folders: AccountDirectories
  readonly #open: OpenAccounts
  readonly #demo: DemoAccount
  readonly #opener: AccountOpener
  readonly #connector: AccountConnector
  readonly #signIn: BrowserSignIn

  constructor(parts: AccountsDependencies) {
    this.#parts = parts
    const { dataDirectory, settings, vault, launchPlatform, engine, log, report } = parts
    const folders = new AccountDirectories(dataDirectory)
    const open = new OpenAccounts(settings, parts.problem, parts.changed)
    this.#folders = folders
    this.#open = open
    this.#demo = new DemoAccount({
      ...{ dataDirectory, folders, launchPlatform, log },
      onProgress: (progress) => open.setDemoProgress(progress),
    })
    const openerParts = { settings, vault, folders, open, demo: this.#demo, engine, inTurn: this.#inTurn, report }
    this.#opener = new AccountOpener(openerParts)
    this.#connector = new AccountConnector(openerParts, this.#opener)
    this.#signIn = new BrowserSignIn(engine, parts.clientId)
    vault
      .storage()
      .then((storage) => open.setKeyStorage(storage))
      .catch(report)
  }

  state(): AccountsState {
    return this.#open.state()
  }

  /** IDs of the open accounts, in the user's order. */
  openIds(): readonly string[] {
    return this.#parts.settings.all().flatMap(({ id }) => (this.#open.has(id) ? [id] : []))
  }

  /** Finds the account of a call. @throws ProblemError `no_account` if it isn't open */
  find(accountId: string | null): Account {
    const record = accountId === null || !this.#open.has(accountId) ? null : this.#parts.settings.find(accountId)
    if (record === null) throw noAccount()
    return this.#open.accountOf(record)
  }

  handlers(): Handlers<Extract<HostCommand, `account.${string}`>> {
    const inTurn = this.#inTurn
    return {
      'account.state': () => this.state(),
      'account.connect': ({ baseUrl, apiKey }) => inTurn(() => this.#connector.connect(baseUrl, apiKey)),
      // Outside the queue: the user may take minutes in the browser.
      'account.beginSignIn': ({ baseUrl }) => this.#signIn.begin(baseUrl),
      'account.finishSignIn': async ({ accountId, url }) => {
        const credentials = await this.#signIn.finish(url)
        const { baseUrl, apiKey } = credentials
        try {
          return await inTurn(async () => {
            if (accountId === undefined) return this.#connector.connect(baseUrl, apiKey)
            const account = this.find(accountId)
            // A platform must not see another platform's credentials.
            if (account.baseUrl !== baseUrl) {
              const message =
                'You signed in to a different platform. Sign in to this account’s platform instead. Nothing was changed.'
              throw createProblem('invalid_input', message)
            }
            await this.#replaceKey(accountId, apiKey)
            return account
          })
        } catch (thrown) {
          await this.#parts.engine().endSignIn(credentials)
          throw thrown
        }
      },
      // Outside the queue: it cancels what the queue waits for.
      'account.cancelTest': async () => {
        this.#signIn.cancel()
        await this.#parts.engine().cancelTests()
        return null
      },
      'account.setKey': ({ accountId, apiKey }) => inTurn(() => this.#replaceKey(accountId, apiKey)),
      'account.decide': ({ decision, accountId }) => inTurn(() => this.#decide(decision, accountId)),
      'account.open': ({ accountId }) => this.open(accountId),
      'account.startDemo': () => inTurn(() => this.#opener.openDemo()),
      'account.change': (changes) => inTurn(() => Promise.resolve(this.#change(changes))),
      'account.move': ({ accountId, before }) =>
        inTurn(() => {
          this.#parts.settings.move(this.#recordNamed(accountId).id, before)
          this.#open.announce()
          return Promise.resolve(null)
        }),
      'account.usage': ({ accountId }) => inTurn(() => this.#usage(accountId)),
      'account.disconnect': ({ accountId }) => inTurn(() => this.#disconnect(accountId)),
      'account.remove': ({ accountId }) => inTurn(() => this.#remove(accountId)),
    }
  }

  /** Opens a known account. @throws ProblemError `no_account` if the settings don't have it */
  open(accountId: string): Promise<Account> {
    return this.#inTurn(async () => {
      const record = this.#parts.settings.find(accountId)
      if (record === null) throw noAccount()
      return this.#open.has(accountId) ? this.#open.accountOf(record) : this.#opener.openRecord(record)
    })
  }

  /** Opens the environment's account and all connected ones. Never throws. */
  openAtStart(environmentAccount: Credentials | null): Promise<void> {
    return this.#inTurn(async () => {
      const told = this.#open.problem
      try {
        const refused =
          environmentAccount === null
            ? null
            : await this.#connector.openEnvironmentAccount(environmentAccount).then(() => null, toProblem)
        await this.#opener.openConnected()
        this.#open.problem ??= refused ?? told ?? (this.#open.all.length === 0 ? await this.#lostSettings() : null)
      } catch (thrown) {
        this.#open.problem = toProblem(thrown)
        if (this.#open.problem.code === 'internal') this.#parts.report(thrown)
      }
      await this.#folders.finishRemovals().catch(this.#parts.report)
    })
  }

  reopen(): Promise<void> {
    return this.#inTurn(() => this.#opener.reopen())
  }

  /** Marks all accounts as closed, with the reason. */
  fall(reason: Problem): Promise<void> {
    return this.#inTurn(async () => {
      for (const { demo } of this.#open.closeAll(reason)) await demo?.stop()
    })
  }

  keyAccepted(accountId: string, apiKey: string, inboxes: readonly InboxIdentity[]): void {
    const { settings, vault, report } = this.#parts
    const accept = async (): Promise<void> => {
      const before = this.#open.get(accountId)
      // The key may have been replaced in the meantime.
      if (before === undefined || before.toOpen.key?.apiKey !== apiKey) return
      const key = { apiKey, isAccepted: true }
      this.#open.setKey(before, key)
      this.#open.announce()
      const record = settings.find(accountId)
      if (record?.kind !== 'platform') return
      settings.keep(await sealKeyInRecord(vault, record, { key, isFromEnvironment: before.isFromEnvironment, inboxes }))
      this.#open.announce()
    }
    this.#inTurn(accept).catch(report)
  }

  /** Stores the new refresh token of a signed-in account. It is on disk when this resolves. */
  keyRenewed(accountId: string, was: string, apiKey: string): Promise<void> {
    const { settings, vault, report } = this.#parts
    return this.#inTurn(async () => {
      const before = this.#open.get(accountId)
      if (before?.toOpen.key?.apiKey !== was) return
      const key = { ...before.toOpen.key, apiKey }
      this.#open.setKey(before, key)
      const record = settings.find(accountId)
      if (record?.kind !== 'platform') return
      settings.keep(
        await sealKeyInRecord(vault, record, { key, isFromEnvironment: before.isFromEnvironment, inboxes: null }),
      )
      // If storing fails, the token still works until Linnet exits.
    }).catch(report)
  }

  inboxesChanged(accountId: string): void {
    const { settings, engine, report } = this.#parts
    const follow = async (): Promise<void> => {
      const record = this.#open.has(accountId) ? settings.find(accountId) : null
      if (record?.kind !== 'platform') return
      const answer = await engine().call(record.id, 'inbox.list', {}, 'host')
      if (!answer.ok) return
      const seen = namesOf((answer.data as { readonly inboxes: readonly Inbox[] }).inboxes)
      if (isSame(seen, record.inboxes)) return
      settings.keep({ ...record, inboxes: seen })
      this.#open.announce()
    }
    this.#inTurn(follow).catch(report)
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      this.#opener.stop()
      for (const { demo } of this.#open.all) await demo?.stop()
    })
  }

  #recordNamed(accountId: string): AccountRecord {
    const record = this.#parts.settings.find(accountId)
    if (record !== null) return record
    throw createProblem('no_account', 'This account is no longer on this computer.')
  }

  #change({ accountId, name, color }: ParsedInput<'account.change'>): null {
    const record = this.#recordNamed(accountId)
    const named = name === '' ? null : name
    const changes = { name: named === undefined ? record.name : named, color: color ?? record.color }
    this.#parts.settings.keep({ ...record, ...changes })
    this.#open.announce()
    return null
  }

  async #usage(accountId: string): Promise<AccountUsage> {
    this.#recordNamed(accountId)
    return unwrap(await this.#parts.engine().usageOf(this.#folders.of(accountId)))
  }

  async #disconnect(accountId: string): Promise<null> {
    const record = this.#recordNamed(accountId)
    if (record.kind === 'demo') return this.#remove(accountId)
    this.#parts.settings.keep({ ...record, sealedKey: null, isConnected: false })
    await this.#endSignIn(accountId, record.baseUrl)
    await this.#opener.close(accountId)
    return null
  }

  /** Revokes a sign-in if the platform is reachable. Doesn't wait long. */
  async #endSignIn(accountId: string, baseUrl: string): Promise<void> {
    const key = this.#open.get(accountId)?.toOpen.key
    if (key) await this.#parts.engine().endSignIn({ baseUrl, apiKey: key.apiKey })
  }

  /** Replaces an account's key and revokes its previous sign-in. */
  async #replaceKey(accountId: string, apiKey: string): Promise<{ readonly isTested: boolean }> {
    const { baseUrl, key = null } = this.#open.get(accountId)?.toOpen ?? {}
    const set = await this.#connector.setKey(accountId, apiKey)
    if (baseUrl !== undefined && key !== null) await this.#parts.engine().endSignIn({ baseUrl, apiKey: key.apiKey })
    return set
  }

  /** Cancelling the choice revokes the new sign-in. */
  async #decide(...[decision, accountId]: Parameters<AccountConnector['decide']>): Promise<Account | null> {
    const credentials = this.#open.pending?.credentials
    const account = await this.#connector.decide(decision, accountId)
    if (decision === 'cancel' && credentials !== undefined) await this.#parts.engine().endSignIn(credentials)
    return account
  }

  async #remove(accountId: string): Promise<null> {
    const record = this.#recordNamed(accountId)
    const { kind } = record
    if (record.kind === 'platform') await this.#endSignIn(accountId, record.baseUrl)
    await this.#opener.close(accountId)
    // Forget the account first, so nothing reopens it. After a crash here, the next start deletes its mail.
    this.#parts.settings.forget(accountId)
    this.#open.announce()
    await this.#folders.remove(accountId)
    if (kind === 'demo') await this.#demo.remove()
    return null
  }

  /** Reports stored mail without settings, because the settings were deleted or a folder was copied here. */
  async #lostSettings(): Promise<Problem | null> {
    const { settings } = this.#parts
    if (this.#open.pending !== null || settings.all().length > 0) return null
    if ((await this.#folders.stray((name) => settings.find(name) !== null)).length === 0) return null
    return {
      code: 'storage_failed',
      message: 'Linnet’s settings are missing. Your mail is still here. Connect your account again.',
    }
  }
}
