import { isTyping } from './is-typing.ts'
import { isModifier, isPlain } from './name-key.ts'
import type { Arriving } from './screen.ts'
import { typeInto } from './type-into.ts'

/** Milliseconds that keys wait for the mail they act on. */
const PATIENCE = 1000
/** Polling interval in milliseconds. */
const LOOK = 10

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
export class HeldKeys {
  readonly #arriving: () => Arriving
  readonly #again = new WeakSet<Event>()
  #held: readonly KeyboardEvent[] = []
  #since = 0
  #isLooking = false

  constructor(arriving: () => Arriving, signal: AbortSignal) {
    this.#arriving = arriving
    addEventListener('keydown', (event) => this.#take(event), { capture: true, signal })
    addEventListener('pointerdown', () => this.#drop(), { capture: true, signal })
    signal.addEventListener('abort', () => this.#drop())
  }

  /** Holds a key. @returns false for a replayed key, which must run now */
  hold(event: KeyboardEvent): boolean {
    if (this.#again.has(event)) return false
    event.preventDefault()
    event.stopImmediatePropagation()
    if (this.#held.length === 0) this.#since = performance.now()
    this.#held = [...this.#held, event]
    this.#lookIn(LOOK)
    return true
  }

  /** Runs before any other key handler of the window. */
  #take(event: KeyboardEvent): void {
    if (this.#again.has(event) || isModifier(event.key) || !isPlain(event)) return
    if (event.key === 'Escape') this.#drop()
    else if (this.#held.length > 0 || this.#isForRows(event) || isOpeningMenu(document.activeElement)) this.hold(event)
  }

  #drop(): void {
    this.#held = []
  }

  #isForRows(event: KeyboardEvent): boolean {
    return (
      ROW_KEYS.has(event.key) &&
      event.target instanceof Element &&
      event.target.matches('main [role="listbox"]') &&
      this.#arriving() === 'list'
    )
  }

  #lookIn(milliseconds: number): void {
    if (this.#isLooking) return
    this.#isLooking = true
    setTimeout(() => this.#look(), milliseconds)
  }

  /** Replays one key per turn, so each takes effect before the next. */
  #look(): void {
    this.#isLooking = false
    const [event, ...rest] = this.#held
    if (event === undefined) return
    const isAwaited = this.#arriving() !== null || isOpeningMenu(document.activeElement)
    const isWaiting = isAwaited && performance.now() - this.#since < PATIENCE
    if (!isWaiting) {
      this.#held = rest
      this.#strikeAgain(event)
    }
    if (this.#held.length > 0) this.#lookIn(isWaiting ? LOOK : 0)
  }

  #strikeAgain(event: KeyboardEvent): void {
    const target = document.activeElement ?? document.body
    const { key, code, ctrlKey, altKey, metaKey, shiftKey, repeat } = event
    const modifierAltGraph = event.getModifierState('AltGraph')
    const again = new KeyboardEvent('keydown', {
      ...{ key, code, ctrlKey, altKey, metaKey, shiftKey, repeat, modifierAltGraph },
      bubbles: true,
      cancelable: true,
    })
    this.#again.add(again)
    target.dispatchEvent(again)
    // Synthetic keys don't insert text.
    if (isTyping(target) && !again.defaultPrevented && key.length === 1 && isPlain(event)) typeInto(key)
  }
}
