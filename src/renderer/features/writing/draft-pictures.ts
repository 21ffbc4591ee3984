import type { DraftFile } from '../../../shared/drafts.ts'
import type { Backend } from '../../kernel/backend.ts'
import { INLINE_IMAGE_TYPES } from './draft-content.ts'
import { readDraftFile } from './draft-file-transfer.ts'

interface PicturedDraft {
  readonly draftId: string
  readonly fields: { readonly files: readonly DraftFile[] }
}

export class DraftPictures {
  readonly #backend: Pick<Backend, 'call'>
  readonly #draft: PicturedDraft
  readonly #shown = new Map<string, Promise<string | null>>()

  constructor(backend: Pick<Backend, 'call'>, draft: PicturedDraft) {
    this.#backend = backend
    this.#draft = draft
  }

  addressOf(contentId: string): Promise<string | null> {
    const known = this.#shown.get(contentId)
    if (known !== undefined) return known
    const file = this.#draft.fields.files.find((each) => each.contentId === contentId)
    const picture =
      file === undefined || !INLINE_IMAGE_TYPES.test(file.contentType)
        ? Promise.resolve(null)
        : readDraftFile(this.#backend, this.#draft.draftId, file).then((blob) =>
            blob === null ? null : URL.createObjectURL(blob),
          )
    this.#shown.set(contentId, picture)
    return picture
  }

  forget(): void {
    for (const picture of this.#shown.values()) {
      void picture.then((address) => (address === null ? undefined : URL.revokeObjectURL(address)))
    }
    this.#shown.clear()
  }
}
