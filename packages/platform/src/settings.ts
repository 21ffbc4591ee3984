/** Results of SPF, DKIM and DMARC (platform.md 21.8). */
export const authenticationResults = ['pass', 'fail', 'gray', 'processing_failed', 'unknown'] as const
export type AuthenticationResult = (typeof authenticationResults)[number]

export interface Authentication {
  readonly spf: AuthenticationResult
  readonly dkim: AuthenticationResult
  readonly dmarc: AuthenticationResult
}

/**
 * Treatment of images that the HTML shows: ordinary attachments (`counted`), found by name in `query` only (`named`),
 * or not attachments at all (`hidden`).
 */
export type InlineImageMode = 'counted' | 'named' | 'hidden'

/** Search limits (platform.md 10). */
export interface SearchLimits {
  /** Maximum number of words in `query`. */
  readonly words: number
  /** Maximum number of values in each of `from`, `to`, `cc` and `bcc`. */
  readonly people: number
}

export const searchLimits: SearchLimits = { words: 32, people: 20 }

/** Behaviour set by command-line switches. service.md explains each one and the unknown behind it. */
export interface Settings {
  /** Requests per second for the whole account; `null` for no limit. */
  readonly rateLimit: number | null
  /** True to date e-mails by their Date header instead of their arrival. */
  readonly trustDate: boolean
  /** `header` uses the Authentication-Results header of the message itself. */
  readonly authentication: Authentication | 'header'
  /** Milliseconds until search finds a new e-mail. */
  readonly indexDelay: number
  /** Maximum threads per search (platform.md 9.6). */
  readonly searchCap: number
  readonly searchLimits: SearchLimits
  readonly invalidKeyStatus: 400 | 401 | 403
  /** A reply draft without a subject is sent with its thread's subject (`filled`), or rejected (`required`). */
  readonly replySubject: 'filled' | 'required'
  /** Response when removing a label that isn't on the thread: success or 404. */
  readonly missingLabel: 'ok' | 'not_found'
  /** True if the attachment endpoints serve e-mails of inbox threads. */
  readonly inboxAttachments: boolean
  /** Takes effect when an e-mail is stored; stored e-mails don't change. */
  readonly inlineImages: InlineImageMode
  /** True to include `highlights` in search results, as in the earlier beta. */
  readonly highlights: boolean
  /** True to add e-mails sent through `POST /emails` from an inbox's address to that inbox. */
  readonly sentJoinsInbox: boolean
  readonly oauth: boolean
  /** Lifetime of an access token in milliseconds. */
  readonly accessLife: number
  /** Milliseconds during which a used refresh token is accepted again, because its response may have been lost. */
  readonly refreshGrace: number
  /** Response on `/inboxes`; `not_found` and `forbidden` simulate an account without the private beta. */
  readonly inboxes: 'on' | 'not_found' | 'forbidden'
  /** `contract` limits the service to the six operations of the contract (docs/platform.md). */
  readonly operations: 'all' | 'contract'
  /** Days to keep an e-mail (platform.md 2.6); `null` to keep it forever. */
  readonly retentionDays: number | null
  /** True to give any key full access, for programs that have a key of the real platform built in. */
  readonly anyKey: boolean
  /** Accepted host names in addition to local ones. */
  readonly allowedHosts: readonly string[]
  /** True to show the mail to local browsers at `/`, without a key. */
  readonly page: boolean
  readonly faults: boolean
  /** `loopback` delivers webhooks only to endpoints on this machine; others get nothing. */
  readonly webhookTargets: 'loopback' | 'any'
  /** Milliseconds to wait for the response to a webhook. */
  readonly webhookTimeout: number
}

export const defaultSettings: Settings = {
  rateLimit: 10,
  trustDate: false,
  authentication: 'header',
  indexDelay: 0,
  searchCap: 10_000,
  searchLimits,
  invalidKeyStatus: 401,
  replySubject: 'filled',
  missingLabel: 'ok',
  inboxAttachments: true,
  inlineImages: 'counted',
  highlights: false,
  sentJoinsInbox: true,
  oauth: true,
  accessLife: 15 * 60_000,
  refreshGrace: 0,
  inboxes: 'on',
  operations: 'all',
  retentionDays: null,
  anyKey: false,
  allowedHosts: [],
  page: true,
  faults: false,
  webhookTargets: 'loopback',
  webhookTimeout: 15_000,
}
