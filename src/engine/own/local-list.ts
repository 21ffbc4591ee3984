import type { z } from 'zod'
import { moveBefore } from '../../shared/move-before.ts'
import { createProblem } from '../../shared/result.ts'
import { withStorageErrors } from '../store/storage-problem.ts'

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
    this.#hold(entries)
  }

  /** Sets the list even if the disk rejects it; it is then stored by the next change. @returns true if stored */
  setAnyway(entries: readonly Entry[], report: (thrown: unknown) => void): boolean {
    try {
      this.set(entries)
      return true
    } catch (thrown) {
      report(thrown)
      this.#hold(entries)
      return false
    }
  }

  /** Changes entries in a single write; does nothing if all stay the same. @throws disk errors */
  rewrite(next: (entry: Entry) => Entry): void {
    const entries = this.entries.map(next)
    if (entries.some((entry, at) => entry !== this.entries[at])) this.set(entries)
  }

  /** Removes entries; does nothing if there are none. @throws disk errors */
  drop(isMeant: (entry: Entry) => boolean): void {
    const others = this.entries.filter((entry) => !isMeant(entry))
    if (others.length < this.entries.length) this.set(others)
  }

  #hold(entries: readonly Entry[]): void {
    this.#entries = entries
    this.#changed()
  }
}

/** A list in the user's order, whose entries have IDs. */
export abstract class OrderedList<Entry extends { readonly id: string }> extends LocalList<Entry> {
  protected abstract readonly goneMessage: string

  /** @throws ProblemError `not_found` */
  find(id: string): Entry {
    const entry = this.entries.find((each) => each.id === id)
    if (entry === undefined) throw createProblem('not_found', this.goneMessage)
    return entry
  }

  /** @throws ProblemError `not_found`; disk errors */
  move(id: string, before: string | null): void {
    this.set(moveBefore(this.entries, this.find(id), before))
  }

  /** Does nothing for an unknown ID. @throws disk errors */
  remove(id: string): void {
    this.drop((each) => each.id === id)
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
    withStorageErrors(() => this.#list.set([{ ...this.get(), ...change }]))
  }
}
