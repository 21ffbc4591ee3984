import type { BodyOwner, CreatedShareLink } from '../../../shared/contract.ts'
import type { Problem } from '../../../shared/result.ts'
import { parseShareDuration, SHARE_DURATION_FAULTS } from '../../../shared/share-duration.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { formatSubject } from '../threads/correspondent.ts'

/** The platform allows 48 hours at most (platform.md 17.2). */
export const SHARE_DURATION_LABELS = {
  '10m': '10 minutes',
  '1h': '1 hour',
  '1d': '1 day',
  '48h': '48 hours',
  typed: 'Other',
} as const
export type ShareDurationChoice = keyof typeof SHARE_DURATION_LABELS

interface SharedEmail {
  readonly of: BodyOwner
  readonly subject: string | null
}

interface CreatedLink {
  readonly link: CreatedShareLink
  /** True if it is stored beyond this session. */
  readonly isKept: boolean
}

/** The Share link dialog: its e-mail, the lifetime, and the created link. */
export class ShareLinkManager {
  choice = $state<ShareDurationChoice>('48h')
  typed = $state('')
  readonly #backend: Backend
  readonly #toasts: Readonly<ToastManager>
  email = $state.raw<SharedEmail | null>(null)
  made = $state.raw<CreatedLink | null>(null)
  problem = $state.raw<Problem | null>(null)
  /** E-mail of the latest request. A reopened dialog doesn't wait for an earlier request. */
  #requested = $state.raw<SharedEmail | null>(null)

  constructor(backend: Backend, toasts: Readonly<ToastManager>) {
    this.#backend = backend
    this.#toasts = toasts
  }

  get isBusy(): boolean {
    return this.#requested !== null && this.#requested === this.email
  }

  choose(choice: ShareDurationChoice): void {
    this.choice = choice
  }

  /** In the platform's format. */
  get expiresIn(): string {
    return this.choice === 'typed' ? this.typed : this.choice
  }

  /** Milliseconds, or null if invalid. */
  get duration(): number | null {
    const duration = parseShareDuration(this.expiresIn)
    return 'fault' in duration ? null : duration.milliseconds
  }

  get fault(): string | null {
    const duration = parseShareDuration(this.expiresIn)
    return 'fault' in duration ? SHARE_DURATION_FAULTS[duration.fault] : null
  }

  open(of: BodyOwner, { subject }: { readonly subject: string | null }): void {
    this.email = { of, subject }
    this.made = null
    this.problem = null
  }

  close(): void {
    this.email = null
    this.made = null
  }

  async create(): Promise<void> {
    const email = this.email
    if (email === null || this.isBusy || this.duration === null) return
    this.#requested = email
    this.problem = null
    const result = await this.#backend.call('shareLink.create', { of: email.of, expiresIn: this.expiresIn })
    if (this.#requested === email) this.#requested = null
    if (this.email === email) {
      this.made = result.ok ? result.data : null
      this.problem = result.ok ? null : result.error
    } else if (result.ok) {
      // The dialog was closed before the response arrived. The link exists anyway.
      this.#toasts.show(`The link to “${formatSubject(email.subject)}” was created. Find it under Share links.`)
    }
  }
}
