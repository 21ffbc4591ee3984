import type { Inbox } from '../../../shared/model.ts'
import { folderQuery } from '../../../shared/thread-query.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { MailboxesManager } from './mailboxes-manager.svelte.ts'
import type { PreferencesManager } from '../../kernel/preferences-manager.svelte.ts'
import { isThreadRoute } from '../../kernel/route.ts'
import type { RouteManager } from '../../kernel/route-manager.svelte.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly inbox: CurrentInbox
  }
}

/** The inbox that the window is about: whose folders and labels are listed, and which a search looks through. */
export class CurrentInbox {
  readonly #route: RouteManager
  readonly #mailboxes: MailboxesManager
  readonly #preferences: PreferencesManager
  readonly #accountId: string | null
  #last = $state<string | null>(null)

  /** @param accountId the account whose inboxes these are; null where they are nobody's alone, and no visit is kept */
  constructor(
    route: RouteManager,
    mailboxes: MailboxesManager,
    preferences: PreferencesManager,
    accountId: string | null,
  ) {
    this.#route = route
    this.#mailboxes = mailboxes
    this.#preferences = preferences
    this.#accountId = accountId
    // Of this window alone from now on: what another one shows is its own.
    const { lastInboxes, lastInbox } = preferences.values
    this.#last = accountId === null ? null : (lastInboxes[accountId] ?? lastInbox)
  }

  /** The inbox on the screen, else the one that was there last, else the first; null where there is none. */
  get id(): string | null {
    const { current } = this.#route
    const wanted = isThreadRoute(current) ? current.inboxId : this.#last
    if (wanted !== null && (this.#mailboxes.phase !== 'ready' || this.#mailboxes.inbox(wanted) !== undefined)) {
      return wanted
    }
    return this.#mailboxes.inboxes[0]?.id ?? null
  }

  /** Undefined until the account's inboxes are known. */
  get inbox(): Inbox | undefined {
    return this.id === null ? undefined : this.#mailboxes.inbox(this.id)
  }

  /** The inbox of the last visit, also of the last start; it need not be there any more. */
  get last(): string | null {
    return this.#last
  }

  /** A list of this inbox is on the screen. */
  visit(inboxId: string): void {
    if (inboxId === this.#last) return
    this.#last = inboxId
    if (this.#accountId === null) return
    const { lastInboxes } = this.#preferences.values
    void this.#preferences.choose({ lastInboxes: { ...lastInboxes, [this.#accountId]: inboxId } })
  }

  /** The tab that was over the inbox last, where it is split; null for the whole inbox. */
  get lastTab(): string | null {
    const { lastTabs, splitInbox } = this.#preferences.values
    return this.#accountId === null || !splitInbox ? null : (lastTabs[this.#accountId] ?? null)
  }

  /** A tab over the inbox is on the screen, or null for the whole inbox. */
  visitTab(tab: string | null): void {
    const accountId = this.#accountId
    if (accountId === null || !this.#preferences.values.splitInbox || tab === this.lastTab) return
    const { [accountId]: _before, ...others } = this.#preferences.values.lastTabs
    void this.#preferences.choose({ lastTabs: { ...others, ...(tab !== null && { [accountId]: tab }) } })
  }
}

/**
 * The inbox that a window without an address opens: the one of the last visit, else the first with mail in it.
 * @param isSynced whether sync has come through once: from then on an inbox without mail is an empty one
 * @returns null where that cannot be said yet
 */
export const findStartingInbox = async (
  backend: Backend,
  inboxes: readonly Inbox[],
  last: string | null,
  isSynced: boolean,
): Promise<string | null> => {
  const [first] = inboxes
  if (first === undefined) return null
  const visited = inboxes.find(({ id }) => id === last)
  if (visited !== undefined || inboxes.length === 1) return (visited ?? first).id
  let areAllKnown = true
  for (const { id } of inboxes) {
    const page = await backend.call('thread.list', { query: folderQuery(id, 'inbox'), offset: 0, limit: 1 })
    if (page.ok && page.data.total > 0) return id
    areAllKnown &&= page.ok && page.data.freshness.state !== 'never'
  }
  return areAllKnown || isSynced ? first.id : null
}
