/** What a key press says, as far as shortcuts are concerned. */
export interface KeyPress {
  readonly key: string
  /** Control, Alt or Command: those belong to the system and the browser. */
  readonly modified: boolean
  /** Milliseconds on any clock that only grows. */
  readonly at: number
}

const LATIN = /^[a-z]$/i

/**
 * A key as the bindings name it: `e`, `I` with Shift, `Space`, `Shift+Space`, and whatever else by its own name. Letters
 * follow Shift alone, whatever Caps Lock says, and on a keyboard of another script the letter that is printed in that
 * place on a Latin one.
 */
export const nameKey = ({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string => {
  if (key === ' ') return shiftKey ? 'Shift+Space' : 'Space'
  const placed = /^Key([A-Z])$/.exec(code)?.[1]
  // In Thai and Hindi some keys are the vowel or the tone of a letter, in Arabic one is two letters.
  const isForeignLetter = placed !== undefined && /^[\p{L}\p{M}]{1,2}$/u.test(key) && !/\p{Script=Latin}/u.test(key)
  const letter = isForeignLetter ? placed : key
  if (!LATIN.test(letter)) return key
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase()
}

/** The keys of a sequence are struck within this many milliseconds of each other. */
const PATIENCE = 1200

interface Binding<Command> {
  readonly command: Command
  readonly keys: readonly string[]
}

/** What is remembered between key presses: the beginning of a sequence, if one was struck. */
export interface KeyMemory {
  readonly struck: string
  readonly at: number
}

export const NO_KEYS: KeyMemory = { struck: '', at: 0 }

/**
 * Reads one key press against the bindings: `g i` is `g`, then `i` soon after. A key that does not continue a sequence
 * starts anew, so that `g` followed by `j` still moves on.
 */
export const readKey = <Command>(
  bindings: readonly Binding<Command>[],
  memory: KeyMemory,
  press: KeyPress,
): { readonly command: Command | null; readonly memory: KeyMemory } => {
  if (press.modified) return { command: null, memory: NO_KEYS }
  const continued = memory.struck !== '' && press.at - memory.at <= PATIENCE ? `${memory.struck} ${press.key}` : null
  for (const struck of continued === null ? [press.key] : [continued, press.key]) {
    const bound = bindings.find((binding) => binding.keys.includes(struck))
    if (bound !== undefined) return { command: bound.command, memory: NO_KEYS }
    if (bindings.some((binding) => binding.keys.some((keys) => keys.startsWith(`${struck} `)))) {
      return { command: null, memory: { struck, at: press.at } }
    }
  }
  return { command: null, memory: NO_KEYS }
}
