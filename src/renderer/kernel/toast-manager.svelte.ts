import type { Problem } from '../../shared/result.ts'

interface ToastAction {
  readonly name: 'Undo' | 'Redo'
  readonly run: () => void
}

/** A button for a next step, next to the toast's action. */
export interface ToastOffer {
  readonly name: string
  readonly run: () => void
}

export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'problem'
  readonly action: ToastAction | null
  readonly offers: readonly ToastOffer[]
  /** Milliseconds on the screen while not hovered; null to stay until dismissed. */
  readonly duration: number | null
}

const DEFAULT_DURATION_MS = 10_000

/** Maximum number of problems kept until they are read. The oldest are dropped first. */
const MAX_PROBLEMS = 5

/** Short messages. A new plain message replaces the previous one; problems queue up and stay until dismissed. */
export class ToastManager {
  #plain = $state.raw<Toast | null>(null)
  #problems = $state.raw<readonly Toast[]>([])
  #lastId = 0

  get shown(): Toast | null {
    return this.#plain ?? this.#problems[0] ?? null
  }

  /** The visible toast and the queued problems, newest last. */
  get toasts(): readonly Toast[] {
    return this.#plain === null ? this.#problems : [...this.#problems, this.#plain]
  }

  show(
    text: string,
    action: ToastAction | null = null,
    duration = DEFAULT_DURATION_MS,
    offer: ToastOffer | null = null,
  ): number {
    this.#plain = this.#toast({ text, tone: 'plain', action, offers: offer === null ? [] : [offer], duration })
    return this.#plain.id
  }

  /** @param offers choosing one also dismisses the problem */
  problem({ message }: Problem, offers: readonly ToastOffer[] = []): number {
    const toast = this.#toast({ text: message, tone: 'problem', action: null, offers, duration: null })
    // A problem is shown at once. The action in the toast that it hides can still be undone from the keyboard.
    this.#plain = null
    this.#problems = [...this.#problems.filter(({ text }) => text !== message), toast].slice(-MAX_PROBLEMS)
    return toast.id
  }

  reword(id: number, text: string, action = this.#plain?.action ?? null): void {
    if (this.#plain?.id === id)
      this.#plain = {
        ...this.#plain,
        text,
        action,
        duration: action === null ? DEFAULT_DURATION_MS : this.#plain.duration,
      }
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
