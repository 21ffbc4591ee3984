/* eslint-disable svelte/prefer-svelte-reactivity -- immutable: its maps are replaced, never mutated */
import type { Command } from './commands.ts'
import { toKeyCaps, type ModKey } from './name-key.ts'
import type { PreferencesManager } from './preferences-manager.svelte.ts'

/** Maximum milliseconds between the keys of a sequence. */
export const SEQUENCE_TIMEOUT_MS = 1000

/** True if two shortcuts conflict: equal, or one starts with the other. */
const conflicts = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `)

interface Bindings {
  /** Commands by shortcut, in registry order. */
  readonly commands: ReadonlyMap<string, readonly Command[]>
  /** First keys of sequences, with the keys that may follow. */
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

/** Shortcuts: the user's, or else the defaults. A keystroke costs one map lookup, however many commands there are. */
export class Keymap {
  readonly modKey: ModKey
  readonly #commands: readonly Command[]
  readonly #preferences: Readonly<PreferencesManager>
  #pending = $state<string | null>(null)
  #pendingSince = 0
  #forgetting: ReturnType<typeof setTimeout> | undefined
  readonly #bindings = $derived.by(() => bind(this.#commands, (command) => this.keysOf(command)))

  constructor(commands: readonly Command[], preferences: Readonly<PreferencesManager>, modKey: ModKey) {
    this.#commands = commands
    this.#preferences = preferences
    this.modKey = modKey
  }

  /** Shortcuts of a command, as named by `nameChord`; a space separates the keys of a sequence. */
  keysOf({ id, keys = [] }: Command): readonly string[] {
    return this.#preferences.values.keys[id] ?? keys
  }

  /** First shortcut of a command, for display. */
  capsOf(command: Command): readonly string[] | undefined {
    const [first] = this.keysOf(command)
    return first === undefined ? undefined : toKeyCaps(first, this.modKey)
  }

  /** `Press e to archive a thread.`, with the current key; without a key, only the instruction. */
  adviceOf(command: Command, toDo: string): string {
    const caps = this.capsOf(command)
    return caps === undefined
      ? `${toDo.charAt(0).toUpperCase()}${toDo.slice(1)}.`
      : `Press ${caps.join(' ')} to ${toDo}.`
  }

  isChosen({ id }: Command): boolean {
    return this.#preferences.values.keys[id] !== undefined
  }

  /** Replaces all shortcuts of a command; stored on this computer. */
  choose({ id, keys: brought = [] }: Command, keys: readonly string[]): void {
    const { [id]: _, ...others } = this.#preferences.values.keys
    const isDefault = keys.length === brought.length && keys.every((each) => brought.includes(each))
    void this.#preferences.choose({ keys: isDefault ? others : { ...others, [id]: keys } })
  }

  restoreAll(): void {
    void this.#preferences.choose({ keys: {} })
  }

  /** Commands whose shortcuts would conflict with this one. */
  othersWith(command: Command, keys: string): readonly Command[] {
    // Some default keys serve two commands in different contexts.
    const isShared = (other: Command): boolean =>
      command.keys?.includes(keys) === true && other.keys?.includes(keys) === true
    return this.#commands.filter(
      (other) => other !== command && !isShared(other) && this.keysOf(other).some((each) => conflicts(each, keys)),
    )
  }

  /** Assigns a shortcut, replacing the command's own and removing it from other commands. */
  take(command: Command, keys: string): void {
    for (const other of this.othersWith(command, keys)) {
      this.choose(
        other,
        this.keysOf(other).filter((each) => !conflicts(each, keys)),
      )
    }
    this.choose(command, [keys])
  }

  /** Sequence in progress with its possible next keys, or null. */
  get pending(): { readonly pressed: string; readonly next: readonly string[] } | null {
    const pressed = this.#pending
    return pressed === null ? null : { pressed, next: this.#bindings.beginnings.get(pressed) ?? [] }
  }

  /**
   * Handles a keystroke: `g i` is `g`, then `i` soon after. A key that doesn't continue a sequence counts alone, so `j`
   * after `g` still moves down.
   * @param chord as named by `nameChord`; null for a system key, which ends a sequence
   * @param at milliseconds on any monotonic clock
   * @returns commands that may run, in registry order; empty after the first key of a sequence
   */
  press(chord: string | null, at: number): readonly Command[] {
    const begun = this.#pending !== null && at - this.#pendingSince <= SEQUENCE_TIMEOUT_MS ? this.#pending : null
    this.#setPending(null, at)
    if (chord === null) return []
    const { commands, beginnings } = this.#bindings
    const found = (begun === null ? undefined : commands.get(`${begun} ${chord}`)) ?? commands.get(chord)
    if (found !== undefined) return found
    if (beginnings.has(chord)) this.#setPending(chord, at)
    return []
  }

  #setPending(pressed: string | null, at: number): void {
    clearTimeout(this.#forgetting)
    if (pressed !== this.#pending) this.#pending = pressed
    if (pressed === null) return
    this.#pendingSince = at
    this.#forgetting = setTimeout(() => (this.#pending = null), SEQUENCE_TIMEOUT_MS)
  }
}
