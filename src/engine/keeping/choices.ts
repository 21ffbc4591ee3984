import { join } from 'node:path'
import { z } from 'zod'
import { ListFile } from '../store/list-file.ts'
import { inStorageWords } from '../store/storage-problem.ts'

export interface KeepingChoices {
  /** How many days back mail is fetched without being asked for; null for all. */
  readonly days: number | null
  /** The most bytes of files, originals and attachments; null for no bound, 0 to keep only what is opened. */
  readonly bytes: number | null
}

/** The platform drops mail after 30 days (platform facts 1): more than that is there for few. */
const STANDARD: KeepingChoices = { days: 30, bytes: 5_000_000_000 }

const schema: z.ZodType<KeepingChoices> = z.object({
  days: z.int().min(1).nullable(),
  bytes: z.int().min(0).nullable(),
})

/** In a file of their own, to outlive the cache. If unreadable, the defaults hold: no choice deletes anything. */
export class KeepingChoiceStore {
  readonly #file: ListFile<KeepingChoices>
  #choices: KeepingChoices

  /** @param directory the account's folder */
  constructor(directory: string) {
    this.#file = new ListFile(join(directory, 'keeping.json'), 'choices', schema)
    this.#choices = this.#file.read().entries.at(-1) ?? STANDARD
  }

  get(): KeepingChoices {
    return this.#choices
  }

  /** @throws ProblemError `storage_failed` where the disk does not take it: the choice is then as it was */
  set(next: KeepingChoices): void {
    try {
      this.#file.write([next])
    } catch (thrown) {
      throw inStorageWords(thrown)
    }
    this.#choices = next
  }
}
