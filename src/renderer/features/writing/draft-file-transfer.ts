import { FILE_CHUNK_BYTES } from '../../../shared/model.ts'
import type { DraftFile } from '../../../shared/drafts.ts'
import type { Result } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { decodeBase64 } from '../../kernel/decode-base64.ts'
import { encodeBase64 } from '../../ui/encode-base64.ts'

/**
 * Uploads a file in chunks, so that no file is in memory twice.
 * @param isEnded returns true once the upload is no longer wanted
 * @param onProgress called after each chunk with the bytes uploaded
 * @returns null if the upload was aborted
 */
export const uploadDraftFile = async (
  backend: Pick<Backend, 'call'>,
  { draftId, file, isInline }: { readonly draftId: string; readonly file: File; readonly isInline: boolean },
  onProgress: (bytes: number) => void,
  isEnded: () => boolean,
): Promise<Result<DraftFile | null> | null> => {
  const upload = crypto.randomUUID()
  const pieces = Math.max(1, Math.ceil(file.size / FILE_CHUNK_BYTES))
  for (let place = 0; ; place += 1) {
    const bytes = new Uint8Array(
      await file.slice(place * FILE_CHUNK_BYTES, (place + 1) * FILE_CHUNK_BYTES).arrayBuffer(),
    )
    if (isEnded()) return null
    const isLast = place === pieces - 1
    const added = await backend.call('draft.addFile', {
      draftId,
      upload,
      place,
      base64: encodeBase64(bytes),
      isLast,
      filename: file.name === '' ? 'picture.png' : file.name.slice(0, 1_000),
      contentType: (file.type === '' ? 'application/octet-stream' : file.type).slice(0, 255),
      isInline,
    })
    if (!added.ok || isLast) return added
    onProgress(Math.min(file.size, (place + 1) * FILE_CHUNK_BYTES))
  }
}

/** Reads a complete file of a draft; null if unavailable. */
export const readDraftFile = async (
  backend: Pick<Backend, 'call'>,
  draftId: string,
  { id, contentType }: Pick<DraftFile, 'id' | 'contentType'>,
): Promise<Blob | null> => {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let place = 0; ; place += 1) {
    const piece = await backend.call('draft.readFile', { draftId, fileId: id, place })
    if (!piece.ok) return null
    if (piece.data === null || piece.data === '') return new Blob(parts, { type: contentType })
    parts.push(decodeBase64(piece.data))
  }
}
