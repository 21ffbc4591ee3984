import type { Problem } from '../../shared/result.ts'

/** What a toast offers: most often the way back. */
interface ToastAction {
  /** In the words of its button. */
  readonly name: 'Undo' | 'Redo'
  readonly run: () => void
}

/** What else could be done now, beside the way back. */
export interface ToastOffer {
  readonly name: string
  readonly run: () => void
}

export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'problem'
  /** Its button; null where there is nothing to do about it. */
  readonly action: ToastAction | null
  readonly offer: ToastOffer | null
  /** Milliseconds that it stays when nobody points at it; null where it stays until it is dismissed. */
  readonly stay: number | null
}

const STAY = 10_000

/** Problems that wait to be read; beyond that the oldest go. */
const MOST_PROBLEMS = 5

/**
 * Short sentences about what just happened, one at a time: a newer one takes the place of the one before it. Problems wait
 * for each other and stay until they are dismissed.
 */
export class ToastManager {
  #plain = $state.raw<Toast | null>(null)
  #problems = $state.raw<readonly Toast[]>([])
  #lastId = 0

  /** The one on the screen; null where there is none. */
  get shown(): Toast | null {
    return this.#plain ?? this.#problems[0] ?? null
  }

  /** The one on the screen and the problems that wait for their turn, the newest last. */
  get toasts(): readonly Toast[] {
    return this.#plain === null ? this.#problems : [...this.#problems, this.#plain]
  }

  say(text: string, action: ToastAction | null = null, stay = STAY, offer: ToastOffer | null = null): number {
    this.#plain = this.#toast({ text, tone: 'plain', action, offer, stay })
    return this.#plain.id
  }

  problem({ message }: Problem): number {
    const toast = this.#toast({ text: message, tone: 'problem', action: null, offer: null, stay: null })
    // What went wrong is seen at once; the way back from what was said before stays with the keys.
    this.#plain = null
    this.#problems = [...this.#problems.filter(({ text }) => text !== message), toast].slice(-MOST_PROBLEMS)
    return toast.id
  }

  /** Says it in other words, where it is still on the screen. */
  reword(id: number, text: string, action = this.#plain?.action ?? null): void {
    if (this.#plain?.id === id)
      this.#plain = { ...this.#plain, text, action, stay: action === null ? STAY : this.#plain.stay }
  }

  dismiss(id: number): void {
    if (this.#plain?.id === id) this.#plain = null
    this.#problems = this.#problems.filter((toast) => toast.id !== id)
  }

  #toast(about: Omit<Toast, 'id'>): Toast {
    this.#lastId += 1
    return { id: this.#lastId, ...about }
  }
}
