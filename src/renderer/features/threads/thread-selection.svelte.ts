/* eslint-disable svelte/prefer-svelte-reactivity -- its maps and sets are values that are replaced, never changed */
import { listTimeOf } from '../../../shared/thread-state.ts'
import type { ListedThread } from '../../../shared/model.ts'
import type { ChosenThreads } from './chosen-threads.ts'
import type { ThreadRows } from './thread-rows.svelte.ts'

/** Every thread of the list that was there when it was selected, but some. */
interface WholeList {
  /** When that was: milliseconds since the epoch. */
  readonly at: number
  /** Latest activity of the newest thread then: what has come in since is no part of it. */
  readonly upTo: number
  /** How many there were. */
  readonly total: number
  readonly except: ReadonlySet<string>
}

/** All of a list with threads put into it or taken out. @param newer what came in above it */
const withPut = (
  { at, upTo, total, except }: WholeList,
  threads: readonly ListedThread[],
  isSelected: boolean,
  newer: readonly ListedThread[],
): WholeList => {
  const ids = new Set(threads.map(({ id }) => id))
  const others = [...except].filter((id) => !ids.has(id))
  if (!isSelected) return { at, upTo, total, except: new Set([...others, ...ids]) }
  // One that came in since takes along what lies between, which nobody has asked for.
  const wanted = newer.filter(({ id }) => ids.has(id))
  const now = Math.max(upTo, ...wanted.map(({ receivedAt }) => receivedAt))
  const taken = newer.filter(({ receivedAt }) => receivedAt <= now)
  const between = taken.flatMap(({ id }) => (ids.has(id) ? [] : [id]))
  return { at, upTo: now, total: total + taken.length, except: new Set([...others, ...between]) }
}

type Picked = ReadonlyMap<string, ListedThread>

const NONE: Picked = new Map()

/**
 * The threads of a list that a person has selected, which commands then act on: some of them by name, or all that the list
 * holds, also those that were never read.
 */
export class ThreadSelection {
  readonly #rows: () => ThreadRows | null
  #picked = $state.raw<Picked>(NONE)
  #whole = $state.raw<WholeList | null>(null)
  /** From which row on a person extends, and what was selected besides. */
  #anchor: { readonly id: string; readonly besides: Picked } | null = null
  /** What brings the rows back that are selected again; null where they are here. */
  #awaited: Promise<unknown> | null = null
  /** Those of them that have changed since. */
  readonly #changed = new Set<string>()
  /** Rows that came in above all that was selected; null where that is not known. */
  readonly #newer = $derived.by((): readonly ListedThread[] | null => {
    if (this.#whole === null) return []
    return this.#rows()?.newerThan(this.#whole.upTo) ?? null
  })
  /** As they are drawn now. */
  readonly #threads = $derived.by((): readonly ListedThread[] => {
    const rows = this.#rows()
    if (rows === null) return []
    if (this.#whole !== null) return rows.atHand().filter((thread) => this.has(thread))
    const now = new Map(rows.atHand().map((thread) => [thread.id, thread]))
    return [...this.#picked.values()].map((thread) => now.get(thread.id) ?? thread)
  })
  readonly #chosen = $derived.by((): ChosenThreads | null => {
    const rows = this.#rows()
    const [inboxId] = rows?.query.inboxIds ?? []
    if (rows === null || inboxId === undefined || this.size === 0) return null
    const whole = this.#whole
    return {
      inboxId,
      threads: this.#threads,
      count: this.size,
      hasOthers: whole !== null && (rows.hasMore || this.#threads.length < this.size),
      matching: whole === null ? null : { query: rows.query, upTo: whole.upTo, except: [...whole.except] },
      areSelected: true,
    }
  })

  /** @param rows of the list that is shown */
  constructor(rows: () => ThreadRows | null) {
    this.#rows = rows
  }

  /** What commands act on; null where nothing is selected. */
  get chosen(): ChosenThreads | null {
    return this.#chosen
  }

  get isEmpty(): boolean {
    return this.#whole === null && this.#picked.size === 0
  }

  /** How many threads are selected; of a list that is not read to its end, those that are known. */
  get size(): number {
    const whole = this.#whole
    if (whole === null) return this.#picked.size
    const rows = this.#rows()
    const total = rows?.total ?? 0
    // Where the top of the list was not read again, nobody knows how many of its rows have come in since.
    const isKnown = this.#newer !== null && rows?.isKnownTo(whole.upTo) === true
    const meant = isKnown ? total - this.#newer.length : Math.min(whole.total, total)
    return Math.max(0, meant - whole.except.size)
  }

  /** Whether all that the list holds is selected, and not only what was picked of it. */
  get isWhole(): boolean {
    return this.#whole !== null
  }

  /** Of all that the list holds, what is not selected; null where what is selected was picked. */
  get left(): {
    /** When all of it was selected: milliseconds since the epoch. */
    readonly at: number
    /** Threads that were taken out since, and those that came in since. */
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

  /** Selects a thread, or takes it out; from it a person extends. */
  toggle(thread: ListedThread): void {
    this.#put([thread], !this.has(thread))
    this.#anchor = { id: thread.id, besides: this.#picked }
  }

  /**
   * Selects from where a person began to the row at an index, and takes out what reached further before. Rows that were
   * not read yet are not among them.
   * @param from the index to begin at, where nothing was begun
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
    if (this.#whole !== null) this.#put(range, true)
    else this.#picked = new Map([...besides, ...range.map((thread) => [thread.id, thread] as const)])
  }

  /** Selects every thread that is at hand. */
  addAtHand(): void {
    this.#put(this.#rows()?.atHand() ?? [], true)
  }

  /** Selects everything that the list holds. */
  addWholeList(): void {
    const rows = this.#rows()
    const newest = rows?.at(0)
    if (rows === null || newest === undefined) return
    this.#whole = { at: Date.now(), upTo: listTimeOf(newest), total: rows.total, except: new Set() }
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
   * Keeps what is selected.
   * @returns selects it again, in whichever list is shown by then; until what it is given ends, rows may still be on their way
   */
  keep(): (settled: Promise<unknown>) => void {
    const [picked, whole, anchor] = [this.#picked, this.#whole, this.#anchor]
    return (settled) => {
      this.#picked = picked
      this.#whole = whole
      this.#anchor = anchor
      this.#changed.clear()
      this.#awaited = settled
      void settled.finally(() => {
        if (this.#awaited === settled) this.#awaited = null
      })
    }
  }

  /** Threads are others than before; whether they are in the list still is known when it has been read again. */
  noteChanged(threadIds: readonly string[]): void {
    if (this.#awaited !== null) return
    for (const id of threadIds) if (this.#picked.has(id)) this.#changed.add(id)
  }

  /**
   * Rows were read again: of what has changed, that which has left the list is not selected any more. What may only be where
   * the list was not read again stays: a thread's latest activity grows, so it can be no further down than it was.
   */
  dropLost(): void {
    const rows = this.#rows()
    if (rows === null || this.#changed.size === 0) return
    const settled = [...this.#changed].filter((id) => rows.isKnownTo(this.#picked.get(id)?.receivedAt ?? 0))
    for (const id of settled) this.#changed.delete(id)
    const lost = new Set(settled.filter((id) => rows.indexOf(id) === -1))
    if (lost.size === 0) return
    this.#picked = new Map([...this.#picked].filter(([id]) => !lost.has(id)))
    this.#anchor = null
  }

  #put(threads: readonly ListedThread[], isSelected: boolean): void {
    if (this.#whole !== null) {
      this.#whole = withPut(this.#whole, threads, isSelected, this.#newer ?? [])
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
