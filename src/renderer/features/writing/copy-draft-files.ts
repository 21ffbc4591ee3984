import type { DraftFile } from '../../../shared/drafts.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { DraftEditor } from './draft-editor.svelte.ts'
import { readDraftFile, uploadDraftFile } from './draft-file-transfer.ts'

/** @param toId target draft; may be in another account */
const copyDraftFile = async (
  backend: Pick<Backend, 'call'>,
  fromId: string,
  file: DraftFile,
  toId: string,
): Promise<Result<DraftFile>> => {
  const { filename, contentType, contentId } = file
  const missing = fail('not_found', `“${filename}” is not on this computer, so it cannot be attached.`)
  const blob = await readDraftFile(backend, fromId, file)
  // The platform doesn't return file content of a colleague's draft.
  if (blob?.size !== file.size) return missing
  const copy = new File([blob], filename, { type: contentType })
  const isInline = contentId !== null
  const added = await uploadDraftFile(
    backend,
    { draftId: toId, file: copy, isInline },
    () => undefined,
    () => false,
  )
  if (added?.ok !== true) return added ?? missing
  return added.data === null ? missing : ok(added.data)
}

/**
 * Copies all files of an open draft to another draft, including any added in the meantime.
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
    const file = from.fields.files.find(({ id }) => !copies.has(id))
    if (file === undefined) continue
    const copied = await copyDraftFile(backend, fromId, file, toId)
    if (ending.aborted) return null
    if (!copied.ok) return copied
    copies.set(file.id, copied.data)
  }
  return ok(copies)
}
