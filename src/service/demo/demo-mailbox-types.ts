/**
 * What the demo dataset hands to the service: real messages and the state that a person left them in.
 * `demoMailbox(now: Date): Promise<DemoMailbox>` in `demo-mailbox.ts` makes it; it is asynchronous because the library
 * that writes the messages (nodemailer's MailComposer) is.
 */
export type DemoFolder = 'inbox' | 'archive' | 'spam' | 'sent' | 'trash'

/** One message. `raw` is a complete RFC 5322 message (CRLF), its Date header is its time; threads are built from its Message-ID, In-Reply-To and References. */
export interface DemoMessage {
  readonly raw: Uint8Array
  /** `inbound`: it arrived for the inbox by SMTP, with this envelope. `outbound`: the inbox sent it. */
  readonly direction: 'inbound' | 'outbound'
  /** Empty for a delivery-failure notice (the null sender). */
  readonly envelopeFrom: string
  readonly envelopeTo: readonly string[]
  readonly read: boolean
}

/** The messages of one thread, oldest first, and where the thread lies. `folder: 'sent'` has only outbound messages. */
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
  /** Explicit choices only, by topic name; the rest follows the topic's default. */
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
