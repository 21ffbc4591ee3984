/* eslint-disable svelte/prefer-svelte-reactivity -- immutable: its maps and sets are replaced, never mutated */
import { getListTime } from '../../../shared/thread-state.ts'
import type { ListedThread } from '../../../shared/model.ts'
import type { ChosenThreads } from './chosen-threads.ts'
import type { ThreadRows } from './thread-rows.svelte.ts'

/** Every thread that was in the list at the time of selection, with exceptions. */
interface WholeListSelection {
  /** Time of the selection, milliseconds since the epoch. */
  readonly at: number
  /** Latest activity of the newest thread then; later arrivals are not included. */
  readonly upTo: number
  readonly total: number
  readonly except: ReadonlySet<string>
}

/** A whole-list selection with threads added or removed. @param newer rows that arrived above it */
const withThreads = (
  { at, upTo, total, except }: WholeListSelection,
  threads: readonly ListedThread[],
  isSelected: boolean,
  newer: readonly ListedThread[],
): WholeListSelection => {
  const ids = new Set(threads.map(({ id }) => id))
  const others = [...except].filter((id) => !ids.has(id))
  if (!isSelected) return { at, upTo, total, except: new Set([...others, ...ids]) }
  // Including a later arrival would include the rows between, which the user did not select.
  const wanted = newer.filter(({ id }) => ids.has(id))
  const now = Math.max(upTo, ...wanted.map(({ receivedAt }) => receivedAt))
  const taken = newer.filter(({ receivedAt }) => receivedAt <= now)
  const between = taken.flatMap(({ id }) => (ids.has(id) ? [] : [id]))
  return { at, upTo: now, total: total + taken.length, except: new Set([...others, ...between]) }
}

type Picked = ReadonlyMap<string, ListedThread>

const NONE: Picked = new Map()

/** Selected threads that commands act on: individual ones, or an entire list including rows never loaded. */
export class ThreadSelection {
  readonly #rows: () => ThreadRows | null
  #picked = $state.raw<Picked>(NONE)
  #whole = $state.raw<WholeListSelection | null>(null)
  /** Row that a range starts from, and what else was selected then. */
  #anchor: { readonly id: string; readonly besides: Picked } | null = null
  /** Pending restore of selected rows, or null. */
  #pendingRestore: Promise<unknown> | null = null
  /** Selected threads that changed since. */
  readonly #changed = new Set<string>()
  /** Rows that arrived above a whole-list selection; null if unknown. */
  readonly #newer = $derived.by((): readonly ListedThread[] | null => {
    if (this.#whole === null) return []
    return this.#rows()?.newerThan(this.#whole.upTo) ?? null
  })
  readonly #threads = $derived.by((): readonly ListedThread[] => {
    const rows = this.#rows()
    if (rows === null) return []
    if (this.#whole !== null) return rows.loaded().filter((thread) => this.has(thread))
    const now = new Map(rows.loaded().map((thread) => [thread.id, thread]))
    return [...this.#picked.values()].map((thread) => now.get(thread.id) ?? thread)
  })
  readonly chosen = $derived.by((): ChosenThreads | null => {
    const rows = this.#rows()
    const [inboxId] = rows?.query.inboxIds ?? []
    if (rows === null || inboxId === undefined || this.size === 0) return null
    const whole = this.#whole
    return {
      inboxId,
      threads: this.#threads,
      count: this.size,
      hasUnloaded: whole !== null && (rows.hasMore || this.#threads.length < this.size),
      matching: whole === null ? null : { query: rows.query, upTo: whole.upTo, except: [...whole.except] },
      areSelected: true,
    }
  })

  constructor(rows: () => ThreadRows | null) {
    this.#rows = rows
  }

  get isEmpty(): boolean {
    return this.#whole === null && this.#picked.size === 0
  }

  /** Number of selected threads; for an entire list that isn't fully loaded, only those known to be in it. */
  get size(): number {
    const whole = this.#whole
    if (whole === null) return this.#picked.size
    const rows = this.#rows()
    const total = rows?.total ?? 0
    // If the top of the list was not reread, the number of new rows is unknown.
    const isKnown = this.#newer !== null && rows?.isCurrentTo(whole.upTo) === true
    const meant = isKnown ? total - this.#newer.length : Math.min(whole.total, total)
    return Math.max(0, meant - whole.except.size)
  }

  /** True if the entire list is selected rather than individual threads. */
  get isWhole(): boolean {
    return this.#whole !== null
  }

  /** Unselected part of an entire list; null if threads were picked individually. */
  get left(): {
    /** Time of the selection, milliseconds since the epoch. */
    readonly at: number
    /** Threads removed since, and threads that arrived since. */
    readonly out: number
    readonly newer: number
  } | null {
    const whole = this.#whole
    return whole === null ? null : { at: whole.at, out: whole.except.size, newer: this.#newer?.length ?? 0 }
  }

  has({ id, receivedAt }: Pick<ListedThread, 'id' | 'receivedAt'>): boolean {
    if (this.#whole === null) return this.#picked.has(id)
    return receivedAt <= this.#whole.upTo && !this.#whole.except.has(id)
  }

  /** Toggles a thread and starts a range from it. */
  toggle(thread: ListedThread): void {
    this.#setSelected([thread], !this.has(thread))
    this.#anchor = { id: thread.id, besides: this.#picked }
  }

  /**
   * Extends the range from its start to a row, and deselects rows of the earlier range that are now outside. Skips rows
   * not loaded.
   * @param from start of the range if there is none yet
   */
  extend(from: number, to: number): void {
    const rows = this.#rows()
    if (rows === null) return
    const beginning = rows.at(from)
    this.#anchor ??= beginning === undefined ? null : { id: beginning.id, besides: this.#picked }
    if (this.#anchor === null) return
    const { id, besides } = this.#anchor
    const at = rows.indexOf(id)
    const start = at === -1 ? from : at
    const range = Array.from(
      { length: Math.abs(to - start) + 1 },
      (_, step) => rows.at(start + (to < start ? -step : step)) ?? [],
    ).flat()
    if (this.#whole !== null) this.#setSelected(range, true)
    else this.#picked = new Map([...besides, ...range.map((thread) => [thread.id, thread] as const)])
  }

  addLoaded(): void {
    this.#setSelected(this.#rows()?.loaded() ?? [], true)
  }

  addWholeList(): void {
    const rows = this.#rows()
    const first = rows?.at(0)
    if (rows === null || first === undefined) return
    const at = Date.now()
    // In another order, the newest row may not be loaded.
    const upTo = Math.max(...rows.loaded().map(getListTime), rows.order === 'newest' ? getListTime(first) : at)
    this.#whole = { at, upTo, total: rows.total, except: new Set() }
    this.#picked = NONE
    this.#anchor = null
  }

  clear(): void {
    this.#picked = NONE
    this.#whole = null
    this.#anchor = null
    this.#changed.clear()
  }

  /**
   * Records the selection.
   * @returns a function that restores it in the list displayed then; rows may be missing until its argument resolves
   */
  capture(): (settled: Promise<unknown>) => void {
    const [picked, whole, anchor] = [this.#picked, this.#whole, this.#anchor]
    return (settled) => {
      this.#picked = picked
      this.#whole = whole
      this.#anchor = anchor
      this.#changed.clear()
      this.#pendingRestore = settled
      void settled.finally(() => {
        if (this.#pendingRestore === settled) this.#pendingRestore = null
      })
    }
  }

  /** Notes changed threads; the next reread shows whether they are still in the list. */
  noteChanged(threadIds: readonly string[]): void {
    if (this.#pendingRestore !== null) return
    for (const id of threadIds) if (this.#picked.has(id)) this.#changed.add(id)
  }

  /**
   * Deselects changed threads that a reread no longer shows. Keeps any that may be in the part not reread: latest
   * activity only grows, so a thread never moves further down.
   */
  dropLost(): void {
    const rows = this.#rows()
    if (rows === null || this.#changed.size === 0) return
    const settled = [...this.#changed].filter((id) => rows.isCurrentTo(this.#picked.get(id)?.receivedAt ?? 0))
    for (const id of settled) this.#changed.delete(id)
    const lost = new Set(settled.filter((id) => rows.indexOf(id) === -1))
    if (lost.size === 0) return
    this.#picked = new Map([...this.#picked].filter(([id]) => !lost.has(id)))
    this.#anchor = null
  }

  #setSelected(threads: readonly ListedThread[], isSelected: boolean): void {
    if (this.#whole !== null) {
      this.#whole = withThreads(this.#whole, threads, isSelected, this.#newer ?? [])
      return
    }
    const next = new Map(this.#picked)
    for (const thread of threads) {
      if (isSelected) next.set(thread.id, thread)
      else next.delete(thread.id)
    }
    this.#picked = next
  }
}
