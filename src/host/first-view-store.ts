import { setTimeout as sleep } from 'node:timers/promises'
import { writeFile } from 'atomically'
import type {
  AddressedEvent,
  AccountsState,
  CallContext,
  CommandInput,
  EventName,
  ParsedInput,
} from '../shared/contract.ts'
import { isStartupCommand, requestKey, type StartupResponse, type StartupCommand } from '../shared/startup-responses.ts'
import type { Preferences } from '../shared/preferences.ts'
import type { ThreadPage } from '../shared/model.ts'
import type { Result } from '../shared/result.ts'
import { isSnapshot } from '../shared/startup-snapshot.ts'
import { toCachedList } from '../shared/thread-query.ts'
import { ALL_INBOXES } from '../shared/unified-ids.ts'
import {
  firstViewPath,
  serializeFirstView,
  type FirstView,
  forgetFirstView,
  MAX_FIRST_VIEW_BYTES,
  digestOrigin,
  type FirstViewInputs,
} from './first-view-file.ts'
import { createSerialQueue } from './serial-queue.ts'
import { SETTINGS_FILE_MODE } from './settings-names.ts'
import type { Host } from './host.ts'

/** Minimum interval between saves, and the longest delay after a change. */
const SAVE_INTERVAL_MS = 10_000
/** Delay before the run's first snapshot is saved. Short, because another window may open at any time. */
const FIRST_SAVE_DELAY_MS = 500
/** Time that closing waits for the save, in milliseconds. Without the save, the next start is only slower. */
const CLOSE_TIMEOUT_MS = 1_000

/** Events after which the view may have changed. */
const CHANGE_EVENTS: ReadonlySet<EventName> = new Set<EventName>([
  ...(['account.changed', 'preferences.changed', 'inboxes.changed', 'labels.changed', 'threads.changed'] as const),
])

/** An inbox's newest threads, as a window rendered them. */
interface Snapshot extends ParsedInput<'window.storeSnapshot'> {
  readonly accountId: string
}

interface StartupRequest {
  readonly name: StartupCommand
  readonly input: unknown
  readonly context: CallContext
}

/** The inbox whose labels or newest threads are requested, or null for any other list and for searches. */
const inboxOf = (name: StartupCommand, input: unknown): string | null => {
  // The host has responded to it, so the input matches the command.
  if (name === 'label.list') return (input as CommandInput<'label.list'>).inboxId
  if (name !== 'thread.list') return null
  const { query, offset } = input as CommandInput<'thread.list'>
  const list = toCachedList(query)
  const isInbox = list !== null && 'folder' in list && list.folder === 'inbox'
  return isInbox && offset === 0 ? (query.inboxIds[0] ?? null) : null
}

/** True if no account needs the user's attention. */
const isSettled = ({ accounts, problem, question }: AccountsState): boolean =>
  problem === null && question === null && accounts.some(({ isOpen }) => isOpen)

interface FirstViewParts {
  readonly host: Pick<Host, 'call' | 'subscribe'> & { readonly preferences: () => Preferences }
  readonly origin: FirstViewInputs
  readonly report: (thrown: unknown) => void
}

export class FirstViewStore {
  readonly #parts: FirstViewParts
  readonly #enqueue = createSerialQueue()
  /** The first request of each kind by any window. The next start makes the same ones. */
  readonly #requests = new Map<string, StartupRequest>()
  /** The inbox whose newest threads were shown last. The next start opens it. */
  #last: { readonly accountId: string; readonly inboxId: string } | null = null
  /** The last rendering of that list. Null after a change that may affect it. */
  #snapshot: Snapshot | null = null
  /** Accounts whose mail is in the file. */
  #savedAccountIds: readonly string[] = []
  /** The file's content. Null after a change that may affect it. */
  #view: FirstView | null = null
  #timer: NodeJS.Timeout | null = null
  readonly #unsubscribe: () => void

  constructor(parts: FirstViewParts) {
    this.#parts = parts
    this.#unsubscribe = parts.host.subscribe((event) => this.#onEvent(event))
  }

  /** The view saved last, for another window to show first. Null if there is none. */
  current(): FirstView | null {
    return this.#view
  }

  /** Call after a window's request got a response. */
  onResponse(name: string, input: unknown, context: CallContext, result: Result<unknown>): void {
    const { accountId } = context
    // A first view has the mail of one account.
    if (!result.ok || accountId === ALL_INBOXES) return
    if (name === 'window.storeSnapshot') {
      // The host has responded to it, so the input matches the command.
      const snapshot = input as ParsedInput<'window.storeSnapshot'>
      this.#snapshot = accountId !== null && isSnapshot(snapshot.markup) ? { ...snapshot, accountId } : null
      if (this.#view !== null) return this.#scheduleSave()
      if (this.#timer !== null) clearTimeout(this.#timer)
      this.#timer = null
      return this.#scheduleSave(FIRST_SAVE_DELAY_MS)
    }
    if (!isStartupCommand(name)) return
    const inboxId = inboxOf(name, input)
    if (name === 'thread.list') {
      if (inboxId === null || accountId === null) return
      this.#last = { accountId, inboxId }
    }
    const place = requestKey(name, inboxId, accountId)
    if (this.#requests.has(place)) return
    this.#requests.set(place, { name, input, context })
    this.#scheduleSave()
  }

  /** Saves a last time, unless the host takes too long to respond. */
  async close(): Promise<void> {
    this.#unsubscribe()
    if (this.#timer !== null) clearTimeout(this.#timer)
    await Promise.race([this.#enqueue(() => this.#save()).catch(this.#parts.report), sleep(CLOSE_TIMEOUT_MS)])
  }

  #onEvent(event: AddressedEvent): void {
    if (!CHANGE_EVENTS.has(event.name)) return
    this.#scheduleSave()
    if (event.name === 'account.changed' || event.name === 'preferences.changed') {
      this.#snapshot = null
      this.#view = null
    }
    if (event.name !== 'account.changed') return
    // Mail of a removed or closed account must not stay in the file until the next save.
    const here = new Set(event.payload.accounts.filter(({ isOpen }) => isOpen).map(({ id }) => id))
    if (this.#savedAccountIds.some((id) => !here.has(id))) this.#enqueue(() => this.#forget()).catch(this.#parts.report)
  }

  #scheduleSave(pause = SAVE_INTERVAL_MS): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#enqueue(() => this.#save()).catch(this.#parts.report)
    }, pause).unref()
  }

  async #save(): Promise<void> {
    const { host, origin: from } = this.#parts
    const origin = digestOrigin(from)
    const answers: StartupResponse[] = []
    for (const { name, input, context } of this.#requests.values()) {
      const inboxId = inboxOf(name, input)
      const isElsewhere =
        inboxId !== null && (inboxId !== this.#last?.inboxId || context.accountId !== this.#last.accountId)
      if (isElsewhere) continue
      const result = await host.call(name, input, { ...context, caller: 'first view' })
      if (result.ok) answers.push({ name, accountId: context.accountId, input, data: result.data })
    }
    const accounts = answers.find(({ name }) => name === 'account.state')?.data as AccountsState | undefined
    const hasList = answers.some(({ name }) => name === 'thread.list')
    if (!hasList || accounts === undefined || !isSettled(accounts)) return this.#forget()
    const view = { preferences: host.preferences(), answers, snapshot: this.#snapshotOf(answers, accounts) }
    const text = serializeFirstView(origin, view)
    // If the view's inputs changed in the meantime, an event announces that and the view is saved again.
    if (Buffer.byteLength(text) > MAX_FIRST_VIEW_BYTES || digestOrigin(from) !== origin) return this.#forget()
    await writeFile(firstViewPath(from.dataDirectory), text, { mode: SETTINGS_FILE_MODE })
    this.#savedAccountIds = answers.flatMap(({ accountId }) => accountId ?? [])
    this.#view = view
  }

  /** The rendering of the thread list, or null if its threads or the open accounts differ. */
  #snapshotOf(answers: readonly StartupResponse[], { accounts }: AccountsState): string | null {
    const list = answers.find(({ name }) => name === 'thread.list')
    if (this.#snapshot === null || list === undefined) return null
    const { accountId, inboxId, accountIds, threadIds, markup } = this.#snapshot
    const open = accounts.filter(({ isOpen }) => isOpen).map(({ id }) => id)
    if (open.toSorted().join() !== accountIds.toSorted().join()) return null
    const { items } = list.data as ThreadPage
    const isSame = threadIds.length > 0 && threadIds.every((id, index) => items[index]?.id === id)
    return isSame && list.accountId === accountId && inboxOf(list.name, list.input) === inboxId ? markup : null
  }

  async #forget(): Promise<void> {
    this.#savedAccountIds = []
    this.#view = null
    await forgetFirstView(this.#parts.origin.dataDirectory)
  }
}
