import { join } from 'node:path'
import { z } from 'zod'
import { ListFile } from '../store/list-file.ts'
import { toStorageError } from '../store/storage-problem.ts'

export interface PrefetchChoices {
  /** Number of days of mail to fetch in the background; null for all mail. */
  readonly days: number | null
  /** Maximum bytes for raw sources and attachments; null for no limit, 0 to store only what is opened. */
  readonly bytes: number | null
}

/** More than 30 days rarely matters: the platform usually drops older mail (platform.md 2.6). */
const DEFAULT_CHOICES: PrefetchChoices = { days: 30, bytes: 5_000_000_000 }

const schema: z.ZodType<PrefetchChoices> = z.object({
  days: z.int().min(1).nullable(),
  bytes: z.int().min(0).nullable(),
})

/** A separate file, so it outlives the cache. If unreadable, the defaults apply; no choice ever deletes mail. */
export class PrefetchChoiceStore {
  readonly #file: ListFile<PrefetchChoices>
  #choices: PrefetchChoices

  /** @param directory the account's folder */
  constructor(directory: string) {
    this.#file = new ListFile(join(directory, 'keeping.json'), 'choices', schema)
    this.#choices = this.#file.read().entries.at(-1) ?? DEFAULT_CHOICES
  }

  get(): PrefetchChoices {
    return this.#choices
  }

  /** @throws ProblemError `storage_failed` if the disk rejects the write; the previous choice then still applies */
  set(next: PrefetchChoices): void {
    try {
      this.#file.write([next])
    } catch (thrown) {
      throw toStorageError(thrown)
    }
    this.#choices = next
  }
}
