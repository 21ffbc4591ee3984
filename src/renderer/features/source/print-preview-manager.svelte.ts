import type { AboutEmail } from './about-email.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly printPreview: PrintPreviewManager
  }
}

export class PrintPreviewManager {
  #emails = $state.raw<readonly AboutEmail[] | null>(null)

  /** Oldest first. Null without a preview. */
  get emails(): readonly AboutEmail[] | null {
    return this.#emails
  }

  open(emails: readonly AboutEmail[]): void {
    this.#emails = emails
  }

  close(): void {
    this.#emails = null
  }
}
