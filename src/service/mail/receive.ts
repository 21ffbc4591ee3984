import type { Platform } from '../platform.ts'
import type { EmailRow } from '../storage/emails.ts'
import { deliver } from './deliver.ts'
import { parseMessage } from './parse-message.ts'

/** SMTP sender and recipients, independent of the headers. */
export interface Envelope {
  /** Empty for the null sender of a delivery notice. */
  readonly from: string
  readonly to: readonly string[]
}

/** Stores an incoming message. @returns the stored e-mails, one per inbox in the envelope */
export async function receiveMessage(
  platform: Platform,
  raw: Uint8Array,
  envelope: Envelope,
): Promise<readonly EmailRow[]> {
  const message = await parseMessage(raw)
  const now = platform.now()
  const receivedAt = platform.settings.trustDate ? (message.date ?? now) : now
  return platform.db.transaction(() =>
    deliver(platform, { raw, message, envelopeFrom: envelope.from, envelopeTo: envelope.to, receivedAt }),
  )
}
