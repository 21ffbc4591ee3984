import { z } from 'zod'
import { formatRecipient } from '../../shared/recipients.ts'
import type { Recipient } from '../../shared/drafts.ts'
import { wireId, createParser } from './parse-response.ts'

/** Fields of every message, however it is sent. */
export interface OutgoingContent {
  readonly subject: string
  /** Null for plain text only. */
  readonly html: string | null
  readonly text: string
}

export interface CopyRecipients {
  readonly cc: readonly Recipient[]
  readonly bcc: readonly Recipient[]
}

export const toCopyFields = ({ cc, bcc }: CopyRecipients) => ({
  ...(cc.length > 0 && { cc: cc.map(formatRecipient) }),
  ...(bcc.length > 0 && { bcc: bcc.map(formatRecipient) }),
})

export const toBodyFields = ({ html, text }: { readonly html: string | null; readonly text: string | null }) => ({
  ...(html !== null && { html }),
  ...(text !== null && { text }),
})

/**
 * ID of the sent e-mail (platform.md 13.1, 14.9, 20.1 and 24.2): `email_id` on older platforms, where `id` is the
 * draft's.
 */
export const parseSentId = createParser(
  z.looseObject({ id: wireId, email_id: wireId.nullable().optional().catch(undefined) }),
  (sent) => sent.email_id ?? sent.id,
).one
