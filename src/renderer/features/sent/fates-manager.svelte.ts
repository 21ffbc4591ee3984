import { soon } from '../../ui/soon.ts'
import type { SentEmail } from '../../../shared/model.ts'
import type { Backend } from '../../kernel/backend.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly fates: FatesManager
  }
}

/** What is told of an e-mail after it was sent. */
export type Fate = Pick<SentEmail, 'lastEvent' | 'scheduledAt'>

/** What became of the e-mails of a conversation that were sent from here. */
export class FatesManager {
  readonly #backend: Backend
  #news = $state(0)

  constructor(backend: Backend) {
    this.#backend = backend
    const tell = soon(() => {
      this.#news += 1
    })
    backend.on('sentEmails.changed', tell)
  }

  /** Grows whenever something may have become of an e-mail. */
  get news(): number {
    return this.#news
  }

  /** From this computer where it is known there, else from the platform; null where neither knows: nothing is guessed. */
  async of(emailId: string): Promise<Fate | null> {
    const result = await this.#backend.call('sentEmail.get', { id: emailId })
    return result.ok ? result.data : null
  }
}
