import type { PreferencesManager } from '../../kernel/preferences-manager.svelte.ts'

/** Halve all counts when one reaches this, so that old habits fade. */
const MAX_USES = 64
const MAX_REMEMBERED = 200

/** Usage counts of palette entries, most recent last. Stored locally. */
export class CommandUsage {
  readonly #preferences: PreferencesManager

  constructor(preferences: PreferencesManager) {
    this.#preferences = preferences
  }

  of(id: string): number {
    return this.#preferences.values.commandUse[id] ?? 0
  }

  /** Moves the count to an entry's new ID. Repeating it, for example in a second window, has no effect. */
  rename(was: string, id: string): void {
    const { [was]: uses, ...others } = this.#preferences.values.commandUse
    if (uses === undefined) return
    void this.#preferences.choose({ commandUse: { ...others, [id]: Math.min(MAX_USES, uses + this.of(id)) } })
  }

  /** IDs of chosen entries, most recent first. */
  get recent(): readonly string[] {
    return Object.keys(this.#preferences.values.commandUse).toReversed()
  }

  count(id: string): void {
    const { [id]: uses = 0, ...others } = this.#preferences.values.commandUse
    const all = Object.entries({ ...others, [id]: uses + 1 })
    const share = uses + 1 >= MAX_USES ? 0.5 : 1
    const rarest = all.toSorted(([, a], [, b]) => a - b).slice(0, Math.max(0, all.length - MAX_REMEMBERED))
    const left = all.filter((entry) => entry[0] === id || !rarest.includes(entry))
    void this.#preferences.choose({
      commandUse: Object.fromEntries(left.map(([each, times]) => [each, times * share])),
    })
  }
}
