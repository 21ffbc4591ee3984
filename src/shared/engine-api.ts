/** Calls between a host and its engine thread that are not part of the window's contract. */
import type { ConnectionStep, ConnectionTestTarget } from './connection-test.ts'
import type { AccountUsage, BodyOwner, LinnetEvent } from './contract.ts'
import type { ExportRequest, ExportState } from './export.ts'
import type { Log } from './log.ts'
import type { SyncStatus } from './model.ts'
import type { RouteSource, ProxyRoute } from './proxy.ts'
import type { Result } from './result.ts'

/** A platform and its key. Kept in memory only; the key is used only in requests. */
export interface Credentials {
  readonly baseUrl: string
  readonly apiKey: string
}

/** Metadata of a platform's authorization server (RFC 8414), limited to the fields that Linnet uses. */
export interface SignInServer {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly registration_endpoint?: string
  readonly revocation_endpoint?: string
  readonly authorization_response_iss_parameter_supported: boolean
}

/** A sign-in in progress, in memory only, with everything needed to finish it. */
export interface SignInAttempt {
  readonly url: string
  readonly baseUrl: string
  readonly redirectUri: string
  readonly clientId: string
  readonly state: string
  readonly verifier: string
  readonly server: SignInServer
}

/** The parts of an inbox that identify its account. */
export interface InboxIdentity {
  readonly id: string
  readonly address: string
}

export interface AccountKey {
  readonly apiKey: string
  /**
   * True once the platform has accepted the key. Until then, the engine first compares the key's inboxes with the
   * cached ones.
   */
  readonly isAccepted: boolean
}

export interface AccountToOpen {
  readonly id: string
  readonly baseUrl: string
  /** Folder of the account's cache and outbox. */
  readonly directory: string
  /** Null if there is no key. Mail can still be read, and changes wait for a key. */
  readonly key: AccountKey | null
  /** True if the account was opened before, so missing files mean data loss. Defaults to false. */
  readonly isKnown?: boolean
}

/** A file requested by the user: the raw source of an e-mail, an attachment, or a picture. */
export interface RequestedFile {
  readonly filename: string
  readonly content: Uint8Array
}

export interface ExportTarget {
  /** Absolute path. */
  readonly path: string
  /** True if the user has agreed to replace an existing file. */
  readonly mayReplace: boolean
  /** True if Linnet stores the file until the user downloads it, and deletes it when the export is dismissed. */
  readonly isLent?: boolean
}

/** Number of trusted certificates: built-in ones, those from `NODE_EXTRA_CA_CERTS`, and the system's. */
export interface CertificateCounts {
  readonly builtIn: number
  readonly extra: number
  readonly system: number
}

export interface EngineDiagnostics {
  /** Number of cache rows by kind; empty if they can't be counted. */
  readonly counts: Readonly<Record<string, number>>
  readonly sync: SyncStatus
  readonly trusted: CertificateCounts
  /** Results of the last connection test; empty if there was none in this run. */
  readonly tested: readonly ConnectionStep[]
}

/** Calls from a host to its engine. */
export interface EngineApi {
  /** Parses a base URL as typed by the user. @returns its normalised form */
  parseBaseUrl: (text: string) => Promise<Result<string>>
  /**
   * Starts a browser sign-in.
   * @param redirectUri address that the browser returns to
   * @param clientId Linnet's client ID; null registers one dynamically
   */
  beginSignIn: (baseUrl: string, redirectUri: string, clientId: string | null) => Promise<Result<SignInAttempt>>
  /** @param answered the query with which the browser returned @returns a grant to use instead of a key */
  finishSignIn: (begun: SignInAttempt, answered: string) => Promise<Result<string>>
  /** Revokes the grant of a sign-in; does nothing for an API key. */
  endSignIn: (credentials: Credentials) => Promise<Result<null>>
  /**
   * Checks that the address is a platform that accepts the key. Opens and stores nothing. @returns the key's inboxes
   */
  test: (credentials: Credentials) => Promise<Result<readonly InboxIdentity[]>>
  /**
   * Tests a connection in the same way that an account connects. @param run identifies the test's progress events
   * @param by describes the route to a server
   */
  testConnection: (
    tested: ConnectionTestTarget,
    run: string,
    by: RouteSource,
  ) => Promise<Result<readonly ConnectionStep[]>>
  /** Aborts running tests; they return `cancelled`. */
  cancelTests: () => Promise<void>
  /** Cached inboxes of an account folder, which may be closed; empty if they can't be read. */
  inboxesIn: (directory: string) => Promise<Result<readonly InboxIdentity[]>>
  usageOf: (directory: string) => Promise<Result<AccountUsage>>
  /** Opens an account in addition to the open ones, without waiting for the network, and starts its sync. */
  open: (account: AccountToOpen) => Promise<Result<null>>
  /** Replaces or removes the key of an open account. Open views, the cache and unsent changes stay. */
  setKey: (accountId: string, key: AccountKey | null) => Promise<Result<null>>
  /** Stops an account's sync, writes pending data and closes its files. */
  close: (accountId: string) => Promise<void>
  /**
   * Runs an `engine` command of the contract.
   * @param accounts ID of the account; or for `ALL_INBOXES`, IDs of the open accounts in the user's order
   * @param caller the calling window or tab (see `CallContext`)
   */
  call: (accounts: string | readonly string[], name: string, input: unknown, caller: string) => Promise<Result<unknown>>
  /** Called when a window or tab has closed: forgets everything that it reported. */
  leave: (caller: string) => Promise<void>
  /** Called after the computer woke up or changed networks: retries waiting requests now, over new connections. */
  networkChanged: () => Promise<void>
  /** Called after the user changed the proxy settings, which apply to all further requests. */
  proxyChanged: () => Promise<void>
  diagnostics: (accountId: string) => Promise<Result<EngineDiagnostics>>
  sqliteVersion: () => Promise<Result<string>>
  /** The raw source of an e-mail, fetched from the platform if missing. */
  original: (accountId: string, of: BodyOwner) => Promise<Result<RequestedFile>>
  /** An attachment of an e-mail, fetched if missing, under a safe filename. */
  attachment: (accountId: string, of: BodyOwner, attachmentId: string) => Promise<Result<RequestedFile>>
  /** A picture of an e-mail, identified by its address in the HTML, under a safe filename. */
  picture: (accountId: string, of: BodyOwner, url: string) => Promise<Result<RequestedFile>>
  contactTable: (accountId: string) => Promise<Result<RequestedFile>>
  /** Starts an export into a file. The target always comes from the host, never from a window. */
  startExport: (accountId: string, request: ExportRequest, target: ExportTarget) => Promise<Result<ExportState>>
}

/** Calls from an engine to its host. */
export interface HostLink {
  /** @param accountId `ALL_INBOXES` for an event with the IDs of all inboxes */
  event: (accountId: string, event: LinnetEvent) => void
  /** The platform has accepted a key that was untested, and it belongs to this account. */
  keyAccepted: (accountId: string, apiKey: string, inboxes: readonly InboxIdentity[]) => void
  /** An account's refresh token was replaced (`shared/grant.ts`). Resolves when the new one is stored. */
  keyRenewed: (accountId: string, was: string, now: string) => Promise<void>
  /** Routes to a server, best first (`shared/proxy.ts`). @param origin such as `https://api.example` */
  routesTo: (origin: string) => Promise<readonly ProxyRoute[]>
  connectionTested: (run: string, steps: readonly ConnectionStep[]) => void
  /** Writes a line to the log. `shared/log.ts` restricts its content. */
  log: Log
}
