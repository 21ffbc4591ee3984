import type { EmailTarget } from './email-target.ts'

export class PrintPreviewManager {
  #emails = $state.raw<readonly EmailTarget[] | null>(null)

  /** Oldest first. Null without a preview. */
  get emails(): readonly EmailTarget[] | null {
    return this.#emails
  }

  open(emails: readonly EmailTarget[]): void {
    this.#emails = emails
  }

  close(): void {
    this.#emails = null
  }
}
