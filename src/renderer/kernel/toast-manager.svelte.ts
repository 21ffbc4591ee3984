import type { Problem } from '../../shared/result.ts'

/** What a toast offers: most often the way back. */
interface ToastAction {
  /** In the words of its button. */
  readonly name: 'Undo' | 'Redo'
  readonly run: () => void
}

export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'problem'
  /** Its button; null where there is nothing to do about it. */
  readonly action: ToastAction | null
}

/** Milliseconds that a toast stays when nobody points at it. Problems stay longer: they are read for the first time. */
const STAY: Readonly<Record<Toast['tone'], number>> = { plain: 10_000, problem: 20_000 }
const MOST = 3

/** Short sentences about what just happened. */
export class ToastManager {
  #toasts = $state.raw<readonly Toast[]>([])
  #lastId = 0

  get toasts(): readonly Toast[] {
    return this.#toasts
  }

  say(text: string, action: ToastAction | null = null): number {
    return this.#add(text, 'plain', action)
  }

  problem({ message }: Problem): number {
    return this.#add(message, 'problem', null)
  }

  /** Says it in other words, where it is still on the screen. */
  reword(id: number, text: string): void {
    this.#toasts = this.#toasts.map((toast) => (toast.id === id ? { ...toast, text } : toast))
  }

  dismiss(id: number): void {
    this.#toasts = this.#toasts.filter((toast) => toast.id !== id)
  }

  /** How long the toast stays, in milliseconds. */
  stayOf(toast: Toast): number {
    return STAY[toast.tone]
  }

  #add(text: string, tone: Toast['tone'], action: ToastAction | null): number {
    this.#lastId += 1
    const id = this.#lastId
    // The same, said again while it is still on the screen, is said once; what has a button is about something of its own.
    const others = this.#toasts.filter((toast) => action !== null || toast.action !== null || toast.text !== text)
    this.#toasts = [...others, { id, text, tone, action }].slice(-MOST)
    return id
  }
}
