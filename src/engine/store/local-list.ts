import type { z } from 'zod'

/** Short lists that exist only locally. They are stored in the outbox's two files. */
export interface LocalLists {
  readonly list: (name: string) => readonly string[]
  /** Writes a list to disk before returning. @throws disk errors, leaving the list unchanged */
  readonly writeList: (name: string, entries: readonly string[]) => void
}

export class LocalList<Entry> {
  readonly #lists: LocalLists
  readonly #name: string
  readonly #schema: z.ZodType<Entry>

  constructor(lists: LocalLists, name: string, schema: z.ZodType<Entry>) {
    this.#lists = lists
    this.#name = name
    this.#schema = schema
  }

  /** Readable entries. May contain duplicates after two damaged files were merged. */
  read(): readonly Entry[] {
    return this.#lists.list(this.#name).flatMap((entry) => this.#schema.safeParse(JSON.parse(entry)).data ?? [])
  }

  /** @throws disk errors */
  write(entries: readonly Entry[]): void {
    this.#lists.writeList(
      this.#name,
      entries.map((entry) => JSON.stringify(entry)),
    )
  }
}
