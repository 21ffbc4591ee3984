import type { z } from 'zod'
import { toStorageError } from '../store/storage-problem.ts'

/** Short lists that exist only locally, stored in the account's own file. */
export interface LocalLists {
  readonly list: (name: string) => readonly unknown[]
  /** Writes a list to disk before returning. @throws disk errors, leaving the list unchanged */
  readonly writeList: (name: string, entries: readonly unknown[]) => void
}

/** A short list of the user's, which exists only locally. */
export class LocalList<Entry> {
  readonly #lists: LocalLists
  readonly #name: string
  readonly #changed: () => void
  #entries: readonly Entry[]

  constructor(lists: LocalLists, name: string, schema: z.ZodType<Entry>, changed: () => void = () => undefined) {
    this.#lists = lists
    this.#name = name
    this.#changed = changed
    this.#entries = lists.list(name).flatMap((entry) => schema.safeParse(entry).data ?? [])
  }

  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** Stores the list on disk before returning. @throws disk errors, leaving the list unchanged */
  set(entries: readonly Entry[]): void {
    this.#lists.writeList(this.#name, entries)
    this.hold(entries)
  }

  /** Changes the list in memory alone, until it is next set. */
  hold(entries: readonly Entry[]): void {
    this.#entries = entries
    this.#changed()
  }
}

/** A few settings, stored as a list with one entry. */
export class StoredSettings<Settings extends object> {
  readonly #list: LocalList<Settings>
  readonly #defaults: Settings

  constructor(own: LocalLists, name: string, schema: z.ZodType<Settings>, defaults: Settings) {
    this.#list = new LocalList(own, name, schema)
    this.#defaults = defaults
  }

  get(): Settings {
    return this.#list.entries.at(-1) ?? this.#defaults
  }

  /** @throws ProblemError `storage_failed` if the disk rejects the write; the previous settings then still apply */
  set(change: Partial<Settings>): void {
    try {
      this.#list.set([{ ...this.get(), ...change }])
    } catch (thrown) {
      throw toStorageError(thrown)
    }
  }
}
