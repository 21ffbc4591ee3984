import type { Backend } from '../../kernel/backend.ts'
import { canShowQuoted } from './draft-content.ts'
import type { DraftEditor } from './draft-editor.svelte.ts'
import { readDraftFile } from './draft-file-transfer.ts'

export class DraftPictures {
  readonly #backend: Pick<Backend, 'call'>
  readonly #draft: Pick<DraftEditor, 'draftId' | 'fields'>
  readonly #shown = new Map<string, Promise<string | null>>()

  constructor(backend: Pick<Backend, 'call'>, draft: Pick<DraftEditor, 'draftId' | 'fields'>) {
    this.#backend = backend
    this.#draft = draft
  }

  addressOf(contentId: string): Promise<string | null> {
    const picture = this.#shown.get(contentId) ?? this.#read(contentId)
    this.#shown.set(contentId, picture)
    return picture
  }

  async #read(contentId: string): Promise<string | null> {
    const file = this.#draft.fields.files.find((each) => each.contentId === contentId)
    if (file === undefined || !canShowQuoted(file.contentType)) return null
    const blob = await readDraftFile(this.#backend, this.#draft.draftId, file)
    return blob && URL.createObjectURL(blob)
  }

  forget(): void {
    for (const picture of this.#shown.values()) {
      void picture.then((address) => (address === null ? undefined : URL.revokeObjectURL(address)))
    }
    this.#shown.clear()
  }
}
