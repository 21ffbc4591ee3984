/** What a key press says, as far as shortcuts are concerned. */
export interface KeyPress {
  readonly key: string
  /** Control, Alt or Command: those belong to the system and the browser. */
  readonly modified: boolean
  /** Milliseconds on any clock that only grows. */
  readonly at: number
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
