import { SvelteSet } from 'svelte/reactivity'
import type { AttachmentRisk } from '../../../shared/attachment-risk.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import { ok } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { reportSavedFile } from '../../kernel/report-saved-file.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { formatFilename } from './describe-attachment.ts'

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

/** The press of the pointer that starts a drag. */
interface Press {
  isHeld: boolean
  /** True if it ended where it began. */
  isClick: boolean
}

const savingName = (of: BodyOwner, attachmentId: string | null): string => JSON.stringify([of, attachmentId])

/** False in browsers, whose pages can't drag out files that they don't have. */
export const canDragFiles = (): boolean => window.linnet !== undefined

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
    await this.#save(of, attachment.id, [attachment], () => this.#saveNow(of, attachment.id))
  }

  async savePreviewed(): Promise<void> {
    const open = this.preview
    const attachment = open?.all[open.place]
    if (open !== null && attachment !== undefined) await this.save(open.of, attachment)
  }

  /** Saves several attachments in one folder, or a single one like `save`. */
  async saveAll(of: BodyOwner, all: readonly Attachment[]): Promise<void> {
    const [first, second] = all
    if (first !== undefined && second === undefined) return this.save(of, first)
    await this.#save(of, null, all, async () =>
      reportSavedFile(this.#toasts, await this.#backend.call('attachment.saveAll', { of }), 'Saved in'),
    )
  }

  /**
   * Drags an attachment, or the message if it is null, out of the window as a file, downloading it first. A dangerous
   * attachment isn't dragged: the question to save it opens instead.
   */
  async drag(event: DragEvent, of: BodyOwner, attachment: Attachment | null): Promise<void> {
    // The system drags the file instead of the page's element.
    event.preventDefault()
    const source = event.currentTarget
    const press: Press = { isHeld: true, isClick: false }
    const ending = new AbortController()
    const release = ({ target }: PointerEvent): void => {
      press.isHeld = false
      press.isClick = source instanceof Node && target instanceof Node && source.contains(target)
      void this.#backend.call('fileDrag.cancel', {})
    }
    addEventListener('pointerup', release, { capture: true, once: true, signal: ending.signal })
    const risky = await this.#findRisky(of, attachment === null ? [] : [attachment])
    if (risky?.length === 0) await this.#startDrag(of, attachment, press)
    else if (risky !== null && attachment !== null && !press.isClick) {
      this.question = { risky, save: () => this.#saveNow(of, attachment.id) }
    }
    ending.abort()
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
    const risky = await this.#findRisky(of, attachments)
    if (risky?.length === 0) await save()
    else if (risky !== null) this.question = { risky, save }
    this.#saving.delete(name)
  }

  async #startDrag(of: BodyOwner, attachment: Attachment | null, press: Press): Promise<void> {
    const wanted = { of, attachmentId: attachment?.id ?? null }
    const started = press.isHeld ? await this.#backend.call('fileDrag.start', wanted) : ok(false)
    if (!started.ok) this.#toasts.problem(started.error)
    else if (!started.data && !press.isClick) {
      const name = attachment === null ? 'The message' : `“${formatFilename(attachment)}”`
      this.#toasts.show(`${name} is downloaded now. Drag it again.`)
    }
  }

  async #saveNow(of: BodyOwner, attachmentId: string): Promise<void> {
    reportSavedFile(this.#toasts, await this.#backend.call('attachment.save', { of, attachmentId }))
  }

  /** Downloads attachments and returns the dangerous ones. Null if a download failed, which the user has been told. */
  async #findRisky(of: BodyOwner, attachments: readonly Attachment[]): Promise<readonly RiskyAttachment[] | null> {
    const risky: RiskyAttachment[] = []
    for (const attachment of attachments) {
      const opened = await this.#backend.call('attachment.open', { of, attachmentId: attachment.id })
      if (!opened.ok) {
        if (opened.error.code !== 'cancelled') this.#toasts.problem(opened.error)
        return null
      }
      if (opened.data.risk !== null) risky.push({ attachment, risk: opened.data.risk })
    }
    return risky
  }
}
