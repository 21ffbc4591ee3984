import { isBlockedAttachment } from '../../../shared/blocked-attachments.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { DraftContent, DraftFile } from '../../../shared/writing.ts'
import { WRITING_LIMITS } from '../../../shared/writing-limits.ts'
import type { Backend } from '../../kernel/backend.ts'
import { formatBytes } from '../../ui/format-quantity.ts'
import { isPicture } from './draft-content.ts'
import { uploadFile } from './read-file.ts'

/** A file on its way into the draft, or one that did not get there. */
export interface UploadShown {
  readonly id: string
  readonly filename: string
  readonly size: number
  /** Bytes that are there. */
  readonly done: number
  /** Why it is not added; null while it is on its way. */
  readonly problem: string | null
}

/** The draft into which files go. */
interface UploadingDraft {
  readonly draftId: string
  readonly fields: Pick<DraftContent, 'files' | 'format'>
  readonly takeFiles: (files: readonly DraftFile[]) => void
  readonly insertPicture: (contentId: string, filename: string) => void
}

/** The files on their way into a draft. */
export class DraftUploads {
  readonly #backend: Pick<Backend, 'call'>
  readonly #draft: UploadingDraft
  #shown: readonly UploadShown[] = $state.raw([])
  // Nothing is drawn from them.
  /* eslint-disable svelte/prefer-svelte-reactivity */
  readonly #sending = new Map<string, AbortController>()
  readonly #arriving = new Set<Promise<void>>()
  /** Files that came with what is forwarded, by their IDs. */
  readonly #forwarded = new Set<string>()
  /* eslint-enable svelte/prefer-svelte-reactivity */

  constructor(backend: Pick<Backend, 'call'>, draft: UploadingDraft) {
    this.#backend = backend
    this.#draft = draft
  }

  get shown(): readonly UploadShown[] {
    return this.#shown
  }

  get isUnderWay(): boolean {
    return this.#shown.some(({ problem }) => problem === null)
  }

  /** Whether bytes of a file that the person chose are being brought over. */
  get isSending(): boolean {
    return this.#sending.size > 0
  }

  /** The names of those that did not get there. */
  get leftOut(): readonly string[] {
    return this.#shown.filter(({ problem }) => problem !== null).map(({ filename }) => filename)
  }

  isForwarded(fileId: string): boolean {
    return this.#forwarded.has(fileId)
  }

  /**
   * Adds files that were chosen, dropped or pasted. What cannot be sent is said at once, and not brought over.
   * @param isInline whether pictures among them stand in the text
   */
  add(files: readonly File[], isInline = false): Promise<void> {
    return this.#follow(async () => {
      // One after the other: together they would only share the way, and their order would be by chance.
      for (const file of files)
        await this.#addFile(file, isInline && isPicture(file) && this.#draft.fields.format === 'rich')
    })
  }

  /** Adds the attachments of an e-mail; those that cannot go along stand there with the reason. */
  addFrom(of: BodyOwner): Promise<void> {
    return this.#follow(() => this.#addFrom(of))
  }

  /** Resolves when no file is on its way into the draft. */
  async arrived(): Promise<void> {
    while (this.#arriving.size > 0) await Promise.allSettled(this.#arriving)
  }

  /** Ends an upload, or takes the words about one that failed away. */
  drop(id: string): void {
    this.#sending.get(id)?.abort()
    this.#shown = this.#shown.filter((upload) => upload.id !== id)
  }

  end(): void {
    for (const upload of this.#sending.values()) upload.abort()
  }

  /** Why a file cannot go along. */
  #refuse(file: File): string | null {
    const { files } = this.#draft.fields
    const onTheWay = this.#shown.filter(({ problem }) => problem === null)
    const bytes = [...files, ...onTheWay].reduce((sum, { size }) => sum + size, 0)
    if (isBlockedAttachment(file.name)) return 'Mail services reject this kind of file. Share it another way.'
    if (files.length + onTheWay.length >= WRITING_LIMITS.files)
      return `A message can have at most ${WRITING_LIMITS.files} files.`
    if (bytes + file.size > WRITING_LIMITS.bytes) {
      const left = Math.max(0, WRITING_LIMITS.bytes - bytes)
      return `It has ${formatBytes(file.size)}, and ${formatBytes(left)} of ${formatBytes(WRITING_LIMITS.bytes)} are left.`
    }
    return null
  }

  /** Knows of what is under way until it is over. */
  #follow(work: () => Promise<void>): Promise<void> {
    const arriving = work().finally(() => this.#arriving.delete(arriving))
    this.#arriving.add(arriving)
    return arriving
  }

  async #addFrom(of: BodyOwner): Promise<void> {
    const shown: UploadShown = { id: crypto.randomUUID(), filename: 'Its attachments', size: 0, done: 0, problem: null }
    this.#shown = [...this.#shown, shown]
    const added = await this.#backend.call('draft.addFrom', { draftId: this.#draft.draftId, of })
    const leftOut = added.ok ? added.data.leftOut : [{ filename: shown.filename, message: added.error.message }]
    this.#shown = [
      ...this.#shown.filter(({ id }) => id !== shown.id),
      ...leftOut.map(({ filename, message }) => ({ ...shown, id: crypto.randomUUID(), filename, problem: message })),
    ]
    if (!added.ok) return
    for (const { id } of added.data.files) this.#forwarded.add(id)
    this.#draft.takeFiles(added.data.files)
  }

  async #addFile(file: File, isInline: boolean): Promise<void> {
    const id = crypto.randomUUID()
    const upload: UploadShown = { id, filename: file.name, size: file.size, done: 0, problem: this.#refuse(file) }
    this.#shown = [...this.#shown, upload]
    if (upload.problem !== null) return
    const patch = (change: Partial<UploadShown>): void => {
      this.#shown = this.#shown.map((each) => (each.id === id ? { ...each, ...change } : each))
    }
    const ending = new AbortController()
    this.#sending.set(id, ending)
    const added = await uploadFile(
      this.#backend,
      { draftId: this.#draft.draftId, file, isInline },
      (done) => patch({ done }),
      () => ending.signal.aborted,
    ).catch(() => undefined)
    this.#sending.delete(id)
    if (added === null) return
    // A file that was moved or changed since it was chosen cannot be read.
    if (added === undefined) return patch({ problem: 'It could not be read. Choose it again.' })
    if (!added.ok) return patch({ problem: added.error.message })
    this.#shown = this.#shown.filter((each) => each.id !== id)
    if (added.data === null) return
    this.#draft.takeFiles([added.data])
    const { contentId, filename } = added.data
    if (isInline && contentId !== null) this.#draft.insertPicture(contentId, filename)
  }
}
