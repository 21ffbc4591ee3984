/** The values that SPF, DKIM and DMARC results take (platform facts 7). */
export const authenticationResults = ['pass', 'fail', 'gray', 'processing_failed', 'unknown'] as const
export type AuthenticationResult = (typeof authenticationResults)[number]

export interface Authentication {
  readonly spf: AuthenticationResult
  readonly dkim: AuthenticationResult
  readonly dmarc: AuthenticationResult
}

/**
 * What an image is that the HTML shows by its Content-ID: `counted`, it is an attachment like any other; `named`, only its
 * name is found by `query`; `hidden`, it is none.
 */
export type InlineImages = 'counted' | 'named' | 'hidden'

/** What a search may ask for at most (contract, Limits). */
export interface SearchLimits {
  /** Words of `query`. */
  readonly words: number
  /** Values of each of `from`, `to`, `cc` and `bcc`. */
  readonly people: number
}

export const searchLimits: SearchLimits = { words: 32, people: 20 }

/** What the service's switches decide. docs/service.md explains each and names the unknown that it stands for. */
export interface Settings {
  /** Requests a second for the whole account; `null` for no limit. */
  readonly rateLimit: number | null
  /** An e-mail's time is its Date header instead of its arrival. */
  readonly trustDate: boolean
  /** `header` reads the message's own Authentication-Results. */
  readonly authentication: Authentication | 'header'
  /** Milliseconds until search sees a new e-mail. */
  readonly indexDelay: number
  /** Threads that one search covers (contract, Search threads, rule 6). */
  readonly searchCap: number
  readonly searchLimits: SearchLimits
  /** Status of the answer to a key that does not exist. */
  readonly invalidKeyStatus: 400 | 401 | 403
  /** Whether a reply draft without a subject is sent with its thread's, or refused. */
  readonly replySubject: 'filled' | 'required'
  /** Whether taking off a label that is not on the thread succeeds or answers 404. */
  readonly missingLabel: 'ok' | 'not_found'
  /** Whether the attachment endpoints know the e-mails of inbox threads. */
  readonly inboxAttachments: boolean
  /** What images shown inside the HTML are to search and threads. It holds for mail stored while it is given. */
  readonly inlineImages: InlineImages
  /** Whether search results carry the `highlights` of the earlier beta. */
  readonly highlights: boolean
  /** Whether an e-mail sent through `POST /emails` from an inbox's address joins that inbox. */
  readonly sentJoinsInbox: boolean
  /** Whether people can sign in by OAuth, beside keys. */
  readonly oauth: boolean
  /** Milliseconds for which an access token is good. */
  readonly accessLife: number
  /** Milliseconds in which a refresh token may come again, as its answer may have been lost. */
  readonly refreshGrace: number
  /** How an account without the private beta is answered on `/inboxes`. */
  readonly inboxes: 'on' | 'not_found' | 'forbidden'
  /** `contract`: only the six operations of the contract exist. */
  readonly operations: 'all' | 'contract'
  /** Days after which an e-mail is gone (platform facts 1, Retention); `null` to keep it. */
  readonly retentionDays: number | null
  /** Whether every key opens everything, for a program that has a key of the real platform built in. */
  readonly anyKey: boolean
  /** Names under which the service may be asked, besides this machine's own. */
  readonly allowedHosts: readonly string[]
  /** Whether a browser on this machine sees the mail at `/`, without a key. */
  readonly page: boolean
  /** Whether faults can be asked for over the control endpoint. */
  readonly faults: boolean
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
}
