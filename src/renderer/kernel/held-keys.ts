import { isTyping } from './is-typing.ts'
import { isModifier, isPlain } from './name-key.ts'
import type { Arriving } from './screen.ts'
import { typeInto } from './type-into.ts'

/** Milliseconds that keys wait for the mail that they are about: what is not there by then is not waited for. */
const PATIENCE = 1000
/** Milliseconds between two looks at whether it is there. */
const LOOK = 10

/** With the focus in a list, these are about its rows. */
const ROW_KEYS = new Set(['Enter', ' ', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp'])

/** A menu that is open, as long as its button still has the focus: it is about to take it. */
const isOpeningMenu = (element: Element | null): boolean =>
  element?.matches('button[aria-haspopup="menu"][aria-expanded="true"]') === true

/**
 * Keys that were struck for mail which is on its way, and all that were struck after them: they are struck again, in their order,
 * once it is there. Whoever goes to a list, moves down in it and opens a thread need not wait for the window, nor whoever opens a
 * menu and chooses in it. Chords pass: what the browser does with some of them no script can do. Esc and the pointer drop what
 * is held.
 */
export class HeldKeys {
  readonly #arriving: () => Arriving
  readonly #again = new WeakSet<Event>()
  #held: readonly KeyboardEvent[] = []
  #since = 0
  #isLooking = false

  /** @param arriving what is on its way */
  constructor(arriving: () => Arriving, signal: AbortSignal) {
    this.#arriving = arriving
    addEventListener('keydown', (event) => this.#take(event), { capture: true, signal })
    addEventListener('pointerdown', () => this.#drop(), { capture: true, signal })
    signal.addEventListener('abort', () => this.#drop())
  }

  /** Holds a key. @returns false for one that was held already: it does what it can */
  hold(event: KeyboardEvent): boolean {
    if (this.#again.has(event)) return false
    event.preventDefault()
    event.stopImmediatePropagation()
    if (this.#held.length === 0) this.#since = performance.now()
    this.#held = [...this.#held, event]
    this.#lookIn(LOOK)
    return true
  }

  /** Before anything else in the window hears of a key. */
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

  /** One key at a time: what the window makes of it is there before the next one. */
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
    // What a key that is struck by a script does to a text is nothing.
    if (isTyping(target) && !again.defaultPrevented && key.length === 1 && isPlain(event)) typeInto(key)
  }
}
