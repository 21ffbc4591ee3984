import { KIND_TABS, type InboxTab } from '../../../shared/inbox-tabs.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { PreferencesManager } from '../../kernel/preferences-manager.svelte.ts'
import type { Route, ThreadListRoute } from '../../kernel/route.ts'

/** The first tab is the entire inbox, with a null text. */
export interface ShownTab extends Pick<InboxTab, 'id' | 'name'> {
  readonly text: string | null
  /** Null for the entire inbox, whose count is shown elsewhere. */
  readonly unread: number | null
}

const ALL_TAB: ShownTab = { id: 'all', name: 'All', text: null, unread: null }

export const toTabRoute = (inboxId: string, { text }: Pick<ShownTab, 'text'>): Route => ({
  ...{ view: 'folder', inboxId, folder: 'inbox', threadId: null },
  ...(text !== null && { tab: text }),
})

export class InboxTabsManager {
  readonly #backend: Backend
  readonly #preferences: Readonly<PreferencesManager>
  #loaded = $state.raw<{ readonly inboxId: string; readonly tabs: readonly InboxTab[] } | null>(null)
  #inboxId: string | null = null
  /** Number of the latest request. Responses to earlier requests are ignored. */
  #loadCount = 0

  constructor(backend: Backend, preferences: Readonly<PreferencesManager>) {
    this.#backend = backend
    this.#preferences = preferences
    backend.on('savedSearches.changed', () => void this.#load())
  }

  get isSplit(): boolean {
    return this.#preferences.values.splitInbox
  }

  /** Tabs of a list. Empty for other lists, and without a split inbox. */
  over(list: ThreadListRoute | Route | null): readonly ShownTab[] {
    if (list?.view !== 'folder' || list.folder !== 'inbox' || !this.isSplit) return []
    const loaded = this.#loaded?.inboxId === list.inboxId ? this.#loaded.tabs : KIND_TABS
    return [ALL_TAB, ...loaded]
  }

  shown(list: ThreadListRoute | Route | null): ShownTab | undefined {
    const text = list?.view === 'folder' ? (list.tab ?? null) : null
    return this.over(list).find((tab) => tab.text === text)
  }

  beside(list: Route, delta: 1 | -1): ShownTab | undefined {
    const tabs = this.over(list)
    const shown = this.shown(list)
    // If the displayed tab was removed, go to the first one.
    return shown === undefined ? tabs[0] : tabs[tabs.indexOf(shown) + delta]
  }

  /** Loads the tabs of an inbox, and keeps their counts current. */
  show(inboxId: string): void {
    this.#inboxId = inboxId
    void this.#load()
  }

  async #load(): Promise<void> {
    const inboxId = this.#inboxId
    if (inboxId === null || !this.isSplit) return
    const look = (this.#loadCount += 1)
    const result = await this.#backend.call('inboxTab.list', { inboxId })
    if (result.ok && look === this.#loadCount) this.#loaded = { inboxId, tabs: result.data }
  }
}
