import type { Command, CommandContext, Commands } from './commands.ts'
import { HeldKeys } from './held-keys.ts'
import { isTyping } from './is-typing.ts'
import { isModifier, nameChord } from './name-key.ts'

const PRESSED = 'button, summary, input, [role="switch"], [role="separator"]'

/** Enter, Delete and Space belong to the button that has the focus, the first two to a link as well. */
const isPressed = (key: string, target: EventTarget | null): boolean => {
  if (!(target instanceof Element)) return false
  if (key === 'Enter' || key === 'Delete') return target.closest(`a[href], ${PRESSED}`) !== null
  return key === ' ' && target.closest(PRESSED) !== null
}

/** What has keys of its own while it is open. */
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"]'
/** It is on the screen for a moment after it was closed, when the focus is already back where it was. */
const OPEN_OVERLAYS = `:is(${OVERLAYS}):not([data-state="closed"])`

/** Whether a dialog or a menu is open, below which nothing is to change. */
export const isOverlayOpen = (): boolean => document.querySelector(OPEN_OVERLAYS) !== null

/** Whether a key was meant for a dialog or a menu: for one that is open, or one that this key itself has closed. */
const isForOverlay = (target: EventTarget | null): boolean =>
  (target instanceof Element && target.closest(OVERLAYS) !== null) || isOverlayOpen()

/** No letter comes of these, so that they mean the same in a text field. */
const isNoText = (chord: string): boolean => chord.startsWith('Mod+') || /^F\d+$/.test(chord)

const ROWS = 'main [role="listbox"]'
/** What has the focus while a list has no rows. */
const NO_ROWS = 'main, main :is(h1, h2)[tabindex]'

/** Whether a key was struck in the list, with rows or without. */
const isInList = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  (target.matches(ROWS) || (document.querySelector(ROWS) === null && target.matches(NO_ROWS)))

/** What these act on is a row or what is open; whatever else is in a group needs none (`when`). */
const ABOUT_MAIL: ReadonlySet<Command['group']> = new Set(['Threads', 'Selection', 'Reading', 'Actions', 'Writing'])

/**
 * Runs commands by their keys until the signal. Keys do nothing while a text field has the focus, `Escape` and the chords
 * of commands that say so aside, and nothing while a dialog or a menu is open but those of commands that say so (ui.md, "Keys").
 * Those about mail that is on its way wait for it.
 * @param inFocus what they act on at that moment, where that is not what the window is at
 */
export const listenForKeys = (
  all: Commands,
  signal: AbortSignal,
  inFocus: () => Partial<CommandContext> = () => ({}),
): void => {
  const { keymap } = all
  const held = new HeldKeys(() => all.navigator.arriving, signal)
  /** Rows that are drawn while others are on their way are of what was shown before: nothing is to happen to those. */
  const waits = (meant: readonly Command[]): boolean => {
    if (!meant.some(({ group, when }) => ABOUT_MAIL.has(group) && when !== undefined)) return false
    const { arriving } = all.navigator
    return arriving === 'list' || (arriving === 'mail' && !meant.some((command) => all.can(command)))
  }
  const onKeydown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return
    if (isPressed(event.key, event.target)) return
    // It is the beginning of `Shift I`, not a key that ends a sequence.
    if (isModifier(event.key)) return
    const chord = nameChord(event, keymap.modKey)
    const isInText = isTyping(event.target)
    if (isInText && chord !== 'Escape' && (chord === null || !isNoText(chord))) return
    const isOverDialog = isForOverlay(event.target)
    // Nothing is begun there that another key goes on with.
    if (isOverDialog && chord?.startsWith('Mod+') !== true) return
    // Of a sequence the beginning is over: it cannot be struck again by its end.
    const isBegun = keymap.pending !== null
    const meant = keymap
      .strike(chord, event.timeStamp)
      .filter((command) => !isInText || chord === 'Escape' || command.inText === true)
      .filter((command) => !isOverDialog || command.overDialogs === true)
      .filter((command) => command.inList !== true || isInList(event.target))
    const isFree = !isInText && !isOverDialog && !isBegun && chord !== 'Escape'
    if (isFree && waits(meant) && held.hold(event)) return
    const commands = all.about(inFocus())
    const found =
      meant.find((command) => commands.can(command)) ?? meant.find((command) => commands.whyNot(command) !== null)
    if (found === undefined) return
    event.preventDefault()
    commands.run(found)
  }
  addEventListener('keydown', onKeydown, { signal })
}
