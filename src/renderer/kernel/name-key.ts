const LATIN = /^[a-z]$/i

/**
 * A key as the bindings name it: `e`, `I` with Shift, `Space`, `Shift+Space`, `Shift+Tab`, and whatever else by its own name. Letters
 * follow Shift alone, whatever Caps Lock says, and on a keyboard of another script the letter that is printed in that
 * place on a Latin one.
 */
export const nameKey = ({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string => {
  if (key === ' ') return shiftKey ? 'Shift+Space' : 'Space'
  if (key === 'Tab') return shiftKey ? 'Shift+Tab' : 'Tab'
  const placed = /^Key([A-Z])$/.exec(code)?.[1]
  // In Thai and Hindi some keys are the vowel or the tone of a letter, in Arabic one is two letters.
  const isForeignLetter = placed !== undefined && /^[\p{L}\p{M}]{1,2}$/u.test(key) && !/\p{Script=Latin}/u.test(key)
  const letter = isForeignLetter ? placed : key
  if (!LATIN.test(letter)) return key
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase()
}

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'])

/** Whether a key is held beside others. */
export const isModifier = (key: string): boolean => MODIFIERS.has(key)

/** Whether a key is no chord: AltGr, which Windows reports as Ctrl and Alt, is part of a character. */
export const isPlain = (event: KeyboardEvent): boolean =>
  event.getModifierState('AltGraph') || (!event.ctrlKey && !event.metaKey && !event.altKey)

/** The key that stands for commands on this system. */
export type ModKey = 'Control' | 'Meta'

export const modKeyOf = (platform: string): ModKey => (/^(?:Mac|iP)/.test(platform) ? 'Meta' : 'Control')

/** Signs that some keyboards of a Mac have behind Option, as others behind AltGr. */
const OPTION_SIGN = /^[!#./?@*]$/

/** Browsers of Windows and Linux go back and forward by them; on a Mac they move in a text. */
const WAY = /^Arrow(?:Left|Right)$/

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey' | 'getModifierState'>

/**
 * A key with what is held beside it: `e`, `Mod+k`, `Mod+Shift+z`, where `Mod` is Command on a Mac and Control elsewhere.
 * @returns null where it belongs to the system or the browser, as with Alt, but for the way back and forward (`Alt+ArrowLeft`)
 */
export const nameChord = (pressed: Pressed, modKey: ModKey): string | null => {
  const { ctrlKey, altKey, metaKey, shiftKey } = pressed
  // Where a sign such as # is typed with AltGr, Windows says that Control and Alt are held.
  if (pressed.getModifierState('AltGraph')) return metaKey ? null : nameKey(pressed)
  if (modKey === 'Meta' && altKey && !ctrlKey && !metaKey && OPTION_SIGN.test(pressed.key)) return pressed.key
  const isHeld = { Control: ctrlKey, Meta: metaKey }
  const isWay = modKey === 'Control' && altKey && !ctrlKey && !metaKey && !shiftKey && WAY.test(pressed.key)
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

/** The keys of one stroke, as they stand on the keyboard: `Shift`, `I` for `I`, `Ctrl`, `K` for `Mod+k`. */
const chordCaps = (chord: string, modKey: ModKey): readonly string[] => {
  const keys = chord.split(/\+(?=.)/)
  const key = keys.at(-1) ?? ''
  const held = keys.slice(0, -1).map((each) => (each === 'Mod' ? (modKey === 'Meta' ? '⌘' : 'Ctrl') : each))
  if (held.length === 0 && /^[A-Z]$/.test(key)) return ['Shift', key]
  return [...held, CAPS[key] ?? (held.length > 0 && LATIN.test(key) ? key.toUpperCase() : key)]
}

/** How keys are written on the screen, one after the other: `g`, `i` for `g i`. */
export const keyCaps = (keys: string, modKey: ModKey): readonly string[] =>
  keys.split(' ').flatMap((chord) => chordCaps(chord, modKey))
