import type { Inbox } from '../../../shared/model.ts'
import { createFolderQuery } from '../../../shared/thread-query.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { MailboxesManager } from './mailboxes-manager.svelte.ts'
import type { PreferencesManager } from '../../kernel/preferences-manager.svelte.ts'
import { isThreadRoute } from '../../kernel/route.ts'
import type { RouteManager } from '../../kernel/route-manager.svelte.ts'

/** The inbox used for the folder and label list and for searches. */
export class CurrentInbox {
  readonly #route: Readonly<RouteManager>
  readonly #mailboxes: MailboxesManager
  readonly #preferences: Readonly<PreferencesManager>
  readonly #accountId: string | null
  /** Inbox of the last visit, including earlier sessions. It may no longer exist. */
  last = $state<string | null>(null)

  /** @param accountId owner of the inboxes, or null for All inboxes, where visits aren't stored */
  constructor(
    route: Readonly<RouteManager>,
    mailboxes: MailboxesManager,
    preferences: Readonly<PreferencesManager>,
    accountId: string | null,
  ) {
    this.#route = route
    this.#mailboxes = mailboxes
    this.#preferences = preferences
    this.#accountId = accountId
    // Read once: other windows change the stored value.
    const { lastInboxes, lastInbox } = preferences.values
    this.last = accountId === null ? null : (lastInboxes[accountId] ?? lastInbox)
  }

  /** The displayed inbox, else the last displayed, else the first, or null. */
  get id(): string | null {
    const { current } = this.#route
    const wanted = isThreadRoute(current) ? current.inboxId : this.last
    if (wanted !== null && (this.#mailboxes.phase !== 'ready' || this.#mailboxes.inbox(wanted) !== undefined)) {
      return wanted
    }
    return this.#mailboxes.inboxes[0]?.id ?? null
  }

  /** Undefined until the inboxes are loaded. */
  get inbox(): Inbox | undefined {
    return this.id === null ? undefined : this.#mailboxes.inbox(this.id)
  }

  /** Call when a list of this inbox is displayed. */
  visit(inboxId: string): void {
    if (inboxId === this.last) return
    this.last = inboxId
    if (this.#accountId === null) return
    const { lastInboxes } = this.#preferences.values
    void this.#preferences.choose({ lastInboxes: { ...lastInboxes, [this.#accountId]: inboxId } })
  }

  /** The last tab of a split inbox, or null for the entire inbox. */
  get lastTab(): string | null {
    const { lastTabs, splitInbox } = this.#preferences.values
    return this.#accountId === null || !splitInbox ? null : (lastTabs[this.#accountId] ?? null)
  }

  /** Call when a tab is displayed. Null means the entire inbox. */
  visitTab(tab: string | null): void {
    const accountId = this.#accountId
    if (accountId === null || !this.#preferences.values.splitInbox || tab === this.lastTab) return
    const { [accountId]: _before, ...others } = this.#preferences.values.lastTabs
    void this.#preferences.choose({ lastTabs: { ...others, ...(tab !== null && { [accountId]: tab }) } })
  }
}

/**
 * The last visited inbox, else the first one with mail, or null if undecided.
 * @param isSynced true after a complete sync, when an inbox without mail is really empty
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
    const page = await backend.call('thread.list', { query: createFolderQuery(id, 'inbox'), offset: 0, limit: 1 })
    if (page.ok && page.data.total > 0) return id
    areAllKnown &&= page.ok && page.data.freshness.state !== 'never'
  }
  return areAllKnown || isSynced ? first.id : null
}
