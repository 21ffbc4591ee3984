import { randomUUID } from 'node:crypto'
import type { Credentials, InboxIdentity } from '../shared/engine-api.ts'
import { decodeGrant } from '../shared/grant.ts'
import type { Account } from '../shared/model.ts'
import { ProblemError, unwrap, createProblem } from '../shared/result.ts'
import type { AccountOpener, OpenerDependencies } from './account-opener.ts'
import type { PlatformAccountRecord } from './stored-accounts.ts'
import { listAddresses } from './open-accounts.ts'
import { digestKey, matchAccount, hasCommonInbox, type AccountCandidate } from './account-matching.ts'

export class AccountConnector {
  readonly #parts: Pick<OpenerDependencies, 'settings' | 'folders' | 'open' | 'engine'>
  readonly #opener: AccountOpener

  constructor(parts: Pick<OpenerDependencies, 'settings' | 'folders' | 'open' | 'engine'>, opener: AccountOpener) {
    this.#parts = parts
    this.#opener = opener
  }

  /** @returns null if the user has to choose which account the key belongs to */
  async connect(typed: string, apiKey: string): Promise<Account | null> {
    const { open, engine } = this.#parts
    open.pending = null
    const baseUrl = unwrap(await engine().parseBaseUrl(typed))
    const credentials = { baseUrl, apiKey }
    const before = this.#recordOfKey(credentials)
    const tested = await engine().test(credentials)
    if (!tested.ok) {
      const record = before ?? this.#likeliest(baseUrl)
      if (tested.error.code !== 'unreachable' || record === null) throw new ProblemError(tested.error)
      const key = { apiKey, isAccepted: before !== null }
      return this.#opener.openPlatform(record, { key, isFromEnvironment: false, inboxes: null })
    }
    if (before === null) return this.#openFor(credentials, tested.data, false)
    const key = { apiKey, isAccepted: true }
    return this.#opener.openPlatform(before, { key, isFromEnvironment: false, inboxes: tested.data })
  }

  /** Replaces an account's key. @returns whether the platform was reachable */
  async setKey(accountId: string, apiKey: string): Promise<{ readonly isTested: boolean }> {
    const { settings, engine } = this.#parts
    const record = settings.find(accountId)
    if (record?.kind !== 'platform') {
      throw createProblem('no_account', 'This account is no longer on this computer.')
    }
    const tested = await engine().test({ baseUrl: record.baseUrl, apiKey })
    if (!tested.ok && tested.error.code !== 'unreachable') throw new ProblemError(tested.error)
    const inboxes = tested.ok ? tested.data : null
    const cached = await this.#inboxesIn(accountId)
    const own = cached.length === 0 ? record.inboxes : cached
    if (inboxes !== null && inboxes.length > 0 && own.length > 0 && !hasCommonInbox(own, inboxes)) {
      const theirs = listAddresses(inboxes).slice(0, 3).join(', ')
      const message =
        decodeGrant(apiKey) === null
          ? `This key belongs to another account (${theirs}). Enter this account’s key, or remove the account to connect the other.`
          : `You signed in to another account (${theirs}). Sign in to this one, or add the other one as a new account.`
      throw createProblem('key_of_another_account', message)
    }
    await this.#opener.openPlatform(record, {
      key: { apiKey, isAccepted: tested.ok },
      isFromEnvironment: false,
      inboxes,
    })
    return { isTested: tested.ok }
  }

  async decide(decision: 'keep' | 'separate' | 'cancel', accountId: string | undefined): Promise<Account | null> {
    const { open } = this.#parts
    if (open.pending === null) throw createProblem('not_found', 'You already made this choice.')
    const { credentials, inboxes, isFromEnvironment, isNewKey, candidates } = open.pending
    const { baseUrl, apiKey } = credentials
    if (decision === 'cancel') {
      open.pending = null
      open.announce()
      return null
    }
    if (decision === 'separate' && isNewKey) {
      const message = 'One of your accounts already has these inboxes. Use the new key for that account.'
      throw createProblem('invalid_input', message)
    }
    const chosen = decision === 'keep' ? (accountId ?? candidates[0]?.id) : undefined
    if (decision === 'keep' && !candidates.some(({ id }) => id === chosen)) {
      throw createProblem('invalid_input', 'Choose one of your accounts.')
    }
    const record = chosen === undefined ? this.#newRecord(baseUrl) : this.#recordOf(chosen, baseUrl)
    return this.#opener.openPlatform(record, { key: { apiKey, isAccepted: true }, isFromEnvironment, inboxes })
  }

  /**
   * Opens an account for the environment's key, whether or not the key works. Shows the stored mail of the account that
   * the key belongs to. If the key can't be tested, the likeliest account is used.
   */
  async openEnvironmentAccount({ baseUrl: typed, apiKey }: Credentials): Promise<void> {
    const { engine } = this.#parts
    const baseUrl = unwrap(await engine().parseBaseUrl(typed))
    const credentials = { baseUrl, apiKey }
    const keyInUse = { isFromEnvironment: true, inboxes: null }
    const before = this.#recordOfKey(credentials)
    if (before !== null) {
      await this.#opener.openPlatform(before, { ...keyInUse, key: { apiKey, isAccepted: true } })
      return
    }
    const untried = { ...keyInUse, key: { apiKey, isAccepted: false } }
    if ((await this.#candidates(baseUrl)).length === 0) {
      await this.#opener.openPlatform(this.#newRecord(baseUrl), untried)
      return
    }
    const tested = await engine().test(credentials)
    if (tested.ok) await this.#openFor(credentials, tested.data, true)
    else await this.#opener.openPlatform(this.#likeliest(baseUrl) ?? this.#newRecord(baseUrl), untried)
  }

  /** Opens the account that a key with these inboxes belongs to. @returns null if the user has to choose */
  async #openFor(
    credentials: Credentials,
    inboxes: readonly InboxIdentity[],
    isFromEnvironment: boolean,
  ): Promise<Account | null> {
    const { open } = this.#parts
    const { baseUrl, apiKey } = credentials
    const found = await this.#candidates(baseUrl)
    const recognition = matchAccount({ baseUrl, inboxes }, found)
    if (recognition.kind === 'unsure') {
      const { ids } = recognition
      const candidates = found.filter(({ id }) => ids.includes(id))
      open.ask({ credentials, inboxes, isFromEnvironment, isNewKey: false, candidates })
      return null
    }
    const record = recognition.kind === 'known' ? this.#recordOf(recognition.id, baseUrl) : this.#newRecord(baseUrl)
    // This would replace an existing key. The user may have meant another account.
    if (!isFromEnvironment && record.keyDigest !== null) {
      const candidates = found.filter(({ id }) => id === record.id)
      open.ask({ credentials, inboxes, isFromEnvironment, isNewKey: true, candidates })
      return null
    }
    return this.#opener.openPlatform(record, { key: { apiKey, isAccepted: true }, isFromEnvironment, inboxes })
  }

  async #inboxesIn(id: string): Promise<readonly InboxIdentity[]> {
    const read = await this.#parts.engine().inboxesIn(this.#parts.folders.of(id))
    return read.ok ? read.data : []
  }

  async #candidates(baseUrl: string): Promise<readonly AccountCandidate[]> {
    const { settings, folders } = this.#parts
    const known = settings.platforms().filter((record) => record.baseUrl === baseUrl)
    const stray = await folders.stray((name) => settings.find(name) !== null)
    return Promise.all([
      ...known.map(async ({ id, inboxes }) => {
        const cached = await this.#inboxesIn(id)
        return { id, baseUrl, inboxes: cached.length === 0 ? inboxes : cached }
      }),
      ...stray.map(async (id) => ({ id, baseUrl: null, inboxes: await this.#inboxesIn(id) })),
    ])
  }

  /** The account that used this key before. Needs no network. */
  #recordOfKey({ baseUrl, apiKey }: Credentials): PlatformAccountRecord | null {
    const digest = digestKey(baseUrl, apiKey)
    return this.#parts.settings.platforms().find(({ keyDigest }) => keyDigest === digest) ?? null
  }

  /** The account to show while a key can't be tested: a connected one at the base URL if possible. */
  #likeliest(baseUrl: string): PlatformAccountRecord | null {
    const here = this.#parts.settings.platforms().filter((record) => record.baseUrl === baseUrl)
    return here.find(({ isConnected }) => isConnected) ?? here.at(-1) ?? null
  }

  /** The stored record of an account, or a new one for a folder missing from the settings. */
  #recordOf(id: string, baseUrl: string): PlatformAccountRecord {
    const known = this.#parts.settings.find(id)
    return known?.kind === 'platform' ? known : this.#newRecord(baseUrl, id)
  }

  #newRecord(baseUrl: string, id: string = randomUUID()): PlatformAccountRecord {
    return {
      id,
      kind: 'platform',
      baseUrl,
      inboxes: [],
      keyDigest: null,
      sealedKey: null,
      name: null,
      color: this.#parts.settings.nextColor(),
      isConnected: false,
    }
  }
}
