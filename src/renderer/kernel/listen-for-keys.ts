import type { Command, CommandContext, Commands } from './commands.ts'
import { KeyQueue } from './key-queue.ts'
import { isTextField } from './text-field.ts'
import { isModifier, nameChord } from './name-key.ts'

const PRESSED = 'button, summary, input, [role="switch"], [role="separator"]'

/** A focused button handles Enter, Delete and Space itself; a link handles the first two. */
const handlesKey = (key: string, target: EventTarget | null): boolean => {
  if (!(target instanceof Element)) return false
  if (key === 'Enter' || key === 'Delete') return target.closest(`a[href], ${PRESSED}`) !== null
  return key === ' ' && target.closest(PRESSED) !== null
}

/** Elements that handle keys themselves while open. */
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"]'
/** A closing overlay stays on the screen briefly after focus has returned. */
const OPEN_OVERLAYS = `:is(${OVERLAYS}):not([data-state="closed"])`

/** True if a dialog or menu is open; nothing below it may change. */
export const isOverlayOpen = (): boolean => document.querySelector(OPEN_OVERLAYS) !== null

/** True if the key was for an overlay, including one that this key closed. */
const isForOverlay = (target: EventTarget | null): boolean =>
  (target instanceof Element && target.closest(OVERLAYS) !== null) || isOverlayOpen()

/** True for chords that type no text, so they work in text fields. */
const isNonTextChord = (chord: string): boolean => chord.startsWith('Mod+') || /^F\d+$/.test(chord)

const ROWS = 'main [role="listbox"]'
/** Focus targets of an empty list. */
const NO_ROWS = 'main, main :is(h1, h2)[tabindex]'

const isInList = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  (target.matches(ROWS) || (document.querySelector(ROWS) === null && target.matches(NO_ROWS)))

/** Groups that act on a row or open mail; commands without `when` need neither. */
const MAIL_GROUPS: ReadonlySet<Command['group']> = new Set(['Threads', 'Selection', 'Reading', 'Actions', 'Writing'])

/**
 * Runs commands by their shortcuts until the signal aborts. Shortcuts are off in text fields, except `Escape` and
 * chords marked `inText`, and off over dialogs and menus, except chords marked `overDialogs`. Shortcuts for mail that
 * is loading wait for it.
 * @param inFocus target, if it differs from the window's
 */
export const listenForKeys = (
  all: Commands,
  signal: AbortSignal,
  inFocus: () => Partial<CommandContext> = () => ({}),
): void => {
  const { keymap } = all
  const queue = new KeyQueue(() => all.navigator.loadingPart, signal)
  /** While rows load, the displayed ones are outdated and must not be acted on. */
  const mustWait = (meant: readonly Command[]): boolean => {
    if (!meant.some(({ group, when }) => MAIL_GROUPS.has(group) && when !== undefined)) return false
    const { loadingPart } = all.navigator
    return loadingPart === 'list' || (loadingPart === 'mail' && !meant.some((command) => all.can(command)))
  }
  const onKeydown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return
    if (handlesKey(event.key, event.target)) return
    // Modifiers must not end a sequence: Shift, for example, starts `Shift I`.
    if (isModifier(event.key)) return
    const chord = nameChord(event, keymap.modKey)
    const isInText = isTextField(event.target)
    if (isInText && chord !== 'Escape' && (chord === null || !isNonTextChord(chord))) return
    const isOverDialog = isForOverlay(event.target)
    // Key sequences don't work over an overlay.
    if (isOverDialog && chord?.startsWith('Mod+') !== true) return
    // The end of a sequence can't be held: replayed alone, it would lose its start.
    const isInSequence = keymap.pending !== null
    const meant = keymap
      .press(chord, event.timeStamp)
      .filter((command) => !isInText || chord === 'Escape' || command.inText === true)
      .filter((command) => !isOverDialog || command.overDialogs === true)
      .filter((command) => command.inList !== true || isInList(event.target))
    const isFree = !isInText && !isOverDialog && !isInSequence && chord !== 'Escape'
    if (isFree && mustWait(meant) && queue.enqueue(event)) return
    const commands = all.about(inFocus())
    const found =
      meant.find((command) => commands.can(command)) ?? meant.find((command) => commands.whyNot(command) !== null)
    if (found === undefined) return
    event.preventDefault()
    commands.run(found)
  }
  addEventListener('keydown', onKeydown, { signal })
}
