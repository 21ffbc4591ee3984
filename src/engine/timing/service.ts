import type { LinnetEvent } from '../../shared/contract.ts'

export interface EngineService {
  start?(): void
  /** Called with each event, after the windows have received it. */
  onEvent?(event: LinnetEvent): void
  /** Resolves once the account's abort signal has stopped the service. */
  ended?(): Promise<void>
}
