export interface ExportedAttachment {
  readonly filename: string | null
  readonly contentType: string | null
  readonly contentId: string | null
  readonly size: number | null
  /** Null if unavailable. */
  readonly bytes: Uint8Array | null
}

/** An e-mail's known parts, if its original is missing or not wanted. */
export interface ExportedEmail {
  readonly id: string
  readonly list: 'threads' | 'received' | 'sent'
  readonly direction: 'inbound' | 'outbound'
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly replyTo: readonly string[]
  readonly subject: string | null
  readonly messageId: string | null
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly text: string | null
  readonly html: string | null
  /** Message-IDs, oldest first. */
  readonly references: readonly string[]
  readonly inReplyTo: string | null
  readonly attachments: readonly ExportedAttachment[]
  /** True if text or an attachment is missing. */
  readonly isIncomplete: boolean
}

export interface ExportedMailMetadata {
  readonly inbox: { readonly id: string; readonly address: string } | null
  readonly threadId: string | null
  readonly folder: string | null
  readonly labels: readonly string[]
  /** Null if the e-mail has no read state. */
  readonly isRead: boolean | null
  readonly onServer: boolean
}
