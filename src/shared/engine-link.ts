/** The calls between a host and its engine thread: everything that is not the screens' business. */
import type { ConnectionStep, TestedConnection } from './connection-test.ts'
import type { AccountUsage, BodyOwner, LinnetEvent } from './contract.ts'
import type { ExportState, ExportWish } from './export.ts'
import type { Log } from './log.ts'
import type { SyncStatus } from './model.ts'
import type { WayNamer, WayOut } from './proxy.ts'
import type { Result } from './result.ts'

/** A platform and a key for it. Held in memory only; the key goes into requests and nowhere else. */
export interface Credentials {
  readonly baseUrl: string
  readonly apiKey: string
}

/** What a platform says of its other side of signing in (RFC 8414), as far as it is asked for. */
export interface SignInServer {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly registration_endpoint?: string
  readonly revocation_endpoint?: string
  readonly authorization_response_iss_parameter_supported: boolean
}

/** A sign-in that has begun, in memory alone: all that is needed to finish it. */
export interface BegunSignIn {
  /** The page that the person's browser opens. */
  readonly url: string
  readonly baseUrl: string
  readonly redirectUri: string
  readonly clientId: string
  readonly state: string
  readonly verifier: string
  /** What the server says of itself. */
  readonly server: SignInServer
}

/** An inbox as far as it tells one account from another. */
export interface InboxName {
  readonly id: string
  readonly address: string
}

export interface AccountKey {
  readonly apiKey: string
  /**
   * Whether the platform has taken the key as one of this account. Otherwise the engine asks it first, and compares the
   * key's inboxes with those in the cache, before the key is used for anything else.
   */
  readonly isAccepted: boolean
}

/** What the engine needs to open an account. */
export interface AccountToOpen {
  readonly id: string
  readonly baseUrl: string
  /** Where its cache and its outbox are. */
  readonly directory: string
  /** Null where there is none at hand: the mail can be read, and changes wait for a key. */
  readonly key: AccountKey | null
  /** Whether it was opened before, so that a folder without its files has lost them; false where that is left out. */
  readonly isKnown?: boolean
}

/** A file that a person asked for: the original of an e-mail, an attachment, or a picture. */
export interface RawEmail {
  readonly filename: string
  readonly content: Uint8Array
}

export interface ExportTarget {
  /** Absolute. */
  readonly path: string
  /** Whether a file at the path may be replaced: the person has said so. */
  readonly mayReplace: boolean
  /** Whether the file is Linnet's own until a person fetches it: it goes when the export is dismissed. */
  readonly isLent?: boolean
}

/** How many certificates count: those that are built in, the system's, and those of `NODE_EXTRA_CA_CERTS`. */
export interface TrustCounts {
  readonly builtIn: number
  readonly extra: number
  readonly system: number
}

/** What an engine knows of an open account that helps to find a fault. */
export interface EngineDiagnostics {
  /** Rows of the cache by kind; none where they cannot be counted. */
  readonly counts: Readonly<Record<string, number>>
  readonly sync: SyncStatus
  readonly trusted: TrustCounts
  /** How the last test of its connection ended; none if there was none in this run. */
  readonly tested: readonly ConnectionStep[]
}

/** What a host asks of its engine. */
export interface EngineLink {
  /** Reads a base URL as a person types it. @returns how it is written everywhere else */
  parseBaseUrl: (text: string) => Promise<Result<string>>
  /**
   * Begins a sign-in by the person's browser.
   * @param redirectUri where the browser comes back to
   * @param clientId by which Linnet signs in; null where it registers by itself
   */
  beginSignIn: (baseUrl: string, redirectUri: string, clientId: string | null) => Promise<Result<BegunSignIn>>
  /** Finishes it. @param answered the query that the browser brought back @returns what stands in the place of a key */
  finishSignIn: (begun: BegunSignIn, answered: string) => Promise<Result<string>>
  /** Gives back what a person signed in with; nothing where it is a key. */
  endSignIn: (credentials: Credentials) => Promise<Result<null>>
  /** Asks the platform whether it is one and takes this key. Opens nothing and keeps nothing. @returns its inboxes */
  test: (credentials: Credentials) => Promise<Result<readonly InboxName[]>>
  /**
   * Makes a connection as the account does, step by step.
   * @param run by which its steps are known again as they are told
   * @param by who says by which way the server is reached
   */
  testConnection: (tested: TestedConnection, run: string, by: WayNamer) => Promise<Result<readonly ConnectionStep[]>>
  /** Ends the tests that are under way: they answer `cancelled`. */
  cancelTests: () => Promise<void>
  /** The inboxes in the cache of a folder, which need not be open; none where they cannot be read. */
  inboxesIn: (directory: string) => Promise<Result<readonly InboxName[]>>
  /** What is in a folder, which need not be open. */
  usageOf: (directory: string) => Promise<Result<AccountUsage>>
  /** Opens an account beside those that are open, without asking the network, and starts to sync. */
  open: (account: AccountToOpen) => Promise<Result<null>>
  /** Gives an open account another key, or takes its key away. What is open, cached and unsent stays as it is. */
  setKey: (accountId: string, key: AccountKey | null) => Promise<Result<null>>
  /** Ends an account's sync, writes what is pending and closes its files. */
  close: (accountId: string) => Promise<void>
  /** A command of the contract's engine room. @param caller the window or tab that asks (`Asking`) */
  call: (accountId: string, name: string, input: unknown, caller: string) => Promise<Result<unknown>>
  /** A command of the contract's room `across`, about accounts that its input names. */
  callAcross: (name: string, input: unknown, caller: string) => Promise<Result<unknown>>
  /** A window or tab is gone: nothing that it said holds any longer. */
  leave: (caller: string) => Promise<void>
  /** The computer was away, or its network is another one: what waits goes now, over new connections. */
  networkChanged: () => Promise<void>
  /** A person has chosen another way to servers: what is asked from now on goes by it. */
  waysChosen: () => Promise<void>
  diagnostics: (accountId: string) => Promise<Result<EngineDiagnostics>>
  /** Of the SQLite that the mail lies in, such as `3.51.0`. */
  sqliteVersion: () => Promise<Result<string>>
  /** The original file of an e-mail, from the platform where it is not here yet. */
  original: (accountId: string, of: BodyOwner) => Promise<Result<RawEmail>>
  /** An attachment of an e-mail, fetched where it is not here, under a name that is safe. */
  attachment: (accountId: string, of: BodyOwner, attachmentId: string) => Promise<Result<RawEmail>>
  /** A picture of an e-mail, by its address in the HTML, under a name that is safe. */
  picture: (accountId: string, of: BodyOwner, url: string) => Promise<Result<RawEmail>>
  /** All contacts that are here, as a table (CSV). */
  contactTable: (accountId: string) => Promise<Result<RawEmail>>
  /** Begins an export into a file: where that goes is for the host to say, never for a window. */
  startExport: (accountId: string, wish: ExportWish, target: ExportTarget) => Promise<Result<ExportState>>
}

/** What an engine tells its host. */
export interface HostLink {
  event: (accountId: string, event: LinnetEvent) => void
  /** The platform has taken a key that was not known to be accepted, and it is this account's. */
  keyAccepted: (accountId: string, apiKey: string, inboxes: readonly InboxName[]) => void
  /** The refresh token of an account is another one (`shared/grant.ts`). Resolves when that is kept. */
  keyRenewed: (accountId: string, was: string, now: string) => Promise<void>
  /** The ways to a server, the best first (`shared/proxy.ts`). @param origin such as `https://api.example` */
  waysTo: (origin: string) => Promise<readonly WayOut[]>
  /** A test of a connection has come so far. */
  connectionTested: (run: string, steps: readonly ConnectionStep[]) => void
  /** A line for the log (`shared/log.ts` says what may be in it). */
  log: Log
}
