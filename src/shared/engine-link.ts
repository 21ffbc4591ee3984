/** Calls between a host and its engine thread that are not part of the window's contract. */
import type { ConnectionStep, TestedConnection } from './connection-test.ts'
import type { AccountUsage, BodyOwner, LinnetEvent } from './contract.ts'
import type { ExportState, ExportWish } from './export.ts'
import type { Log } from './log.ts'
import type { SyncStatus } from './model.ts'
import type { RouteSource, ProxyRoute } from './proxy.ts'
import type { Result } from './result.ts'

/** A platform and its key. Kept in memory only; the key is used in requests and nowhere else. */
export interface Credentials {
  readonly baseUrl: string
  readonly apiKey: string
}

/** Metadata of a platform's authorization server (RFC 8414), as far as Linnet uses it. */
export interface SignInServer {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly registration_endpoint?: string
  readonly revocation_endpoint?: string
  readonly authorization_response_iss_parameter_supported: boolean
}

/** A started sign-in, in memory only: everything needed to finish it. */
export interface StartedSignIn {
  readonly url: string
  readonly baseUrl: string
  readonly redirectUri: string
  readonly clientId: string
  readonly state: string
  readonly verifier: string
  readonly server: SignInServer
}

/** An inbox, reduced to what identifies its account. */
export interface InboxName {
  readonly id: string
  readonly address: string
}

export interface AccountKey {
  readonly apiKey: string
  /** True once the platform has accepted it. Until then, the engine first compares its inboxes with the cached ones. */
  readonly isAccepted: boolean
}

export interface AccountToOpen {
  readonly id: string
  readonly baseUrl: string
  /** Holds its cache and outbox. */
  readonly directory: string
  /** Null if there is no key: mail can be read, and changes wait for a key. */
  readonly key: AccountKey | null
  /** True if the account was opened before, so missing files mean data loss. Defaults to false. */
  readonly isKnown?: boolean
}

/** A file requested by the user: the raw source of an e-mail, an attachment, or a picture. */
export interface RawEmail {
  readonly filename: string
  readonly content: Uint8Array
}

export interface ExportTarget {
  /** Absolute. */
  readonly path: string
  /** True if the user has agreed to replace an existing file. */
  readonly mayReplace: boolean
  /** True if Linnet keeps the file until the user downloads it, and removes it when the export is dismissed. */
  readonly isLent?: boolean
}

/** Number of trusted certificates: built-in, from `NODE_EXTRA_CA_CERTS`, and the system's. */
export interface TrustCounts {
  readonly builtIn: number
  readonly extra: number
  readonly system: number
}

export interface EngineDiagnostics {
  /** Cache rows by kind; empty if they cannot be counted. */
  readonly counts: Readonly<Record<string, number>>
  readonly sync: SyncStatus
  readonly trusted: TrustCounts
  /** Steps of the last connection test; empty if there was none in this run. */
  readonly tested: readonly ConnectionStep[]
}

/** Calls from a host to its engine. */
export interface EngineLink {
  /** Parses a base URL as typed by the user. @returns its normalised form */
  parseBaseUrl: (text: string) => Promise<Result<string>>
  /**
   * Starts a browser sign-in.
   * @param redirectUri address that the browser returns to
   * @param clientId Linnet's client ID; null registers one dynamically
   */
  beginSignIn: (baseUrl: string, redirectUri: string, clientId: string | null) => Promise<Result<StartedSignIn>>
  /** @param answered the query that the browser brought back @returns a grant to use instead of a key */
  finishSignIn: (begun: StartedSignIn, answered: string) => Promise<Result<string>>
  /** Revokes a sign-in's grant; does nothing for a key. */
  endSignIn: (credentials: Credentials) => Promise<Result<null>>
  /** Checks that this is a platform and that it accepts the key. Opens and keeps nothing. @returns its inboxes */
  test: (credentials: Credentials) => Promise<Result<readonly InboxName[]>>
  /**
   * Connects as the account does. @param run identifies its progress events @param by describes the route to a server
   */
  testConnection: (tested: TestedConnection, run: string, by: RouteSource) => Promise<Result<readonly ConnectionStep[]>>
  /** Aborts running tests; they return `cancelled`. */
  cancelTests: () => Promise<void>
  /** Cached inboxes of a folder, which need not be open; empty if they cannot be read. */
  inboxesIn: (directory: string) => Promise<Result<readonly InboxName[]>>
  usageOf: (directory: string) => Promise<Result<AccountUsage>>
  /** Opens another account without waiting for the network, and starts its sync. */
  open: (account: AccountToOpen) => Promise<Result<null>>
  /** Replaces or removes an open account's key. Everything open, cached and unsent stays. */
  setKey: (accountId: string, key: AccountKey | null) => Promise<Result<null>>
  /** Stops an account's sync, writes pending data and closes its files. */
  close: (accountId: string) => Promise<void>
  /** Runs an `engine` command of the contract. @param caller the calling window or tab (`CallContext`) */
  call: (accountId: string, name: string, input: unknown, caller: string) => Promise<Result<unknown>>
  /** Runs an `across` command of the contract, about the accounts that its input names. */
  callUnified: (name: string, input: unknown, caller: string) => Promise<Result<unknown>>
  /** A window or tab is gone: forget everything that it reported. */
  leave: (caller: string) => Promise<void>
  /** The computer woke up or changed networks: retry waiting requests now, over new connections. */
  networkChanged: () => Promise<void>
  /** The user chose other proxy settings; they apply to all further requests. */
  proxyChanged: () => Promise<void>
  diagnostics: (accountId: string) => Promise<Result<EngineDiagnostics>>
  /** Version of the SQLite library that stores the mail, such as `3.51.0`. */
  sqliteVersion: () => Promise<Result<string>>
  /** The raw source of an e-mail, fetched from the platform if missing. */
  original: (accountId: string, of: BodyOwner) => Promise<Result<RawEmail>>
  /** An attachment of an e-mail, fetched if missing, under a safe filename. */
  attachment: (accountId: string, of: BodyOwner, attachmentId: string) => Promise<Result<RawEmail>>
  /** A picture of an e-mail, by its address in the HTML, under a safe filename. */
  picture: (accountId: string, of: BodyOwner, url: string) => Promise<Result<RawEmail>>
  contactTable: (accountId: string) => Promise<Result<RawEmail>>
  /** Starts an export into a file. The host chooses the target, never a window. */
  startExport: (accountId: string, wish: ExportWish, target: ExportTarget) => Promise<Result<ExportState>>
}

/** Calls from an engine to its host. */
export interface HostLink {
  event: (accountId: string, event: LinnetEvent) => void
  /** The platform has accepted an untested key, and it belongs to this account. */
  keyAccepted: (accountId: string, apiKey: string, inboxes: readonly InboxName[]) => void
  /** An account's refresh token was replaced (`shared/grant.ts`). Resolves when the new one is stored. */
  keyRenewed: (accountId: string, was: string, now: string) => Promise<void>
  /** Routes to a server, best first (`shared/proxy.ts`). @param origin such as `https://api.example` */
  routesTo: (origin: string) => Promise<readonly ProxyRoute[]>
  connectionTested: (run: string, steps: readonly ConnectionStep[]) => void
  /** Writes a line to the log (`shared/log.ts` restricts its content). */
  log: Log
}
