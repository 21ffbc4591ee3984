import type { Inbox } from '../../../shared/model.ts'
import { createFolderQuery } from '../../../shared/thread-query.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { MailboxesManager } from './mailboxes-manager.svelte.ts'
import { isThreadRoute } from '../../kernel/route.ts'
import type { Shell } from '../../kernel/session.ts'

interface Parts {
  readonly route: Shell['route']
  readonly preferences: Shell['preferences']
  readonly mailboxes: Readonly<MailboxesManager>
  /** Owner of the inboxes, or null for All inboxes, where visits aren't stored. */
  readonly accountId: string | null
}

/** The inbox used for the folder and label list and for searches. */
export class CurrentInbox {
  readonly #parts: Parts
  /** Inbox of the last visit, including earlier sessions. It may no longer exist. */
  last = $state<string | null>(null)

  constructor(parts: Parts) {
    this.#parts = parts
    // Read once: other windows change the stored value.
    const { accountId, preferences } = parts
    const { lastInboxes, lastInbox } = preferences.values
    this.last = accountId === null ? null : (lastInboxes[accountId] ?? lastInbox)
  }

  /** The displayed inbox, else the last displayed, else the first, or null. */
  get id(): string | null {
    const { current } = this.#parts.route
    const wanted = isThreadRoute(current) ? current.inboxId : this.last
    if (
      wanted !== null &&
      (this.#parts.mailboxes.phase !== 'ready' || this.#parts.mailboxes.inbox(wanted) !== undefined)
    ) {
      return wanted
    }
    return this.#parts.mailboxes.inboxes[0]?.id ?? null
  }

  /** Undefined until the inboxes are loaded. */
  get inbox(): Inbox | undefined {
    return this.id === null ? undefined : this.#parts.mailboxes.inbox(this.id)
  }

  /** Call when a list of this inbox is displayed. */
  visit(inboxId: string): void {
    if (inboxId === this.last) return
    this.last = inboxId
    if (this.#parts.accountId === null) return
    const { lastInboxes } = this.#parts.preferences.values
    void this.#parts.preferences.choose({ lastInboxes: { ...lastInboxes, [this.#parts.accountId]: inboxId } })
  }

  /** The last tab of a split inbox, or null for the entire inbox. */
  get lastTab(): string | null {
    const { lastTabs, splitInbox } = this.#parts.preferences.values
    return this.#parts.accountId === null || !splitInbox ? null : (lastTabs[this.#parts.accountId] ?? null)
  }

  /** Call when a tab is displayed. Null means the entire inbox. */
  visitTab(tab: string | null): void {
    const accountId = this.#parts.accountId
    if (accountId === null || !this.#parts.preferences.values.splitInbox || tab === this.lastTab) return
    const { [accountId]: _before, ...others } = this.#parts.preferences.values.lastTabs
    void this.#parts.preferences.choose({ lastTabs: { ...others, ...(tab !== null && { [accountId]: tab }) } })
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
