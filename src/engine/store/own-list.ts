import type { z } from 'zod'

/** The short lists of a person, which nobody else has, in the two files that also hold what waits to be sent. */
export interface OwnLists {
  /** The entries of a list, each in JSON, in their order. */
  readonly list: (name: string) => readonly string[]
  /** They are on the disk when this returns. @throws what the disk throws: the list is then as it was */
  readonly writeList: (name: string, entries: readonly string[]) => void
}

/** One of those lists, written whole each time. */
export class OwnList<Entry> {
  readonly #lists: OwnLists
  readonly #name: string
  readonly #schema: z.ZodType<Entry>

  constructor(lists: OwnLists, name: string, schema: z.ZodType<Entry>) {
    this.#lists = lists
    this.#name = name
    this.#schema = schema
  }

  /** Those that can be read: an entry twice where two damaged files were put together. */
  read(): readonly Entry[] {
    return this.#lists.list(this.#name).flatMap((entry) => this.#schema.safeParse(JSON.parse(entry)).data ?? [])
  }

  /** @throws what the disk throws */
  write(entries: readonly Entry[]): void {
    this.#lists.writeList(
      this.#name,
      entries.map((entry) => JSON.stringify(entry)),
    )
  }
}
