import { z } from 'zod'
import { StoredSettings, type LocalLists } from '../own/local-list.ts'

const schema = z.object({
  /** Number of days of mail to fetch in the background; null for all mail. */
  days: z.int().min(1).nullable(),
  /** Maximum bytes for raw sources and attachments; null for no limit, 0 to store only what is opened. */
  bytes: z.int().min(0).nullable(),
})
export type PrefetchChoices = Readonly<z.output<typeof schema>>

/** More than 30 days rarely matters: the platform usually drops older mail (platform.md 2.6). */
const DEFAULT_CHOICES: PrefetchChoices = { days: 30, bytes: 5_000_000_000 }

/** No choice ever deletes mail. */
export class PrefetchChoiceStore extends StoredSettings<PrefetchChoices> {
  constructor(own: LocalLists) {
    super(own, 'keeping', schema, DEFAULT_CHOICES)
  }
}
