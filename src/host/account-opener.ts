import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountToOpen, EngineApi } from '../shared/engine-api.ts'
import type { Account } from '../shared/model.ts'
import { toProblem, unwrap, type Problem } from '../shared/result.ts'
import {
  DEMO_ACCOUNT_ID,
  type AccountRecord,
  type StoredAccounts,
  type PlatformAccountRecord,
} from './stored-accounts.ts'
import type { AccountDirectories } from './account-directories.ts'
import { ensureDirectory } from './data-directory.ts'
import type { DemoAccount } from './demo-account.ts'
import { sealKeyInRecord, unsealKey, type KeyInUse, type KeyVault, type UnsealedKey } from './stored-keys.ts'
import type { OpenAccounts } from './open-accounts.ts'

/** Time that the start waits for a key, in milliseconds. If the keychain prompts the user, the key is applied later. */
const KEY_PATIENCE_MS = 100
const KEY_AWAITED: Problem = {
  code: 'key_missing',
  message:
    'Waiting for the system keychain. You can read your mail. New mail will arrive once you unlock the keychain.',
}

/** Delays before retrying an account whose files can't be opened; doubled each time. */
const RETRY_DELAYS_MS = { first: 1_000, longest: 60_000 } as const

const DEMO_RENEWED: Problem = {
  code: 'storage_failed',
  message: 'The demo’s mail was damaged or missing, so Linnet created it again. Your changes in it are lost.',
}

export interface OpenerDependencies {
  readonly settings: StoredAccounts
  readonly vault: KeyVault
  readonly folders: AccountDirectories
  readonly open: OpenAccounts
  readonly demo: DemoAccount
  readonly engine: () => EngineApi
  readonly inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>
  readonly report: (thrown: unknown) => void
}

/** Opens and closes accounts. A failure leaves everything as it was. */
export class AccountOpener {
  readonly #parts: OpenerDependencies
  #retryDelayMs: number = RETRY_DELAYS_MS.first
  #retryTimer: NodeJS.Timeout | null = null

  constructor(parts: OpenerDependencies) {
    this.#parts = parts
  }

  async openPlatform(record: PlatformAccountRecord, keyInUse: KeyInUse): Promise<Account> {
    const { settings, vault, folders, open, engine } = this.#parts
    const { id, baseUrl } = record
    const toOpen = { id, baseUrl, directory: folders.of(id), key: keyInUse.key, isKnown: settings.find(id) !== null }
    // A key from the environment connects its account for one run only.
    const isConnected = record.isConnected || !keyInUse.isFromEnvironment
    const kept = { ...(await sealKeyInRecord(vault, record, keyInUse)), isConnected }
    const before = open.get(id)
    await this.#openInEngine(toOpen)
    try {
      settings.keep(kept)
    } catch (thrown) {
      if (before === undefined) await engine().close(id)
      else await engine().setKey(id, before.toOpen.key)
      throw thrown
    }
    return open.show({ id, kind: 'platform', toOpen, isFromEnvironment: keyInUse.isFromEnvironment, demo: null }, kept)
  }

  openRecord(record: AccountRecord): Promise<Account> {
    return record.kind === 'demo' ? this.openDemo() : this.#openStored(record)
  }

  async openDemo(): Promise<Account> {
    const { settings, folders, open, engine } = this.#parts
    const known = settings.find(DEMO_ACCOUNT_ID)
    const record = {
      id: DEMO_ACCOUNT_ID,
      kind: 'demo',
      name: known?.name ?? null,
      color: known?.color ?? settings.nextColor(),
      isConnected: true,
    } as const
    if (open.has(DEMO_ACCOUNT_ID)) return open.accountOf(record)
    const { demo, isRenewed } = await this.#parts.demo.start()
    try {
      const { baseUrl, apiKey } = demo
      const toOpen = {
        id: DEMO_ACCOUNT_ID,
        baseUrl,
        directory: folders.of(DEMO_ACCOUNT_ID),
        key: { apiKey, isAccepted: true },
      }
      await this.#openInEngine(toOpen)
      settings.keep(record)
      const account = open.show({ id: DEMO_ACCOUNT_ID, kind: 'demo', toOpen, isFromEnvironment: false, demo }, record)
      if (isRenewed) {
        open.problem = DEMO_RENEWED
        open.announce()
      }
      return account
    } catch (thrown) {
      await engine().close(DEMO_ACCOUNT_ID)
      await demo.stop()
      throw thrown
    }
  }

  /** Opens all connected accounts. One that fails is reported, and the others still open. */
  async openConnected(isWanted: (record: AccountRecord) => boolean = () => true): Promise<void> {
    const { settings, open, report } = this.#parts
    const toOpen = settings.all().filter((record) => record.isConnected && !open.has(record.id) && isWanted(record))
    const told = open.problem
    for (const record of toOpen) {
      try {
        await this.openRecord(record)
      } catch (thrown) {
        const trouble = toProblem(thrown)
        if (trouble.code === 'internal') report(thrown)
        open.troubles.set(record.id, trouble)
      }
    }
    open.problem ??= told
    if (toOpen.length > 0) open.announce()
    this.#scheduleRetry()
  }

  /** Reopens the open accounts in a newly started engine. */
  async reopen(): Promise<void> {
    const { open, engine } = this.#parts
    for (const { id, toOpen, demo } of open.all) {
      const again = await engine().open({ ...toOpen, isKnown: true })
      if (again.ok) continue
      open.drop(id, again.error)
      await demo?.stop()
    }
    open.announce()
  }

  /** Pending writes finish first. */
  async close(accountId: string): Promise<void> {
    const leaving = this.#parts.open.close(accountId)
    if (leaving === undefined) return
    await this.#parts.engine().close(accountId)
    await leaving.demo?.stop()
  }

  stop(): void {
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer)
    this.#retryTimer = null
  }

  async #openInEngine(toOpen: AccountToOpen): Promise<void> {
    const { open, engine } = this.#parts
    await ensureDirectory(toOpen.directory)
    unwrap(open.has(toOpen.id) ? await engine().setKey(toOpen.id, toOpen.key) : await engine().open(toOpen))
  }

  async #openStored(record: PlatformAccountRecord): Promise<Account> {
    const { settings, vault, folders, open, inTurn, report } = this.#parts
    const { id, baseUrl } = record
    const unsealing = unsealKey(vault, record)
    const { key, trouble } = await Promise.race([
      unsealing,
      sleep(KEY_PATIENCE_MS, { key: null, trouble: KEY_AWAITED }),
    ])
    const toOpen = { id, baseUrl, directory: folders.of(id), key, isKnown: true }
    if (trouble === KEY_AWAITED) {
      void unsealing.then((late) => inTurn(() => this.#applyLateKey(toOpen, late))).catch(report)
    }
    await this.#openInEngine(toOpen)
    const kept = { ...record, isConnected: true }
    if (!record.isConnected) settings.keep(kept)
    const account = open.show({ id, kind: 'platform', toOpen, isFromEnvironment: false, demo: null }, kept)
    if (trouble !== null) {
      open.troubles.set(id, trouble)
      open.announce()
    }
    return account
  }

  /** Applies a late keychain response, unless the account was closed or reopened since. */
  async #applyLateKey(toOpen: AccountToOpen, { key, trouble }: UnsealedKey): Promise<void> {
    const { open, engine } = this.#parts
    const before = open.get(toOpen.id)
    if (before?.toOpen !== toOpen) return
    if (trouble === null) open.troubles.delete(toOpen.id)
    else open.troubles.set(toOpen.id, trouble)
    if (key !== null) {
      unwrap(await engine().setKey(toOpen.id, key))
      open.setKey(before, key)
    }
    open.announce()
  }

  #lacksFiles({ id }: AccountRecord): boolean {
    return this.#parts.open.troubles.get(id)?.code === 'storage_failed'
  }

  /** Retries accounts whose files couldn't be opened: the disk may have space again, or the folder may be back. */
  #scheduleRetry(): void {
    const { settings, open, inTurn, report } = this.#parts
    this.stop()
    if (!settings.all().some((record) => record.isConnected && !open.has(record.id) && this.#lacksFiles(record))) {
      this.#retryDelayMs = RETRY_DELAYS_MS.first
      return
    }
    const openAgain = () => this.openConnected((record) => this.#lacksFiles(record))
    this.#retryTimer = setTimeout(() => void inTurn(openAgain).catch(report), this.#retryDelayMs).unref()
    this.#retryDelayMs = Math.min(2 * this.#retryDelayMs, RETRY_DELAYS_MS.longest)
  }
}
