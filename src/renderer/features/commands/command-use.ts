import type { PreferencesManager } from '../../kernel/preferences-manager.svelte.ts'

/** What is chosen this often makes all habits count half: those of long ago give way. */
const MOST = 64
/** Entries that are remembered. */
const REMEMBERED = 200

/** How often entries of the palette were chosen: kept on this computer. */
export class CommandUse {
  readonly #preferences: PreferencesManager

  constructor(preferences: PreferencesManager) {
    this.#preferences = preferences
  }

  of(id: string): number {
    return this.#preferences.values.commandUse[id] ?? 0
  }

  /** An entry goes by another ID: the habit goes with it. Doing so again, as in another window, changes nothing. */
  rename(was: string, id: string): void {
    const { [was]: uses, ...others } = this.#preferences.values.commandUse
    if (uses === undefined) return
    void this.#preferences.choose({ commandUse: { ...others, [id]: Math.min(MOST, uses + this.of(id)) } })
  }

  count(id: string): void {
    const uses = { ...this.#preferences.values.commandUse, [id]: this.of(id) + 1 }
    const share = this.of(id) + 1 >= MOST ? 0.5 : 1
    const most = Object.entries(uses)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, REMEMBERED)
    void this.#preferences.choose({
      commandUse: Object.fromEntries(most.map(([each, times]) => [each, times * share])),
    })
  }
}
