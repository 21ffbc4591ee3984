import { isOverlayOpen } from '../kernel/listen-for-keys.ts'
import type { Session, Shell } from '../kernel/session.ts'
import {
  MAX_SNAPSHOT_IDS,
  MAX_SNAPSHOT_LENGTH,
  VOID_ELEMENTS,
  isSnapshotAttribute,
  SNAPSHOT_ELEMENTS,
} from '../../shared/startup-snapshot.ts'
import { escapeHtml } from '../../shared/escape-html.ts'

/** An element's child nodes as snapshot markup. Elements that aren't allowed are dropped with their content. */
export const serializeSnapshot = (parent: Element): string => {
  let markup = ''
  for (const node of parent.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) markup += escapeHtml(node.textContent ?? '')
    if (!(node instanceof Element) || !SNAPSHOT_ELEMENTS.has(node.localName)) continue
    const name = node.localName
    markup += `<${name}`
    for (const attribute of node.attributes) {
      const { name: attributeName, value } = attribute
      if (isSnapshotAttribute(attributeName, value)) markup += ` ${attributeName}="${escapeHtml(value)}"`
    }
    markup += VOID_ELEMENTS.has(name) ? '>' : `>${serializeSnapshot(node)}</${name}>`
  }
  return markup
}

/** Milliseconds after a change until a snapshot, so it includes related changes and doesn't slow the window. */
const SNAPSHOT_DELAY_MS = 1_500
/** Minimum milliseconds between snapshots. */
const MIN_INTERVAL_MS = 5_000

/** Changes that require a new snapshot. The last two also discard the stored one. */
const CHANGES = [
  ...(['threads.changed', 'inboxes.changed', 'labels.changed'] as const),
  ...(['account.changed', 'preferences.changed'] as const),
]

/** The window as it looks after a start, with the cursor on the first row. */
const withCursorOnTop = (window: Element): Element => {
  const copy = window.cloneNode(true) as Element
  const [first, ...others] = copy.querySelectorAll('main [role="option"]')
  for (const row of others) row.classList.remove('active')
  first?.classList.add('active')
  return copy
}

/** Stores the inbox shown in the window, for the next start's first frame (shared/startup-snapshot.ts). */
export class SnapshotStore {
  readonly #session: Session
  readonly #shell: Shell
  readonly #window: Element
  #timer: ReturnType<typeof setTimeout> | undefined
  #storedAt = -MIN_INTERVAL_MS

  constructor(shell: Shell, session: Session, window: Element, ending: AbortSignal) {
    this.#shell = shell
    this.#session = session
    this.#window = window
    const scopedBackend = shell.backend.until(ending)
    for (const name of CHANGES) scopedBackend.on(name, () => this.storeSoon())
    ending.addEventListener('abort', () => clearTimeout(this.#timer))
  }

  storeSoon(): void {
    const pause = Math.max(SNAPSHOT_DELAY_MS, this.#storedAt + MIN_INTERVAL_MS - performance.now())
    this.#timer ??= setTimeout(() => requestIdleCallback(() => this.#store()), pause)
  }

  #store(): void {
    this.#timer = undefined
    const shown = this.#visibleThreads()
    if (shown === null) return
    this.#storedAt = performance.now()
    const markup = serializeSnapshot(withCursorOnTop(this.#window))
    if (markup.length > MAX_SNAPSHOT_LENGTH) return
    const accountIds = this.#shell.account.opened.map(({ id }) => id)
    void this.#shell.backend.call('window.storeSnapshot', { ...shown, accountIds, markup })
  }

  /** Null unless the view is as after a start: an inbox scrolled to the top with nothing open. */
  #visibleThreads(): { readonly inboxId: string; readonly threadIds: readonly string[] } | null {
    const { current } = this.#shell.route
    const { threads } = this.#session
    const isInbox = current.view === 'folder' && current.folder === 'inbox' && current.threadId === null
    if (!isInbox || threads.rows?.phase !== 'ready' || !threads.selection.isEmpty || isOverlayOpen()) return null
    const options = [...this.#window.querySelectorAll('main [role="option"]')]
    const isAtTop = options[0]?.closest('[role="listbox"]')?.scrollTop === 0
    if (!isAtTop || options.length > MAX_SNAPSHOT_IDS) return null
    const threadIds = options.flatMap((_option, index) => threads.rows?.at(index)?.id ?? [])
    return threadIds.length === options.length ? { inboxId: current.inboxId, threadIds } : null
  }
}
