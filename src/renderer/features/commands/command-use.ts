const STORAGE_KEY = 'linnet.command-use'

/** What is chosen this often makes all habits count half: those of long ago give way. */
const MOST = 64
/** Entries that are remembered. */
const REMEMBERED = 200

type Uses = Readonly<Record<string, number>>

const readUses = (kept: string | null): Uses => {
  try {
    const found: unknown = JSON.parse(kept ?? 'null')
    if (typeof found !== 'object' || found === null) return {}
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0),
    )
  } catch {
    // What is no JSON was not written by Linnet: nothing is known.
    return {}
  }
}

/** How often entries of the palette were chosen: kept on this computer. */
export class CommandUse {
  readonly #storage: Storage
  #uses: Uses

  constructor(storage: Storage) {
    this.#storage = storage
    this.#uses = readUses(storage.getItem(STORAGE_KEY))
  }

  of(id: string): number {
    return this.#uses[id] ?? 0
  }

  count(id: string): void {
    const uses = { ...this.#uses, [id]: this.of(id) + 1 }
    const share = this.of(id) + 1 >= MOST ? 0.5 : 1
    const most = Object.entries(uses)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, REMEMBERED)
    this.#uses = Object.fromEntries(most.map(([each, times]) => [each, times * share]))
    this.#storage.setItem(STORAGE_KEY, JSON.stringify(this.#uses))
  }
}
