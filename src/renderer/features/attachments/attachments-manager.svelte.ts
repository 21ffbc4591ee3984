import { SvelteSet } from 'svelte/reactivity'
import { detectNameRisk, type AttachmentRisk } from '../../../shared/attachment-risk.ts'
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

  /** Saves an attachment, downloading it first to learn its real type. */
  async save(of: BodyOwner, attachment: Attachment): Promise<void> {
    await this.#while(of, attachment.id, async () => {
      const opened = await this.#backend.call('attachment.open', { of, attachmentId: attachment.id })
      if (!opened.ok) {
        if (opened.error.code !== 'cancelled') this.#toasts.problem(opened.error)
        return
      }
      const { risk } = opened.data
      const save = async (): Promise<void> =>
        reportSavedFile(this.#toasts, await this.#backend.call('attachment.save', { of, attachmentId: attachment.id }))
      await this.#askFirst(risk === null ? [] : [{ attachment, risk }], save)
    })
  }

  async savePreviewed(): Promise<void> {
    const open = this.preview
    const attachment = open?.all[open.place]
    if (open !== null && attachment !== undefined) await this.save(open.of, attachment)
  }

  async saveAll(of: BodyOwner, all: readonly Attachment[]): Promise<void> {
    await this.#while(of, null, async () => {
      const risky: RiskyAttachment[] = []
      for (const attachment of all) {
        const opened = await this.#backend.call('attachment.open', { of, attachmentId: attachment.id })
        if (!opened.ok) {
          if (opened.error.code !== 'cancelled') this.#toasts.problem(opened.error)
          return
        }
        const risk = opened.data.risk ?? detectNameRisk(attachment.filename)
        if (risk !== null) risky.push({ attachment, risk })
      }
      const save = async (): Promise<void> =>
        reportSavedFile(this.#toasts, await this.#backend.call('attachment.saveAll', { of }), 'Saved in')
      await this.#askFirst(risky, save)
    })
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

  async #askFirst(risky: readonly RiskyAttachment[], save: () => Promise<void>): Promise<void> {
    if (risky.length === 0) await save()
    else this.question = { risky, save }
  }

  async #while(of: BodyOwner, attachmentId: string | null, work: () => Promise<void>): Promise<void> {
    const name = savingName(of, attachmentId)
    if (this.#saving.has(name)) return
    this.#saving.add(name)
    await work()
    this.#saving.delete(name)
  }
}
