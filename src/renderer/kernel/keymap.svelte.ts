/* eslint-disable svelte/prefer-svelte-reactivity -- its maps are values that are replaced, never changed */
import type { Command } from './commands.ts'
import { keyCaps, type ModKey } from './name-key.ts'
import type { PreferencesManager } from './preferences-manager.svelte.ts'

/** The keys of a sequence are struck within this many milliseconds of each other. */
export const PATIENCE = 1000

type ChosenKeys = Readonly<Record<string, readonly string[]>>

/** Whether of two keys only one can be struck: they are the same, or one is the beginning of the other. */
const meets = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `)

interface Bindings {
  /** Commands by the keys that run them, in the order of the registry. */
  readonly commands: ReadonlyMap<string, readonly Command[]>
  /** What sequences begin with, and the keys that may follow. */
  readonly beginnings: ReadonlyMap<string, readonly string[]>
}

const bind = (commands: readonly Command[], keysOf: (command: Command) => readonly string[]): Bindings => {
  const bound = new Map<string, Command[]>()
  const beginnings = new Map<string, string[]>()
  for (const command of commands) {
    for (const keys of keysOf(command)) {
      bound.set(keys, [...(bound.get(keys) ?? []), command])
      const [first, second] = keys.split(' ')
      if (first === undefined || second === undefined) continue
      beginnings.set(first, [...(beginnings.get(first) ?? []), second])
    }
  }
  return { commands: bound, beginnings }
}

/**
 * What keys run, those that a person has chosen in the place of those that Linnet brings. A stroke costs a look into a map,
 * however many commands there are.
 */
export class Keymap {
  readonly modKey: ModKey
  readonly #commands: readonly Command[]
  readonly #preferences: PreferencesManager
  /** The beginning of a sequence that was struck. */
  #pending = $state<string | null>(null)
  #pendingSince = 0
  #forgetting: ReturnType<typeof setTimeout> | undefined
  readonly #bindings = $derived.by(() => bind(this.#commands, (command) => this.keysOf(command)))

  constructor(commands: readonly Command[], preferences: PreferencesManager, modKey: ModKey) {
    this.#commands = commands
    this.#preferences = preferences
    this.modKey = modKey
  }

  get #chosen(): ChosenKeys {
    return this.#preferences.values.keys
  }

  /** The keys of a command: chords as `nameChord` names them, a space between those struck one after the other. */
  keysOf({ id, keys }: Command): readonly string[] {
    return this.#chosen[id] ?? keys
  }

  /** The first keys of a command, as they are written on the screen; undefined where it has none. */
  capsOf(command: Command): readonly string[] | undefined {
    const [first] = this.keysOf(command)
    return first === undefined ? undefined : keyCaps(first, this.modKey)
  }

  /** `Press e to archive a thread.`, as the keys are now; without its first words, where the command has none. */
  adviceOf(command: Command, toDo: string): string {
    const caps = this.capsOf(command)
    return caps === undefined
      ? `${toDo.charAt(0).toUpperCase()}${toDo.slice(1)}.`
      : `Press ${caps.join(' ')} to ${toDo}.`
  }

  /** Whether a person has chosen the command's keys. */
  isChosen({ id }: Command): boolean {
    return this.#chosen[id] !== undefined
  }

  /** Gives a command these keys in the place of all that it has; kept on this computer. */
  choose({ id, keys: brought }: Command, keys: readonly string[]): void {
    const { [id]: _, ...others } = this.#chosen
    const isBrought = keys.length === brought.length && keys.every((each) => brought.includes(each))
    this.#keep(isBrought ? others : { ...others, [id]: keys })
  }

  /** Gives every command the keys that Linnet brings. */
  restoreAll(): void {
    this.#keep({})
  }

  /** The commands that could not be run, or this one not, if it had these keys: theirs are the same, or begin with them. */
  othersWith(command: Command, keys: string): readonly Command[] {
    // Linnet brings some keys for two commands of different circumstances.
    const isShared = (other: Command): boolean => command.keys.includes(keys) && other.keys.includes(keys)
    return this.#commands.filter(
      (other) => other !== command && !isShared(other) && this.keysOf(other).some((each) => meets(each, keys)),
    )
  }

  /** Gives a command these keys in the place of all that it has, and takes them from those that have them. */
  take(command: Command, keys: string): void {
    for (const other of this.othersWith(command, keys)) {
      this.choose(
        other,
        this.keysOf(other).filter((each) => !meets(each, keys)),
      )
    }
    this.choose(command, [keys])
  }

  /** A sequence that is begun, and the keys that go on with it; null where none is. */
  get pending(): { readonly struck: string; readonly next: readonly string[] } | null {
    const struck = this.#pending
    return struck === null ? null : { struck, next: this.#bindings.beginnings.get(struck) ?? [] }
  }

  /**
   * Reads one stroke: `g i` is `g`, then `i` soon after. A key that does not continue a sequence starts anew, so that `g`
   * followed by `j` still moves on.
   * @param chord as `nameChord` names it; null for one that belongs to the system, which ends a sequence
   * @param at milliseconds on any clock that only grows
   * @returns the commands that the keys may run, in the order of the registry; none where a sequence has begun
   */
  strike(chord: string | null, at: number): readonly Command[] {
    const begun = this.#pending !== null && at - this.#pendingSince <= PATIENCE ? this.#pending : null
    this.#expect(null, at)
    if (chord === null) return []
    const { commands, beginnings } = this.#bindings
    const found = (begun === null ? undefined : commands.get(`${begun} ${chord}`)) ?? commands.get(chord)
    if (found !== undefined) return found
    if (beginnings.has(chord)) this.#expect(chord, at)
    return []
  }

  #keep(chosen: ChosenKeys): void {
    void this.#preferences.choose({ keys: chosen })
  }

  #expect(struck: string | null, at: number): void {
    clearTimeout(this.#forgetting)
    if (struck !== this.#pending) this.#pending = struck
    if (struck === null) return
    this.#pendingSince = at
    this.#forgetting = setTimeout(() => (this.#pending = null), PATIENCE)
  }
}
