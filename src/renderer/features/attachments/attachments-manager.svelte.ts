import { SvelteSet } from 'svelte/reactivity'
import type { AttachmentRisk } from '../../../shared/attachment-risk.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import type { Backend } from '../../kernel/backend.ts'
import { reportSavedFile } from '../../kernel/report-saved-file.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'

export interface AttachmentPreview {
  readonly of: BodyOwner
  readonly all: readonly Attachment[]
  readonly place: number
}

export interface RiskyAttachment {
  readonly attachment: Attachment
  readonly risk: AttachmentRisk
}

/** Confirmation before saving dangerous attachments. */
export interface SaveQuestion {
  readonly risky: readonly RiskyAttachment[]
  readonly save: () => Promise<void>
}

const savingName = (of: BodyOwner, attachmentId: string | null): string => JSON.stringify([of, attachmentId])

export class AttachmentsManager {
  readonly #backend: Backend
  readonly #toasts: Readonly<ToastManager>
  preview = $state.raw<AttachmentPreview | null>(null)
  question = $state.raw<SaveQuestion | null>(null)
  readonly #saving = new SvelteSet<string>()

  constructor(backend: Backend, toasts: Readonly<ToastManager>) {
    this.#backend = backend
    this.#toasts = toasts
  }

  /** @param attachmentId null for all attachments of the e-mail */
  isSaving(of: BodyOwner, attachmentId: string | null): boolean {
    return this.#saving.has(savingName(of, attachmentId))
  }

  show(of: BodyOwner, all: readonly Attachment[], place: number): void {
    this.preview = { of, all, place }
  }

  /** Shows the next or previous attachment; stops at the ends. */
  step(by: 1 | -1): void {
    const open = this.preview
    const place = open === null ? -1 : open.place + by
    if (open !== null && place >= 0 && place < open.all.length) this.preview = { ...open, place }
  }

  closePreview(): void {
    this.preview = null
  }

  async save(of: BodyOwner, attachment: Attachment): Promise<void> {
    const attachmentId = attachment.id
    await this.#save(of, attachmentId, [attachment], async () =>
      reportSavedFile(this.#toasts, await this.#backend.call('attachment.save', { of, attachmentId })),
    )
  }

  async savePreviewed(): Promise<void> {
    const open = this.preview
    const attachment = open?.all[open.place]
    if (open !== null && attachment !== undefined) await this.save(open.of, attachment)
  }

  async saveAll(of: BodyOwner, all: readonly Attachment[]): Promise<void> {
    await this.#save(of, null, all, async () =>
      reportSavedFile(this.#toasts, await this.#backend.call('attachment.saveAll', { of }), 'Saved in'),
    )
  }

  async answer(isMeant: boolean): Promise<void> {
    const question = this.question
    this.question = null
    if (isMeant) await question?.save()
  }

  async cancel(of: BodyOwner, attachmentId: string): Promise<void> {
    const cancelled = await this.#backend.call('attachment.cancel', { of, attachmentId })
    if (!cancelled.ok) this.#toasts.problem(cancelled.error)
  }

  /** Saves attachments, downloading them first to learn their real types. Asks first if some are dangerous. */
  async #save(
    of: BodyOwner,
    attachmentId: string | null,
    attachments: readonly Attachment[],
    save: () => Promise<void>,
  ): Promise<void> {
    const name = savingName(of, attachmentId)
    if (this.#saving.has(name)) return
    this.#saving.add(name)
    await this.#askFirst(of, attachments, save)
    this.#saving.delete(name)
  }

  async #askFirst(of: BodyOwner, attachments: readonly Attachment[], save: () => Promise<void>): Promise<void> {
    const risky: RiskyAttachment[] = []
    for (const attachment of attachments) {
      const opened = await this.#backend.call('attachment.open', { of, attachmentId: attachment.id })
      if (!opened.ok) {
        if (opened.error.code !== 'cancelled') this.#toasts.problem(opened.error)
        return
      }
      if (opened.data.risk !== null) risky.push({ attachment, risk: opened.data.risk })
    }
    if (risky.length === 0) await save()
    else this.question = { risky, save }
  }
}
