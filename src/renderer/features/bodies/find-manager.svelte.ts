import { SvelteSet } from 'svelte/reactivity'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly find: FindManager
  }
}

/** A body that is drawn, in which something can be found. */
export interface FindableBody {
  /** Where it is in the window: plain text itself, or the frame of formatted mail. */
  readonly element: HTMLElement
  /** What its words are in; null until it is drawn. */
  readonly root: () => Element | null
  /** The text that is not drawn yet; empty where all is. */
  readonly undrawn: () => string
  readonly drawMore: () => void
}

/** Whether a person looks for something in what they read, and where it can be found. */
export class FindManager {
  /** The thread, or the e-mail by itself, in which is looked. */
  #openId = $state.raw<string | null>(null)
  #asked = $state(0)
  readonly #bodies = new SvelteSet<FindableBody>()
  #drawn = $state(0)
  #before: HTMLElement | null = null

  /** Whether a person looks for something in this thread, or in this e-mail by itself. */
  isOpenIn(id: string | null): boolean {
    return id !== null && this.#openId === id
  }

  /** Counts how often it was asked for, also while it is open. */
  get asked(): number {
    return this.#asked
  }

  /** Another value each time that something else is drawn. */
  get drawn(): number {
    return this.#drawn + this.#bodies.size
  }

  get bodies(): readonly FindableBody[] {
    return [...this.#bodies]
  }

  open(id: string): void {
    const active = document.activeElement
    if (this.#openId !== id) this.#before = active instanceof HTMLElement ? active : null
    this.#openId = id
    this.#asked += 1
  }

  /** Closes it. @returns what had the focus before, where that is still there */
  close(): HTMLElement | null {
    this.#openId = null
    const before = this.#before
    this.#before = null
    return before?.isConnected === true ? before : null
  }

  /** The thread, or the e-mail by itself, in which is looked; null for none. */
  get openId(): string | null {
    return this.#openId
  }

  /** Where it was looked is not on the screen any more: whoever comes back to it comes to read. */
  leave(id: string | null): void {
    if (this.#openId === id) this.close()
  }

  /** A body is there. @returns what to call when it is gone */
  add(body: FindableBody): () => void {
    this.#bodies.add(body)
    return () => this.#bodies.delete(body)
  }

  redraw(): void {
    this.#drawn += 1
  }
}
