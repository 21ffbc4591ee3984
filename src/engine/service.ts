import type { LinnetEvent } from '../shared/contract.ts'

/** What runs in the background of an open account. */
export interface Service {
  start(): void
  /** Called with whatever windows were just told. */
  onEvent?(event: LinnetEvent): void
  /** Resolves once the account's signal has ended it. */
  ended(): Promise<void>
}
