import type { AccountState, CommandInput } from '../../shared/contract.ts'
import type { Problem, Result } from '../../shared/result.ts'
import type { Backend } from './backend.ts'

/** The account of this window, and the ways to get one. Never holds an API key. */
export class AccountManager {
  readonly #backend: Backend
  #state = $state.raw<AccountState | null>(null)
  #problem = $state.raw<Problem | null>(null)
  /** Whether the dialog that asks for a key of the open account is there. */
  isKeyAsked = $state(false)

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

  /** @returns the problem, or null where the account is open or `state.question` has to be answered first */
  async connect(baseUrl: string, apiKey: string): Promise<Problem | null> {
    return this.#done(await this.#backend.call('account.connect', { baseUrl, apiKey }))
  }

  /** Gives the open account another key. */
  async setKey(accountId: string, apiKey: string): Promise<Result<{ readonly isTried: boolean }>> {
    const result = await this.#backend.call('account.setKey', { accountId, apiKey })
    if (result.ok) await this.load()
    return result
  }

  /** Answers `state.question`. @returns the problem, or null where the answer was carried out */
  async decide(answer: CommandInput<'account.decide'>): Promise<Problem | null> {
    return this.#done(await this.#backend.call('account.decide', answer))
  }

  /** Opens an account whose mail is on this computer. @returns the problem, or null where it is open */
  async open(accountId: string): Promise<Problem | null> {
    return this.#done(await this.#backend.call('account.open', { accountId }))
  }

  /** @returns the problem, or null where the demo is open */
  async startDemo(): Promise<Problem | null> {
    return this.#done(await this.#backend.call('account.startDemo', {}))
  }

  /** @returns the problem, or null where the key is forgotten */
  async disconnect(): Promise<Problem | null> {
    return this.#done(await this.#backend.call('account.disconnect', {}))
  }

  async #done(result: Result<unknown>): Promise<Problem | null> {
    if (!result.ok) return result.error
    await this.load()
    return null
  }
}
