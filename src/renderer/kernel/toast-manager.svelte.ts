import type { Problem } from '../../shared/result.ts'

export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'problem'
  /** The button that takes the change back; null where there is nothing to take back. */
  readonly undo: (() => void) | null
}

/** Milliseconds that a toast stays when nobody points at it. Problems stay longer: they are read for the first time. */
const STAY: Readonly<Record<Toast['tone'], number>> = { plain: 8000, problem: 20_000 }
const MOST = 3

/** Short sentences about what just happened. */
export class ToastManager {
  #toasts = $state.raw<readonly Toast[]>([])
  #lastId = 0

  get toasts(): readonly Toast[] {
    return this.#toasts
  }

  say(text: string, undo: (() => void) | null = null): number {
    return this.#add(text, 'plain', undo)
  }

  problem({ message }: Problem): number {
    // The same trouble, reported again while it is still on the screen, is one trouble.
    this.#toasts = this.#toasts.filter((toast) => toast.text !== message)
    return this.#add(message, 'problem', null)
  }

  dismiss(id: number): void {
    this.#toasts = this.#toasts.filter((toast) => toast.id !== id)
  }

  /** How long the toast stays, in milliseconds. */
  stayOf(toast: Toast): number {
    return STAY[toast.tone]
  }

  #add(text: string, tone: Toast['tone'], undo: (() => void) | null): number {
    this.#lastId += 1
    const id = this.#lastId
    this.#toasts = [...this.#toasts, { id, text, tone, undo }].slice(-MOST)
    return id
  }
}
