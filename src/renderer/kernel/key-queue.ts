import { isTextField, typeText } from './text-field.ts'
import { isModifier, isPlainKeyPress } from './name-key.ts'
import type { LoadingPart } from './screen.ts'

/** Milliseconds that keys wait for the mail they act on. */
const MAX_WAIT_MS = 1000
const POLL_MS = 10

/** Keys that act on rows while a list has focus. */
const ROW_KEYS = new Set(['Enter', ' ', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp'])

/** True while an opening menu has not yet taken focus from its button. */
const isOpeningMenu = (element: Element | null): boolean =>
  element?.matches('button[aria-haspopup="menu"][aria-expanded="true"]') === true

/**
 * Holds keys meant for mail that is still loading, with all later keys, and replays them in order once it has loaded.
 * So the user can go to a list, move down and open a thread, or open a menu and choose, without waiting. Chords pass
 * through: scripts can't reproduce what the browser does with some. Esc and the pointer discard held keys.
 */
export class KeyQueue {
  readonly #loadingPart: () => LoadingPart
  readonly #replayed = new WeakSet<Event>()
  #queue: readonly KeyboardEvent[] = []
  #since = 0
  #isScheduled = false

  constructor(loadingPart: () => LoadingPart, signal: AbortSignal) {
    this.#loadingPart = loadingPart
    addEventListener('keydown', (event) => this.#onKeydown(event), { capture: true, signal })
    addEventListener('pointerdown', () => this.#drop(), { capture: true, signal })
    signal.addEventListener('abort', () => this.#drop())
  }

  /** Holds a key. @returns false for a replayed key, which must run now */
  enqueue(event: KeyboardEvent): boolean {
    if (this.#replayed.has(event)) return false
    event.preventDefault()
    event.stopImmediatePropagation()
    if (this.#queue.length === 0) this.#since = performance.now()
    this.#queue = [...this.#queue, event]
    this.#scheduleReplay(POLL_MS)
    return true
  }

  /** Runs before any other key handler of the window. */
  #onKeydown(event: KeyboardEvent): void {
    if (this.#replayed.has(event) || isModifier(event.key) || !isPlainKeyPress(event)) return
    if (event.key === 'Escape') this.#drop()
    else if (this.#queue.length > 0 || this.#isForRows(event) || isOpeningMenu(document.activeElement))
      this.enqueue(event)
  }

  #drop(): void {
    this.#queue = []
  }

  #isForRows(event: KeyboardEvent): boolean {
    return (
      ROW_KEYS.has(event.key) &&
      event.target instanceof Element &&
      event.target.matches('main [role="listbox"]') &&
      this.#loadingPart() === 'list'
    )
  }

  #scheduleReplay(milliseconds: number): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setTimeout(() => this.#replayNext(), milliseconds)
  }

  /** Replays one key per turn, so each takes effect before the next. */
  #replayNext(): void {
    this.#isScheduled = false
    const [event, ...rest] = this.#queue
    if (event === undefined) return
    const isAwaited = this.#loadingPart() !== null || isOpeningMenu(document.activeElement)
    const isWaiting = isAwaited && performance.now() - this.#since < MAX_WAIT_MS
    if (!isWaiting) {
      this.#queue = rest
      this.#replay(event)
    }
    if (this.#queue.length > 0) this.#scheduleReplay(isWaiting ? POLL_MS : 0)
  }

  #replay(event: KeyboardEvent): void {
    const target = document.activeElement ?? document.body
    const { key, code, ctrlKey, altKey, metaKey, shiftKey, repeat } = event
    const modifierAltGraph = event.getModifierState('AltGraph')
    const replayed = new KeyboardEvent('keydown', {
      ...{ key, code, ctrlKey, altKey, metaKey, shiftKey, repeat, modifierAltGraph },
      bubbles: true,
      cancelable: true,
    })
    this.#replayed.add(replayed)
    target.dispatchEvent(replayed)
    // Synthetic keys don't insert text.
    if (isTextField(target) && !replayed.defaultPrevented && key.length === 1 && isPlainKeyPress(event)) typeText(key)
  }
}
