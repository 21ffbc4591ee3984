import type { AccountState } from '../../shared/contract.ts'
import type { Account } from '../../shared/model.ts'
import type { Problem, Result } from '../../shared/result.ts'
import type { Backend } from '../backend.ts'

/** The account of this window, and the ways to get one. Never holds an API key. */
export class AccountManager {
  readonly #backend: Backend
  #state = $state.raw<AccountState | null>(null)
  #problem = $state.raw<Problem | null>(null)

  constructor(backend: Backend) {
    this.#backend = backend
    backend.on('account.changed', (state) => {
      this.#state = state
    })
  }

  /** Null until the host has said it. */
  get state(): AccountState | null {
    return this.#state
  }

  /** Why the host could not say whether there is an account. */
  get problem(): Problem | null {
    return this.#problem
  }

  async load(): Promise<void> {
    const result = await this.#backend.call('account.state', {})
    if (result.ok) this.#state = result.data
    this.#problem = result.ok ? null : result.error
  }

  /** @returns the problem, or null where the account is open */
  async connect(baseUrl: string, apiKey: string): Promise<Problem | null> {
    return this.#opened(await this.#backend.call('account.connect', { baseUrl, apiKey }))
  }

  /** @returns the problem, or null where the demo is open */
  async startDemo(): Promise<Problem | null> {
    return this.#opened(await this.#backend.call('account.startDemo', {}))
  }

  /** @returns the problem, or null where the key is forgotten */
  async disconnect(): Promise<Problem | null> {
    const result = await this.#backend.call('account.disconnect', {})
    if (!result.ok) return result.error
    await this.load()
    return null
  }

  async #opened(result: Result<Account>): Promise<Problem | null> {
    if (!result.ok) return result.error
    await this.load()
    return null
  }
}
