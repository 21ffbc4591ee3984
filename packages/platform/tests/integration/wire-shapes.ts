/** Response fields that the tests read; the full schemas are in /openapi.json. */
export interface List<Item> {
  readonly object: 'list'
  readonly has_more: boolean
  readonly data: readonly Item[]
}

/** Errors and the short responses of writes. */
export interface Plain {
  readonly object: string
  readonly id: string
  readonly deleted: boolean
  readonly url: string
  readonly token: string
  readonly statusCode: number
  readonly message: string
  readonly name: string
}

export interface Label {
  readonly id: string
  readonly name: string
  readonly color: string
}

export interface Thread {
  readonly id: string
  readonly subject: string | null
  readonly from: string | null
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly labels: readonly Label[]
  readonly email_count: number
  readonly has_attachment: boolean
  readonly has_draft: boolean
  readonly read: boolean
  readonly received_at: string
  readonly folder: string
  readonly matched_email_id: string
}

export interface ThreadEmail {
  readonly id: string
  readonly direction: string
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly subject: string | null
  readonly message_id: string | null
  readonly html: string | null
  readonly text: string | null
  readonly attachments: readonly { readonly id: string; readonly filename: string | null; readonly size: number }[]
  readonly read: boolean
  readonly received_at: string
}

export interface Attachment {
  readonly id: string
  readonly filename: string
  readonly size: number
  readonly content_type: string
  readonly content_disposition: string
  readonly content_id: string
  readonly download_url: string
  readonly expires_at: string
}

export interface ReceivedEmail {
  readonly id: string
  readonly from: string
  readonly to: readonly string[]
  readonly received_for: readonly string[]
  readonly subject: string
  readonly html: string | null
  readonly html_format: string
  readonly text: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly authentication: { readonly spf: string; readonly dkim: string; readonly dmarc: string }
  readonly raw: { readonly download_url: string; readonly expires_at: string }
  readonly attachments: readonly Attachment[]
  readonly created_at: string
}

export interface SentEmail {
  readonly id: string
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[] | null
  readonly subject: string
  readonly html: string | null
  readonly text: string | null
  readonly last_event: string
  readonly scheduled_at: string | null
  readonly created_at: string
  readonly message_id: string
}

export interface Draft {
  readonly id: string
  readonly type: string
  readonly to: readonly string[] | null
  readonly subject: string | null
  readonly html: string | null
  readonly text: string | null
  readonly thread_id: string | null
  readonly email_id: string | null
  readonly snippet: string | null
  readonly attachments: readonly { readonly filename: string; readonly size: number }[]
}

export interface Inbox {
  readonly id: string
  readonly name: string
  readonly unread: number
  readonly drafts: number
  readonly last_received: string | null
  readonly domain_id: string
}

export interface Contact {
  readonly id: string
  readonly email: string
  readonly first_name: string | null
  readonly created_at: string
  readonly unsubscribed: boolean
  readonly properties: Readonly<Record<string, unknown>>
}

export interface TopicSubscription {
  readonly id: string
  readonly name: string
  readonly subscription: string
}
