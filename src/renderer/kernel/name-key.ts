const LATIN = /^[a-z]$/i

/**
 * Key name for bindings: `e`, `I` with Shift, `Space`, `Shift+Space`, `Shift+Tab`, or the key's own name. For letters
 * only Shift matters, not Caps Lock. On a non-Latin keyboard, uses the Latin letter at the same position.
 */
export const nameKey = ({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string => {
  if (key === ' ') return shiftKey ? 'Shift+Space' : 'Space'
  if (key === 'Tab') return shiftKey ? 'Shift+Tab' : 'Tab'
  const placed = /^Key([A-Z])$/.exec(code)?.[1]
  // In Thai and Hindi some keys are vowel or tone marks; in Arabic one key is two letters.
  const isForeignLetter = placed !== undefined && /^[\p{L}\p{M}]{1,2}$/u.test(key) && !/\p{Script=Latin}/u.test(key)
  const letter = isForeignLetter ? placed : key
  if (!LATIN.test(letter)) return key
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase()
}

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'])

export const isModifier = (key: string): boolean => MODIFIERS.has(key)

/**
 * True if the key is pressed without Ctrl, Alt or Command. AltGr, which Windows reports as Ctrl+Alt, is part of typing
 * a character.
 */
export const isPlainKeyPress = (event: KeyboardEvent): boolean =>
  event.getModifierState('AltGraph') || (!event.ctrlKey && !event.metaKey && !event.altKey)

export type ModKey = 'Control' | 'Meta'

export const modKeyOf = (platform: string): ModKey => (/^(?:Mac|iP)/.test(platform) ? 'Meta' : 'Control')

/** Characters that some Mac keyboards type with Option, as others do with AltGr. */
const OPTION_SIGN = /^[!#./?@*]$/

/** Arrow keys that, with Alt, go back and forward in browsers on Windows and Linux. On a Mac, they move the caret. */
const HISTORY_ARROW = /^Arrow(?:Left|Right)$/

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey' | 'getModifierState'>

/**
 * Key with modifiers: `e`, `Mod+k`, `Mod+Shift+z`. `Mod` is Command on a Mac, Control elsewhere.
 * @returns null for keys that belong to the system or browser, such as combinations with Alt; back and forward
 * (`Alt+ArrowLeft`) are returned
 */
export const nameChord = (pressed: Pressed, modKey: ModKey): string | null => {
  const { ctrlKey, altKey, metaKey, shiftKey } = pressed
  // For characters typed with AltGr, such as #, Windows reports Control and Alt.
  if (pressed.getModifierState('AltGraph')) return metaKey ? null : nameKey(pressed)
  if (modKey === 'Meta' && altKey && !ctrlKey && !metaKey && OPTION_SIGN.test(pressed.key)) return pressed.key
  const isHeld = { Control: ctrlKey, Meta: metaKey }
  const isWay = modKey === 'Control' && altKey && !ctrlKey && !metaKey && !shiftKey && HISTORY_ARROW.test(pressed.key)
  if (isWay) return `Alt+${pressed.key}`
  if (altKey || isHeld[modKey === 'Meta' ? 'Control' : 'Meta']) return null
  if (!isHeld[modKey]) return nameKey(pressed)
  const name = nameKey({ key: pressed.key, code: pressed.code, shiftKey: false })
  return (LATIN.test(name) || name === 'Enter') && shiftKey ? `Mod+Shift+${name}` : `Mod+${name}`
}

const CAPS: Readonly<Record<string, string>> = {
  Escape: 'Esc',
  PageDown: 'Page Down',
  PageUp: 'Page Up',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
}

/** Key caps of one keystroke: `Shift`, `I` for `I`; `Ctrl`, `K` for `Mod+k`. */
const chordCaps = (chord: string, modKey: ModKey): readonly string[] => {
  const keys = chord.split(/\+(?=.)/)
  const key = keys.at(-1) ?? ''
  const held = keys.slice(0, -1).map((each) => (each === 'Mod' ? (modKey === 'Meta' ? '⌘' : 'Ctrl') : each))
  if (held.length === 0 && /^[A-Z]$/.test(key)) return ['Shift', key]
  return [...held, CAPS[key] ?? (held.length > 0 && LATIN.test(key) ? key.toUpperCase() : key)]
}

/** Key caps of a shortcut, in order: `g`, `i` for `g i`. */
export const toKeyCaps = (keys: string, modKey: ModKey): readonly string[] =>
  keys.split(' ').flatMap((chord) => chordCaps(chord, modKey))
