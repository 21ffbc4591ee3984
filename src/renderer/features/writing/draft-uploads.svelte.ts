import { isBlockedAttachment } from '../../../shared/attachment-risk.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { DraftFile } from '../../../shared/drafts.ts'
import { MESSAGE_LIMITS } from '../../../shared/message-limits.ts'
import type { Backend } from '../../kernel/backend.ts'
import { formatBytes } from '../../ui/format-quantity.ts'
import { canShowInline } from './draft-content.ts'
import type { DraftEditor } from './draft-editor.svelte.ts'
import { uploadDraftFile } from './draft-file-transfer.ts'

export interface UploadProgress {
  readonly id: string
  readonly filename: string
  readonly size: number
  /** Bytes uploaded. */
  readonly done: number
  readonly problem: string | null
}

type UploadingDraft = Pick<DraftEditor, 'draftId' | 'fields' | 'insertPicture' | 'takeFiles'>

export class DraftUploads {
  readonly #backend: Pick<Backend, 'call'>
  readonly #draft: UploadingDraft
  shown: readonly UploadProgress[] = $state.raw([])
  // Not rendered, so it doesn't have to be reactive.
  /* eslint-disable svelte/prefer-svelte-reactivity */
  readonly #sending = new Map<string, AbortController>()
  readonly #pendingTasks = new Set<Promise<unknown>>()
  /** IDs of files from the forwarded e-mail. */
  readonly #forwarded = new Set<string>()
  /* eslint-enable svelte/prefer-svelte-reactivity */

  constructor(backend: Pick<Backend, 'call'>, draft: UploadingDraft) {
    this.#backend = backend
    this.#draft = draft
  }

  get isUnderWay(): boolean {
    return this.shown.some(({ problem }) => problem === null)
  }

  /** True while files chosen by the user are uploading. */
  get isSending(): boolean {
    return this.#sending.size > 0
  }

  get leftOut(): readonly string[] {
    return this.shown.filter(({ problem }) => problem !== null).map(({ filename }) => filename)
  }

  isForwarded(fileId: string): boolean {
    return this.#forwarded.has(fileId)
  }

  /**
   * Adds a file of the quoted e-mail, which is not the user's own.
   * @returns the content ID of an inline picture; null for other files, and if the file can't be added
   */
  addForwarded(file: File, isInline = false): Promise<string | null> {
    return this.#track(async () => (await this.#addFile(file, isInline, true))?.contentId ?? null)
  }

  /** Adds files; rejects those that can't be sent before the upload. @param isInline insert images into the text */
  add(files: readonly File[], isInline = false): Promise<void> {
    return this.#track(async () => {
      // One by one: in parallel they would share the bandwidth and arrive in random order.
      for (const file of files) {
        const isShown = isInline && canShowInline(file) && this.#draft.fields.format === 'rich'
        const added = await this.#addFile(file, isShown)
        const contentId = added?.contentId ?? null
        if (isShown && contentId !== null) this.#draft.insertPicture(contentId, file.name)
      }
    })
  }

  /**
   * Adds an e-mail's attachments. Those that can't be included are listed with the reason.
   * @param adapt returns the file as the message has it
   */
  addFrom(of: BodyOwner, adapt: (file: DraftFile) => DraftFile): Promise<void> {
    return this.#track(async () => {
      const shown: UploadProgress = {
        id: crypto.randomUUID(),
        filename: 'Original attachments',
        size: 0,
        done: 0,
        problem: null,
      }
      this.shown = [...this.shown, shown]
      const added = await this.#backend.call('draft.addFrom', { draftId: this.#draft.draftId, of })
      const leftOut = added.ok ? added.data.leftOut : [{ filename: shown.filename, message: added.error.message }]
      this.shown = [
        ...this.shown.filter(({ id }) => id !== shown.id),
        ...leftOut.map(({ filename, message }) => ({ ...shown, id: crypto.randomUUID(), filename, problem: message })),
      ]
      if (!added.ok) return
      for (const { id } of added.data.files) this.#forwarded.add(id)
      this.#draft.takeFiles(added.data.files.map(adapt))
    })
  }

  /** Resolves when no upload is in flight. */
  async arrived(): Promise<void> {
    while (this.#pendingTasks.size > 0) await Promise.allSettled(this.#pendingTasks)
  }

  /** Aborts an upload, or removes a failed one from the list. */
  drop(id: string): void {
    this.#sending.get(id)?.abort()
    this.shown = this.shown.filter((upload) => upload.id !== id)
  }

  end(): void {
    for (const upload of this.#sending.values()) upload.abort()
  }

  #refuse(file: File): string | null {
    const { files } = this.#draft.fields
    const inFlight = this.shown.filter(({ problem }) => problem === null)
    const bytes = [...files, ...inFlight].reduce((sum, { size }) => sum + size, 0)
    if (isBlockedAttachment(file.name)) return 'Mail services reject this kind of file. Share it another way.'
    if (files.length + inFlight.length >= MESSAGE_LIMITS.files)
      return `A message can have at most ${MESSAGE_LIMITS.files} files.`
    if (bytes + file.size > MESSAGE_LIMITS.bytes) {
      const left = Math.max(0, MESSAGE_LIMITS.bytes - bytes)
      const limit = formatBytes(MESSAGE_LIMITS.bytes)
      const size = formatBytes(file.size)
      return bytes === 0
        ? `This file is ${size}. The limit is ${limit}.`
        : `This file is ${size}, but only ${formatBytes(left)} of ${limit} is left.`
    }
    return null
  }

  #track<T>(work: () => Promise<T>): Promise<T> {
    const arriving = work().finally(() => this.#pendingTasks.delete(arriving))
    this.#pendingTasks.add(arriving)
    return arriving
  }

  async #addFile(file: File, isInline: boolean, isForwarded = false): Promise<DraftFile | null> {
    const id = crypto.randomUUID()
    const upload: UploadProgress = { id, filename: file.name, size: file.size, done: 0, problem: this.#refuse(file) }
    this.shown = [...this.shown, upload]
    if (upload.problem !== null) return null
    const patch = (change: Partial<UploadProgress>): void => {
      this.shown = this.shown.map((each) => (each.id === id ? { ...each, ...change } : each))
    }
    const ending = new AbortController()
    this.#sending.set(id, ending)
    const added = await uploadDraftFile(
      this.#backend,
      { draftId: this.#draft.draftId, file, isInline },
      ending.signal,
      (done) => patch({ done }),
    ).catch(() => undefined)
    this.#sending.delete(id)
    if (added === null) return null
    if (added?.ok !== true) {
      // Unreadable: moved or changed since it was chosen.
      patch({ problem: added?.error.message ?? 'This file could not be read. Choose the file again.' })
      return null
    }
    this.shown = this.shown.filter((each) => each.id !== id)
    if (added.data === null) return null
    if (isForwarded) this.#forwarded.add(added.data.id)
    this.#draft.takeFiles([added.data])
    return added.data
  }
}
