/** The calls between a host and its engine thread: everything that is not the screens' business. */
import type { LinnetEvent } from './contract.ts'
import type { Result } from './result.ts'

/** What the engine needs to open an account. Held in memory only; the key goes into requests and nowhere else. */
export interface Credentials {
  readonly accountId: string
  readonly baseUrl: string
  readonly apiKey: string
}

/** The original file of a received e-mail. */
export interface RawEmail {
  readonly filename: string
  readonly content: Uint8Array
}

/** What a host asks of its engine. */
export interface EngineLink {
  /** Asks the platform whether it is one and takes this key. Opens nothing and keeps nothing. */
  test: (credentials: Pick<Credentials, 'baseUrl' | 'apiKey'>) => Promise<Result<null>>
  /** Opens the account's cache below `directory` and starts to sync; closes the one before it. */
  open: (credentials: Credentials, directory: string) => Promise<Result<null>>
  /** Ends sync, writes what is pending and closes the files. */
  close: () => Promise<void>
  /** A command of the contract's engine room. */
  call: (name: string, input: unknown) => Promise<Result<unknown>>
  /** Downloads the original file of a received e-mail. */
  rawEmail: (id: string) => Promise<Result<RawEmail>>
}

/** What an engine tells its host. */
export interface HostLink {
  event: (event: LinnetEvent) => void
  /** A line for the log; never holds a key, an address or a body. */
  log: (line: string) => void
}
