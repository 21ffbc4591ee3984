/* eslint-disable svelte/prefer-svelte-reactivity -- its maps are either immutable or never rendered */
import type { BodyOwner } from '../../../shared/contract.ts'
import type { EmailBodies } from '../../../shared/model.ts'
import { createTextFinder } from '../../../shared/search/word-tokenizer.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { FindableBody, FindManager } from './find-manager.svelte.ts'
import { findRanges, highlightMatches, showRange } from './highlights.ts'
import { mailWorker } from './mail-worker.ts'
import { readBodies } from './read-bodies.ts'

/** A text that can be searched even while it isn't drawn: an e-mail, or a block of a message source. */
export interface SearchableText {
  /** Another one if the text changes. */
  readonly id: string
  readonly bodies: EmailBodies
  readonly of: BodyOwner
  readonly unfold: () => void
  /** True if `unfold` only scrolls, so that typing may do it. */
  readonly isOpen?: boolean
  /** Null while it isn't displayed at all. */
  readonly element: () => HTMLElement | null
}

interface Searched {
  readonly backend: Backend
  readonly find: Readonly<FindManager>
  readonly places: () => readonly SearchableText[]
  readonly scroller: () => HTMLElement | null
}

interface Position {
  readonly id: string
  readonly index: number
}

/** Displayed bodies of a text, and their matches. */
interface Drawn {
  readonly bodies: readonly FindableBody[]
  readonly roots: readonly Element[]
  readonly ranges: readonly Range[]
  /** Number of matches not drawn yet. */
  readonly rest: number
}

/** Milliseconds of work on folded e-mails before yielding to the window. */
const SLICE_MS = 8

/** Steps through matches. Displayed e-mails are searched on screen; in folded ones matches are just counted. */
export class FindCrawl {
  readonly #in: Searched
  readonly #abortController = new AbortController()
  readonly #texts = new WeakMap<EmailBodies, Promise<string>>()
  /** Matches in texts that were searched, drawn or not. */
  #counts = $state.raw<ReadonlyMap<string, number>>(new Map())
  #drawn = $state.raw<ReadonlyMap<string, Drawn>>(new Map())
  #at = $state.raw<Position | null>(null)
  /** Match to go to once drawn, and the direction it was reached from. */
  #wanted: (Position & { readonly delta: 1 | -1 }) | null = null
  #countNumber = 0
  typed = $state('')
  readonly #finder = $derived(createTextFinder(this.typed))

  constructor(searched: Searched) {
    this.#in = searched
  }

  get isAsked(): boolean {
    return this.#finder !== null
  }

  get total(): number {
    return this.#in.places().reduce((sum, { id }) => sum + this.#countOf(id), 0)
  }

  /** Position of the current match, from 1, or null. */
  get number(): number | null {
    const at = this.#at
    if (at === null) return null
    let before = 0
    for (const { id } of this.#in.places()) {
      if (id === at.id) return before + Math.min(at.index, this.#countOf(id) - 1) + 1
      before += this.#countOf(id)
    }
    return null
  }

  start(): void {
    this.#at = null
    this.#wanted = null
    this.#counts = new Map()
    void this.recount()
  }

  /** Goes to the first match from the current position that is displayed or only has to be scrolled to. */
  #goToFirst(): void {
    const open = new Set(this.#in.places().flatMap(({ id, isOpen }) => (isOpen === true ? [id] : [])))
    const order = this.#inOrderFrom(this.#firstVisible())
    const id = order.find(
      (each) => (open.has(each) ? this.#countOf(each) : (this.#drawn.get(each)?.ranges.length ?? 0)) > 0,
    )
    if (id !== undefined) this.#goTo({ id, index: 0 }, 1)
  }

  /** Searches the displayed e-mails, and continues to `#wanted`. */
  search(): void {
    const sought = this.#finder
    const drawn = new Map<string, Drawn>()
    const all = this.#in.find.bodies
    for (const { id, element } of this.#in.places()) {
      const article = element()
      const bodies = all.filter((body) => article?.contains(body.element) === true)
      const roots = bodies.flatMap((body) => body.root() ?? [])
      if (roots.length === 0) continue
      const ranges = sought === null ? [] : findRanges(roots, sought)
      const rest = bodies.reduce((sum, body) => sum + (sought?.countIn(body.unrenderedText?.() ?? '') ?? 0), 0)
      drawn.set(id, { bodies, roots, ranges, rest })
    }
    this.#drawn = drawn
    this.#counts = new Map([
      ...this.#counts,
      ...[...drawn].map(([id, { ranges, rest }]) => [id, ranges.length + rest] as const),
    ])
    this.#highlight()
    const wanted = this.#wanted
    if (wanted === null || !drawn.has(wanted.id)) return
    this.#wanted = null
    // The count may have been wrong, for example because of invisible words.
    if (this.#countOf(wanted.id) === 0) this.go(wanted.delta)
    else this.#goTo(wanted, wanted.delta)
  }

  /** Counts matches in e-mails that aren't displayed, including new ones. */
  async #count(): Promise<void> {
    const counting = (this.#countNumber += 1)
    const sought = this.#finder
    if (sought === null) return
    let turn = performance.now()
    const counts = new Map(this.#counts)
    for (const place of this.#in.places()) {
      if (counts.has(place.id)) continue
      const text = await this.#textOf(place)
      if (counting !== this.#countNumber) return
      counts.set(place.id, sought.countIn(text))
      if (performance.now() - turn < SLICE_MS) continue
      this.#counts = new Map(counts)
      await new Promise((resolve) => setTimeout(resolve, 0))
      if (counting !== this.#countNumber) return
      turn = performance.now()
    }
    this.#counts = counts
  }

  /** Call when e-mails arrive or folds change. Goes to the first match if typed before the mail was drawn. */
  async recount(): Promise<void> {
    this.search()
    if (this.#at === null) this.#goToFirst()
    await this.#count()
    if (this.#at === null) this.#goToFirst()
  }

  /** Goes to the next or previous match, wrapping around. */
  go(delta: 1 | -1): void {
    const at = this.#at
    const index = (at?.index ?? -1) + delta
    if (at !== null && index >= 0 && index < this.#countOf(at.id)) {
      this.#goTo({ id: at.id, index }, delta)
      return
    }
    const order = this.#inOrderFrom(at?.id ?? this.#firstVisible())
    const onwards = at === null ? order : [...order.slice(1), at.id]
    const backwards = [...order.slice(1).toReversed(), ...order.slice(0, 1)]
    const id = (delta === 1 ? onwards : backwards).find((each) => this.#countOf(each) > 0)
    if (id !== undefined) this.#goTo({ id, index: delta === 1 ? 0 : this.#countOf(id) - 1 }, delta)
  }

  end(): void {
    this.#abortController.abort()
    this.#countNumber += 1
    this.#drawn = new Map([...this.#drawn].map(([id, drawn]) => [id, { ...drawn, ranges: [] }]))
    this.#highlight()
  }

  #goTo(to: Position, delta: 1 | -1): void {
    const drawn = this.#drawn.get(to.id)
    if (drawn === undefined) {
      this.#at = to
      this.#wanted = { ...to, delta }
      this.#in
        .places()
        .find(({ id }) => id === to.id)
        ?.unfold()
      return
    }
    const { bodies, ranges, rest } = drawn
    const index = Math.min(to.index, ranges.length + rest - 1)
    const at = { id: to.id, index }
    this.#at = at
    const range = ranges[index]
    if (range === undefined) {
      this.#wanted = { id: to.id, index, delta }
      bodies.find((body) => (body.unrenderedText?.() ?? '') !== '')?.renderMore?.()
      return
    }
    this.#highlight()
    const scroller = this.#in.scroller()
    if (scroller !== null) void showRange(range, scroller, () => this.#at === at)
  }

  #highlight(): void {
    const drawn = [...this.#drawn.values()]
    const { id = '', index = 0 } = this.#at ?? {}
    highlightMatches(
      drawn.flatMap(({ roots }) => roots),
      drawn.flatMap(({ ranges }) => ranges),
      this.#drawn.get(id)?.ranges[index] ?? null,
    )
  }

  #countOf(id: string): number {
    return this.#counts.get(id) ?? 0
  }

  /** All e-mails in order from this one, wrapping around. */
  #inOrderFrom(id: string | null): readonly string[] {
    const ids = this.#in.places().map((place) => place.id)
    const from = Math.max(0, ids.indexOf(id ?? ''))
    return [...ids.slice(from), ...ids.slice(0, from)]
  }

  #firstVisible(): string | null {
    const top = this.#in.scroller()?.getBoundingClientRect().top ?? 0
    const first = this.#in.places().find(({ element }) => (element()?.getBoundingClientRect().bottom ?? 0) > top)
    return first?.id ?? null
  }

  /** Text of an e-mail that isn't displayed. HTML is converted in a worker. */
  #textOf(place: SearchableText): Promise<string> {
    const text = this.#texts.get(place.bodies) ?? this.#readText(place)
    this.#texts.set(place.bodies, text)
    return text
  }

  async #readText({ bodies, of }: SearchableText): Promise<string> {
    const { signal } = this.#abortController
    const read = bodies.apart === null ? null : await readBodies(this.#in.backend, of, bodies.apart, signal)
    const { html, text } = read?.ok === true ? read.data : bodies
    if (html === null || html.trim() === '') return text ?? ''
    return mailWorker()
      .htmlToSearchText(html)
      .catch(() => text ?? '')
  }
}
