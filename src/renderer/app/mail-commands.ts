import { createContext, tick } from 'svelte'
import type { Folder, Thread } from '../../shared/model.ts'
import { scopeOf } from '../../shared/thread-query.ts'
import { inEveryFolder, isAnywhere } from '../features/search/edit-search.ts'
import { movesOf, type ThreadMove } from '../features/threads/thread-moves.ts'
import type { ListCursor } from '../ui/list-cursor.svelte.ts'
import type { RowSource } from '../ui/row-source.ts'
import { isThreadRoute, type ThreadRoute } from '../kernel/route.ts'
import type { Session, Shell } from '../kernel/session.ts'
import type { ShortcutCommand } from './shortcuts.ts'

/** What the frame does for commands that are about its parts rather than about mail. */
interface FrameParts {
  readonly focusSearch: () => void
  readonly showShortcuts: () => void
  /** Puts the focus into the list that is shown. */
  readonly focusList: () => void
  /** The same where the focus is beside the list and what is open: in the side bar, or nowhere. */
  readonly focusListFromOutside: () => void
}

/** Everything that a key or a button of the toolbar does, on whatever the window shows at that moment. */
export class MailCommands {
  readonly #shell: Shell
  readonly #session: Session
  readonly #frame: FrameParts

  constructor(shell: Shell, session: Session, frame: FrameParts) {
    this.#shell = shell
    this.#session = session
    this.#frame = frame
  }

  run(command: ShortcutCommand): void {
    this.#commands[command]()
  }

  /** Opens a thread of the list that is shown. */
  openThread(threadId: string): void {
    const route = this.#threadRoute()
    if (route === null) return
    // From thread to thread is one step: "back" returns to where a person came from, not through every e-mail.
    if (route.threadId === null) this.#shell.route.go({ ...route, threadId })
    else this.#shell.route.replace({ ...route, threadId })
  }

  openReceived(id: string): void {
    this.#shell.route.go({ view: 'received', id })
  }

  openSent(id: string): void {
    this.#shell.route.go({ view: 'sent', id })
  }

  openContact(id: string): void {
    this.#shell.route.go({ view: 'contacts', id })
  }

  /** Moves the cursor of the list that is shown by so many rows; where something is open beside it, that follows. */
  step(delta: number): void {
    const { threads, contacts, received, sent } = this.#session
    // Enter opens what the cursor came to, and not once more the folder whose link was pressed.
    this.#frame.focusListFromOutside()
    const route = this.#shell.route.current
    if (isThreadRoute(route)) {
      this.#stepIn(threads.rows, threads.cursor, delta, route.threadId !== null, (id) => this.openThread(id))
    } else if (route.view === 'contacts') {
      this.#stepIn(contacts.list, contacts.cursor, delta, route.id !== null, (id) =>
        this.#shell.route.replace({ view: 'contacts', id }),
      )
    } else if (route.view === 'received') {
      this.#stepIn(received.list, received.cursor, delta, route.id !== null, (id) =>
        this.#shell.route.replace({ view: 'received', id }),
      )
    } else if (route.view === 'sent') {
      this.#stepIn(sent.list, sent.cursor, delta, route.id !== null, (id) =>
        this.#shell.route.replace({ view: 'sent', id }),
      )
    }
  }

  /** Moves the open thread, else the one under the cursor. The next one takes its place before the engine answers. */
  move(move: ThreadMove): void {
    const thread = this.#target()
    if (thread === null) return
    const { threads } = this.#session
    const neighbour = threads.neighbourOf(thread.id)
    const isLeaving = threads.loses(thread, { folder: move.folder })
    void this.#session.actions.change(thread, { folder: move.folder }, move.said)
    const route = this.#threadRoute()
    if (route?.threadId === thread.id && isLeaving) {
      this.#shell.route.replace({ ...route, threadId: neighbour })
    }
  }

  /** Scrolls what is being read; at its end, or where nothing is open, goes on to the next. */
  readOn(direction: 1 | -1): void {
    if (!this.#isReading()) {
      if (direction === 1) this.#openAtCursor()
    } else if (!this.#session.reading.scroll(direction)) {
      this.step(direction)
    }
  }

  /** Puts the focus into the list that is shown. */
  focusList(): void {
    this.#frame.focusList()
  }

  setRead(read: boolean): void {
    const thread = this.#target()
    if (thread === null || thread.read === read) return
    void this.#session.actions.change(thread, { read }, read ? 'Marked as read.' : 'Marked as unread.')
  }

  /** Opens the dialog "Share link" for the newest e-mail of the open thread. */
  shareNewest(): void {
    const newest = this.#session.conversation.conversation?.emails.at(-1)
    if (newest !== undefined) this.#session.shareLink.open(newest)
  }

  /** Whether a search has found nothing, wherever it was asked, and there are folders in which it did not look. */
  get canWiden(): boolean {
    const { threads } = this.#session
    const { rows } = threads
    if (threads.route?.view !== 'search' || rows === null || threads.isFaulty || threads.isTyped) return false
    return rows.phase === 'ready' && rows.total === 0 && !rows.isRefused && !isAnywhere(scopeOf(rows.query))
  }

  /** Looks for the same in every folder. */
  widen(): void {
    const route = this.#shell.route.current
    if (route.view !== 'search') return
    const query = inEveryFolder(route.query)
    this.#shell.route.go({ ...route, query, threadId: null })
  }

  goFolder(folder: Folder): void {
    const { id } = this.#session.inbox
    if (id !== null) this.#shell.route.go({ view: 'folder', inboxId: id, folder, threadId: null })
  }

  readonly #commands: Readonly<Record<ShortcutCommand, () => void>> = {
    next: () => this.step(1),
    previous: () => this.step(-1),
    open: () => this.#openAtCursor(),
    back: () => this.#back(),
    readOn: () => this.readOn(1),
    readBack: () => this.readOn(-1),
    pageOn: () => void this.#session.reading.scroll(1),
    pageBack: () => void this.#session.reading.scroll(-1),
    archive: () => this.#moveTo('archive'),
    trash: () => this.#moveTo('trash'),
    spam: () => this.#moveTo('spam'),
    markRead: () => this.setRead(true),
    markUnread: () => this.setRead(false),
    undo: () => this.#session.actions.undoLast(),
    goInbox: () => this.goFolder('inbox'),
    goSent: () => this.goFolder('sent'),
    goArchive: () => this.goFolder('archive'),
    goContacts: () => this.#shell.route.go({ view: 'contacts', id: null }),
    search: () => this.#frame.focusSearch(),
    syncNow: () => void this.#session.sync.syncNow(),
    help: () => this.#frame.showShortcuts(),
  }

  #threadRoute(): ThreadRoute | null {
    const route = this.#shell.route.current
    return isThreadRoute(route) ? route : null
  }

  /** The open thread, else the one under the cursor. */
  #target(): Thread | null {
    const route = this.#threadRoute()
    const { threads, conversation } = this.#session
    if (route === null || threads.rows === null) return null
    if (route.threadId !== null) return threads.thread(route.threadId) ?? conversation.conversation?.thread ?? null
    return threads.cursor.row(threads.rows) ?? null
  }

  #moveTo(folder: ThreadMove['folder']): void {
    const thread = this.#target()
    const move = thread === null ? undefined : movesOf(thread).find((each) => each.folder === folder)
    if (move !== undefined) this.move(move)
  }

  /** Whether something is open beside its list. */
  #isReading(): boolean {
    const route = this.#shell.route.current
    if (isThreadRoute(route)) return route.threadId !== null
    return 'id' in route && route.id !== null
  }

  #openAtCursor(): void {
    const { threads, contacts, received, sent } = this.#session
    const route = this.#shell.route.current
    if (isThreadRoute(route) && threads.rows !== null) {
      const row = threads.cursor.row(threads.rows)
      if (row !== undefined) this.openThread(row.id)
      else if (this.canWiden) this.widen()
    } else if (route.view === 'contacts') {
      const row = contacts.cursor.row(contacts.list)
      if (row !== undefined) this.openContact(row.id)
    } else if (route.view === 'received') {
      const row = received.cursor.row(received.list)
      if (row !== undefined) this.openReceived(row.id)
    } else if (route.view === 'sent') {
      const row = sent.cursor.row(sent.list)
      if (row !== undefined) this.openSent(row.id)
    }
  }

  /** From what is open to its list, and from a search to the inbox. */
  #back(): void {
    const { route } = this.#shell
    const current = route.current
    if (isThreadRoute(current) && current.threadId !== null) {
      route.go({ ...current, threadId: null })
      void this.#focusListSoon()
    } else if (current.view === 'search') {
      route.go({ view: 'folder', inboxId: current.inboxId, folder: 'inbox', threadId: null })
    } else if (
      (current.view === 'contacts' || current.view === 'received' || current.view === 'sent') &&
      current.id !== null
    ) {
      route.go({ view: current.view, id: null })
      void this.#focusListSoon()
    }
  }

  /** When the list is there again: a narrow window has hidden it. */
  async #focusListSoon(): Promise<void> {
    await tick()
    this.#frame.focusList()
  }

  #stepIn<Row extends { readonly id: string }>(
    rows: RowSource<Row> | null,
    cursor: ListCursor<Row>,
    delta: number,
    isOpen: boolean,
    open: (id: string) => void,
  ): void {
    if (rows === null) return
    cursor.moveTo(rows, cursor.index + delta)
    const row = cursor.row(rows)
    if (isOpen && row !== undefined) open(row.id)
  }
}

export const [useCommands, provideCommands] = createContext<MailCommands>()
