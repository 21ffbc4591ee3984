import type { StepScheduler } from './search/step-scheduler.ts'
import type { Settings } from './settings.ts'
import type { Database } from './storage/database.ts'
import type { ThreadChanges } from './storage/thread-changes.ts'
import type { Events } from './webhooks/events.ts'

export interface Platform {
  readonly db: Database
  readonly threadChanges: ThreadChanges
  readonly events: Events
  readonly scheduler: StepScheduler
  readonly settings: Settings
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** `http://127.0.0.1:PORT`, known once the service listens. */
  readonly baseUrl: () => string
  /** Known once the service listens. */
  readonly smtpPort: () => number
  /** Signs links and cursors of this database. */
  readonly secret: Buffer
}
