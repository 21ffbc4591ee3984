import { KIND_TABS, type InboxTab } from '../../../shared/inbox-tabs.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { PreferencesManager } from '../../kernel/preferences-manager.svelte.ts'
import type { Route, ThreadListRoute } from '../../kernel/route.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly inboxTabs: InboxTabsManager
  }
}

/** A tab as it stands over the inbox: the whole inbox is the first one, and has no text. */
export interface ShownTab extends Pick<InboxTab, 'id' | 'name'> {
  readonly text: string | null
  /** Null where the inbox itself is counted elsewhere. */
  readonly unread: number | null
}

const WHOLE: ShownTab = { id: 'all', name: 'All', text: null, unread: null }

/** The address of an inbox, whole or a tab of it. */
export const tabRoute = (inboxId: string, { text }: Pick<ShownTab, 'text'>): Route => ({
  ...{ view: 'folder', inboxId, folder: 'inbox', threadId: null },
  ...(text !== null && { tab: text }),
})

export class InboxTabsManager {
  readonly #backend: Backend
  readonly #preferences: PreferencesManager
  #loaded = $state.raw<{ readonly inboxId: string; readonly tabs: readonly InboxTab[] } | null>(null)
  /** The inbox whose tabs are on the screen. */
  #inboxId: string | null = null
  /** The newest look: answers of those before it are late. */
  #looks = 0

  constructor(backend: Backend, preferences: PreferencesManager) {
    this.#backend = backend
    this.#preferences = preferences
    backend.on('savedSearches.changed', () => void this.#load())
  }

  get isSplit(): boolean {
    return this.#preferences.values.splitInbox
  }

  /** Those of a list; none where it is no inbox, or none is split. */
  over(list: ThreadListRoute | Route | null): readonly ShownTab[] {
    if (list?.view !== 'folder' || list.folder !== 'inbox' || !this.isSplit) return []
    const loaded = this.#loaded?.inboxId === list.inboxId ? this.#loaded.tabs : KIND_TABS
    return [WHOLE, ...loaded]
  }

  shown(list: ThreadListRoute | Route | null): ShownTab | undefined {
    const text = list?.view === 'folder' ? (list.tab ?? null) : null
    return this.over(list).find((tab) => tab.text === text)
  }

  /** The tab so many places further; undefined where there is none. */
  beside(list: Route, delta: 1 | -1): ShownTab | undefined {
    const tabs = this.over(list)
    const shown = this.shown(list)
    // From a list that is no tab any more to the first one.
    return shown === undefined ? tabs[0] : tabs[tabs.indexOf(shown) + delta]
  }

  /** Counts the tabs of an inbox from now on. */
  show(inboxId: string): void {
    this.#inboxId = inboxId
    void this.#load()
  }

  async #load(): Promise<void> {
    const inboxId = this.#inboxId
    if (inboxId === null || !this.isSplit) return
    this.#looks += 1
    const look = this.#looks
    const result = await this.#backend.call('inboxTab.list', { inboxId })
    if (result.ok && look === this.#looks) this.#loaded = { inboxId, tabs: result.data }
  }
}
