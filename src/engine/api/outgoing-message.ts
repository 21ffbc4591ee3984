import { z } from 'zod'
import { formatRecipient } from '../../shared/recipients.ts'
import type { Recipient } from '../../shared/writing.ts'
import { id, readWith } from './read-answer.ts'

/** What every message has, whichever way it is sent. */
export interface OutgoingContent {
  readonly subject: string
  /** Null for plain text alone. */
  readonly html: string | null
  readonly text: string
}

export interface Copies {
  readonly cc: readonly Recipient[]
  readonly bcc: readonly Recipient[]
}

/** Its copies as the platform takes them: an empty list is left out. */
export const copiesOf = ({ cc, bcc }: Copies) => ({
  ...(cc.length > 0 && { cc: cc.map(formatRecipient) }),
  ...(bcc.length > 0 && { bcc: bcc.map(formatRecipient) }),
})

/** Its bodies as the platform takes them: one that is null is left out. */
export const bodiesOf = ({ html, text }: { readonly html: string | null; readonly text: string | null }) => ({
  ...(html !== null && { html }),
  ...(text !== null && { text }),
})

/** The ID of the sent e-mail (platform facts 3.5 to 3.7 and 6): older platforms answer with the draft's, and this beside it. */
export const readSentId = readWith(
  z.looseObject({ id, email_id: id.nullable().optional().catch(undefined) }),
  (sent) => sent.email_id ?? sent.id,
)
