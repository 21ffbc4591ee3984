import type { LinnetEvent } from '../shared/contract.ts'

/** What runs in the background of an open account. */
export interface Service {
  readonly start: () => void
  /** Called with whatever windows were just told. */
  readonly onEvent?: (event: LinnetEvent) => void
  /** Resolves once the account's signal has ended it. */
  readonly ended: () => Promise<void>
}
