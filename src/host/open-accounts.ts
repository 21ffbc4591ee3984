import type { AccountName, AccountsState, ConnectedAccount } from '../shared/contract.ts'
import { decodeGrant } from '../shared/grant.ts'
import type { AccountKey, AccountToOpen, Credentials, InboxIdentity } from '../shared/engine-api.ts'
import type { Account } from '../shared/model.ts'
import type { Problem } from '../shared/result.ts'
import type { AccountRecord, StoredAccounts } from './stored-accounts.ts'
import type { DemoPlatform, DemoProgress } from './demo-platform.ts'
import type { AccountCandidate } from './account-matching.ts'

export interface OpenAccount {
  readonly id: string
  readonly kind: Account['kind']
  readonly toOpen: AccountToOpen
  /** True if its key came from the environment, for this run only. */
  readonly isFromEnvironment: boolean
  readonly demo: DemoPlatform | null
}

interface PendingKey {
  readonly credentials: Credentials
  readonly inboxes: readonly InboxIdentity[]
  readonly candidates: readonly AccountCandidate[]
  /** True if this is certainly a new key for the only candidate. */
  readonly isNewKey: boolean
  readonly isFromEnvironment: boolean
}

export const listAddresses = (inboxes: readonly InboxIdentity[]): readonly string[] =>
  inboxes.map(({ address }) => address)

const nameOf = ({ id, baseUrl, inboxes }: AccountCandidate): AccountName => ({
  id,
  baseUrl,
  addresses: listAddresses(inboxes),
})

export class OpenAccounts {
  /** A problem that isn't specific to one account. */
  problem: Problem | null
  readonly announce: () => void
  readonly #settings: StoredAccounts
  readonly #opened = new Map<string, OpenAccount>()
  /** Errors from opening an account or reading its key, by account ID. */
  readonly troubles = new Map<string, Problem>()
  /** A key that the user has to choose an account for. */
  pending: PendingKey | null = null
  #demoProgress: DemoProgress | null = null
  /** Keys aren't stored until the keychain proves secure. */
  #keyStorage: AccountsState['keyStorage'] = 'memory'

  constructor(settings: StoredAccounts, problem: Problem | null, changed: () => void) {
    this.#settings = settings
    this.problem = problem
    this.announce = changed
  }

  state(): AccountsState {
    return {
      accounts: this.#settings
        .all()
        .filter(({ id, isConnected }) => isConnected || this.has(id))
        .map((record) => this.#connected(record)),
      keyStorage: this.#keyStorage,
      problem: this.problem,
      known: this.#settings
        .platforms()
        .filter(({ id }) => !this.has(id))
        .map(nameOf),
      question: this.pending && {
        baseUrl: this.pending.credentials.baseUrl,
        addresses: listAddresses(this.pending.inboxes),
        isNewKey: this.pending.isNewKey,
        candidates: this.pending.candidates.map(nameOf),
      },
      demoProgress: this.#demoProgress,
    }
  }

  accountOf(record: AccountRecord): Account {
    return {
      id: record.id,
      baseUrl: record.kind === 'platform' ? record.baseUrl : (this.get(record.id)?.toOpen.baseUrl ?? ''),
      kind: record.kind,
      name: record.name,
      color: record.color,
    }
  }

  get all(): readonly OpenAccount[] {
    return [...this.#opened.values()]
  }

  get(id: string): OpenAccount | undefined {
    return this.#opened.get(id)
  }

  has(id: string): boolean {
    return this.#opened.has(id)
  }

  /** Adds an opened account, which settles any problem or pending question. */
  show(next: OpenAccount, record: AccountRecord): Account {
    this.#opened.set(next.id, next)
    this.troubles.delete(next.id)
    this.problem = null
    this.pending = null
    this.announce()
    return this.accountOf(record)
  }

  setKey(account: OpenAccount, key: AccountKey): void {
    this.#opened.set(account.id, { ...account, toOpen: { ...account.toOpen, key } })
  }

  close(id: string): OpenAccount | undefined {
    const leaving = this.#opened.get(id)
    this.#opened.delete(id)
    this.troubles.delete(id)
    this.pending = null
    this.announce()
    return leaving
  }

  /** Marks all accounts as closed. @returns those that were open */
  closeAll(reason: Problem): readonly OpenAccount[] {
    const { all } = this
    this.#opened.clear()
    this.problem = reason
    this.announce()
    return all
  }

  drop(id: string, trouble: Problem): void {
    this.#opened.delete(id)
    this.troubles.set(id, trouble)
  }

  ask(pending: PendingKey): void {
    this.pending = pending
    this.announce()
  }

  setDemoProgress(progress: DemoProgress | null): void {
    this.#demoProgress = progress
    this.announce()
  }

  setKeyStorage(storage: AccountsState['keyStorage']): void {
    if (storage === this.#keyStorage) return
    this.#keyStorage = storage
    this.announce()
  }

  #connected(record: AccountRecord): ConnectedAccount {
    const open = this.get(record.id)
    return {
      ...this.accountOf(record),
      addresses: record.kind === 'platform' ? listAddresses(record.inboxes) : [],
      isOpen: open !== undefined,
      isKeyTested: open?.toOpen.key?.isAccepted ?? true,
      isSignedIn: decodeGrant(open?.toOpen.key?.apiKey ?? '') !== null,
      isFromEnvironment: open?.isFromEnvironment ?? false,
      problem: this.troubles.get(record.id) ?? null,
    }
  }
}
