import type { EventHub } from '../own/event-hub.ts'
import type { Problems } from '../own/problems.ts'
import type { Capabilities } from '../platform/capabilities.ts'
import type { MailPlatform } from '../platform/mail-platform.ts'
import type { NotFoundResolver } from '../platform/not-found-resolver.ts'
import type { SignedDownloads } from '../platform/signed-downloads.ts'
import type { Blobs } from '../store/blobs.ts'
import type { Cache } from '../store/cache.ts'
import type { Clock } from '../timing/clock.ts'
import type { AttachmentPart } from './attachment-parts.ts'
import type { InboxPresence } from './inbox-presence.ts'

/** Services of an open account that sync and the rooms above it share. Each class picks those that it needs. */
export interface AccountServices {
  readonly platform: MailPlatform
  readonly capabilities: Capabilities
  readonly notFound: NotFoundResolver
  readonly downloads: SignedDownloads
  readonly cache: Cache
  readonly blobs: Blobs
  readonly hub: EventHub
  readonly problems: Problems
  readonly presence: InboxPresence
  /** Parses a raw e-mail in a worker thread. */
  readonly readParts: (original: Uint8Array, signal: AbortSignal) => Promise<readonly AttachmentPart[]>
  /** Called with unexpected errors. */
  readonly report: (thrown: unknown) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}
