import { z } from 'zod'
import { StoredSettings, type LocalLists } from '../own/local-list.ts'

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

/** No choice ever deletes mail. */
export class PrefetchChoiceStore extends StoredSettings<PrefetchChoices> {
  constructor(own: LocalLists) {
    super(own, 'keeping', schema, DEFAULT_CHOICES)
  }
}
