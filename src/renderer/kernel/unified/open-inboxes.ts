import type { Inbox, Label } from '../../../shared/model.ts'
import type { Result } from '../../../shared/result.ts'
import type { Backend } from '../backend.ts'
import type { OpenAccounts } from './open-accounts.ts'
import { collectSuccesses, mapResult } from './results.ts'

export interface OpenInbox {
  readonly accountId: string
  readonly inbox: Inbox
}

export interface RenamedLabel {
  readonly was: string
  readonly name: string
}

const keyOf = (accountId: string, inboxId: string): string => JSON.stringify([accountId, inboxId])

/** Inboxes of all open accounts, in their order, and their labels; loaded on demand. */
export class OpenInboxes {
  readonly #accounts: OpenAccounts
  #all: Promise<readonly OpenInbox[]> | null = null
  readonly #labels = new Map<string, Promise<readonly Label[]>>()
  /** Labels at the last read. */
  readonly #known = new Map<string, readonly Label[]>()

  constructor(accounts: OpenAccounts) {
    this.#accounts = accounts
  }

  all(): Promise<readonly OpenInbox[]> {
    this.#all ??= this.#read()
    return this.#all
  }

  /** Asks about every inbox. @returns the successful responses; the first problem if all fail */
  async gather<Output>(
    ask: (account: Backend, inboxId: string) => Promise<Result<Output>>,
  ): Promise<Result<readonly Output[]>> {
    const all = await this.all()
    return collectSuccesses(
      await Promise.all(all.map(({ accountId, inbox }) => ask(this.#accounts.of(accountId), inbox.id))),
    )
  }

  /** Call when inboxes or their counts may have changed. */
  forget(): void {
    this.#all = null
  }

  /** Call after an action that may create, rename or remove labels; the event comes later. */
  forgetLabels(): void {
    this.#labels.clear()
  }

  /** Returns no labels on failure: thread lists can't load then either, and each reports its own error. */
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

  lastLabels(accountId: string, inboxId: string): readonly Label[] {
    return this.#known.get(keyOf(accountId, inboxId)) ?? []
  }

  /** Rereads an inbox's labels. @returns the ones renamed since the last read */
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

  async #read(): Promise<readonly OpenInbox[]> {
    const read = await this.#accounts.each(async (account, accountId) =>
      mapResult(await account.call('inbox.list', {}), ({ inboxes }) => inboxes.map((inbox) => ({ accountId, inbox }))),
    )
    return read.flatMap((result) => (result.ok ? result.data : []))
  }
}
