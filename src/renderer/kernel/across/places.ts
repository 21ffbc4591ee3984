import type { Inbox, Label } from '../../../shared/model.ts'
import type { OpenAccounts } from './open-accounts.ts'
import { mapResult } from './results.ts'

/** An inbox of one of the accounts. */
export interface Place {
  readonly accountId: string
  readonly inbox: Inbox
}

/** What an inbox calls its labels was another name before. */
export interface RenamedLabel {
  readonly was: string
  readonly name: string
}

const keyOf = (accountId: string, inboxId: string): string => JSON.stringify([accountId, inboxId])

/** The inboxes of all accounts that are open, in their order, and the labels of each: read when they are first needed. */
export class Places {
  readonly #accounts: OpenAccounts
  #all: Promise<readonly Place[]> | null = null
  readonly #labels = new Map<string, Promise<readonly Label[]>>()
  /** What was read of it last. */
  readonly #known = new Map<string, readonly Label[]>()

  constructor(accounts: OpenAccounts) {
    this.#accounts = accounts
  }

  all(): Promise<readonly Place[]> {
    this.#all ??= this.#read()
    return this.#all
  }

  /** There may be other inboxes by now, or other numbers. */
  forget(): void {
    this.#all = null
  }

  /** What was done here may have made labels, renamed or removed them: sooner than an event tells. */
  forgetLabels(): void {
    this.#labels.clear()
  }

  /** None where they cannot be read: then no list of them can, which its own error says. */
  labels({
    accountId,
    inbox,
  }: {
    readonly accountId: string
    readonly inbox: Pick<Inbox, 'id'>
  }): Promise<readonly Label[]> {
    const key = keyOf(accountId, inbox.id)
    const known = this.#labels.get(key)
    if (known !== undefined) return known
    const read = this.#accounts
      .of(accountId)
      .call('label.list', { inboxId: inbox.id })
      .then((result) => {
        if (result.ok) this.#known.set(key, result.data)
        else if (this.#labels.get(key) === read) this.#labels.delete(key)
        return result.ok ? result.data : []
      })
    this.#labels.set(key, read)
    return read
  }

  /** The labels of an inbox as they were last read. */
  lastLabels(accountId: string, inboxId: string): readonly Label[] {
    return this.#known.get(keyOf(accountId, inboxId)) ?? []
  }

  /** Reads the labels of an inbox again. @returns those that have another name than when they were read last */
  async rereadLabels(accountId: string, inboxId: string): Promise<readonly RenamedLabel[]> {
    const key = keyOf(accountId, inboxId)
    const before = this.#known.get(key) ?? []
    this.#labels.delete(key)
    const place = (await this.all()).find((each) => each.accountId === accountId && each.inbox.id === inboxId)
    const after = place === undefined ? [] : await this.labels(place)
    return before.flatMap(({ id, name: was }) => {
      const name = after.find((label) => label.id === id)?.name
      return name === undefined || name === was ? [] : [{ was, name }]
    })
  }

  async #read(): Promise<readonly Place[]> {
    const read = await this.#accounts.each(async (account, accountId) =>
      mapResult(await account.call('inbox.list', {}), ({ inboxes }) => inboxes.map((inbox) => ({ accountId, inbox }))),
    )
    return read.flatMap((result) => (result.ok ? result.data : []))
  }
}
