/** The demo dataset: real messages and their state in a used mailbox. Built by `buildDemoMailbox` in `demo-mailbox.ts`. */
export type DemoFolder = 'inbox' | 'archive' | 'spam' | 'sent' | 'trash'

/** `raw` is a complete RFC 5322 message (CRLF), dated by its Date header and threaded by Message-ID and References. */
export interface DemoMessage {
  readonly raw: Uint8Array
  /** `inbound`: received by SMTP with this envelope. `outbound`: sent by the inbox. */
  readonly direction: 'inbound' | 'outbound'
  /** Empty for a delivery-failure notice (null sender). */
  readonly envelopeFrom: string
  readonly envelopeTo: readonly string[]
  readonly read: boolean
}

/** Messages oldest first. `folder: 'sent'` has only outbound messages. */
export interface DemoThread {
  readonly folder: DemoFolder
  readonly labels: readonly string[]
  readonly messages: readonly DemoMessage[]
}

export interface DemoLabel {
  readonly name: string
  /** `#RRGGBB`, upper-case. */
  readonly color: string
}

export interface DemoTopic {
  readonly name: string
  readonly description: string | null
  readonly defaultSubscription: 'opt_in' | 'opt_out'
  readonly visibility: 'public' | 'private'
}

export interface DemoTemplate {
  readonly name: string
  readonly alias: string
  readonly subject: string
  readonly html: string
  readonly variables: readonly {
    readonly key: string
    readonly type: 'string' | 'number'
    readonly fallback: string | number | null
  }[]
}

export interface DemoContact {
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly unsubscribed: boolean
  readonly createdAt: Date
  readonly properties: Readonly<Record<string, string | number>>
  /** Explicit choices by topic name; the others follow the topic's default. */
  readonly topics: Readonly<Record<string, 'opt_in' | 'opt_out'>>
}

export interface DemoMailbox {
  readonly inbox: { readonly emailAddress: string; readonly name: string; readonly fromName: string }
  readonly labels: readonly DemoLabel[]
  readonly threads: readonly DemoThread[]
  readonly topics: readonly DemoTopic[]
  readonly contactProperties: readonly { readonly key: string; readonly type: 'string' | 'number' }[]
  readonly contacts: readonly DemoContact[]
  readonly templates: readonly DemoTemplate[]
}
