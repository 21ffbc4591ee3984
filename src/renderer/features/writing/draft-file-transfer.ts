import { FILE_CHUNK_BYTES } from '../../../shared/model.ts'
import type { DraftFile } from '../../../shared/drafts.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { encodeBase64, decodeBase64 } from '../../ui/base64.ts'
import type { DraftEditor } from './draft-editor.svelte.ts'

/**
 * Uploads a file in chunks, so that no file is in memory twice.
 * @param ending aborts the upload
 * @param onProgress called after each chunk with the bytes uploaded
 * @returns null if the upload was aborted
 */
export const uploadDraftFile = async (
  backend: Pick<Backend, 'call'>,
  { draftId, file, isInline }: { readonly draftId: string; readonly file: File; readonly isInline: boolean },
  ending: AbortSignal,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<Result<DraftFile | null> | null> => {
  const upload = crypto.randomUUID()
  const pieces = Math.max(1, Math.ceil(file.size / FILE_CHUNK_BYTES))
  for (let place = 0; ; place += 1) {
    const bytes = new Uint8Array(
      await file.slice(place * FILE_CHUNK_BYTES, (place + 1) * FILE_CHUNK_BYTES).arrayBuffer(),
    )
    if (ending.aborted) return null
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

/**
 * Copies all files of an open draft to another draft, which may be in another account, including any files added in the
 * meantime.
 * @returns the copies by the original IDs; null if `ending` fired first
 */
export const copyDraftFiles = async (
  backend: Pick<Backend, 'call'>,
  from: DraftEditor,
  toId: string,
  ending: AbortSignal,
): Promise<Result<ReadonlyMap<string, DraftFile>> | null> => {
  const fromId = from.draftId
  const copies = new Map<string, DraftFile>()
  while (from.uploads.isUnderWay || from.fields.files.some(({ id }) => !copies.has(id))) {
    await from.uploads.arrived()
    const original = from.fields.files.find(({ id }) => !copies.has(id))
    if (original === undefined) continue
    const { id, filename, contentType: type, contentId, size } = original
    const blob = await readDraftFile(backend, fromId, original)
    // The platform doesn't return file content of a colleague's draft.
    const copy = blob?.size === size ? new File([blob], filename, { type }) : null
    const isInline = contentId !== null
    const added = copy && (await uploadDraftFile(backend, { draftId: toId, file: copy, isInline }, ending))
    if (ending.aborted) return null
    if (added?.ok === false) return added
    const data = added?.data ?? null
    if (data === null) return fail('not_found', `“${filename}” is not on this computer, so it cannot be attached.`)
    copies.set(id, data)
  }
  return ok(copies)
}
