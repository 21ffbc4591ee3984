import type { ShareLink } from '../../../shared/model.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly shareLink: ShareLinkManager
  }
}

/** What a person can choose; the platform allows 48 hours at most (platform facts 4). */
export const EXPIRIES = [
  { value: '10m', label: '10 minutes' },
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '1 day' },
  { value: '48h', label: '48 hours' },
] as const
export type Expiry = (typeof EXPIRIES)[number]['value']

/** The e-mail to be shared. */
interface Shared {
  readonly id: string
  readonly subject: string | null
}

/** The dialog "Share link": for which e-mail, and the link once there is one. */
export class ShareLinkManager {
  readonly #backend: Backend
  #email = $state.raw<Shared | null>(null)
  #link = $state.raw<ShareLink | null>(null)
  #expiry = $state.raw<Expiry | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #isBusy = $state(false)

  constructor(backend: Backend) {
    this.#backend = backend
  }

  get email(): Shared | null {
    return this.#email
  }

  get link(): ShareLink | null {
    return this.#link
  }

  /** What was chosen for `link`, in words. */
  get expiryLabel(): string | null {
    return EXPIRIES.find(({ value }) => value === this.#expiry)?.label ?? null
  }

  get problem(): Problem | null {
    return this.#problem
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  open(email: Shared): void {
    this.#email = email
    this.#link = null
    this.#problem = null
  }

  close(): void {
    this.#email = null
    this.#link = null
  }

  async create(expiresIn: Expiry): Promise<void> {
    const email = this.#email
    if (email === null) return
    this.#isBusy = true
    const result = await this.#backend.call('shareLink.create', { emailId: email.id, expiresIn })
    this.#isBusy = false
    // The dialog was closed, or opened for another e-mail, while the platform answered.
    if (this.#email !== email) return
    this.#link = result.ok ? result.data : null
    this.#expiry = expiresIn
    this.#problem = result.ok ? null : result.error
  }
}
