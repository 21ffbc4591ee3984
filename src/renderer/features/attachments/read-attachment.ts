import type { BodyOwner } from '../../../shared/contract.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'

export interface ReadableAttachment {
  readonly of: BodyOwner
  readonly attachmentId: string
  readonly version: string
  readonly pieces: number
}

export class UnreadableAttachmentError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.name = 'UnreadableAttachmentError'
    this.problem = problem
  }
}

/** Reads a piece of an attachment as base64. @throws UnreadableAttachmentError */
export const readChunk = async (
  backend: Backend,
  { of, attachmentId, version }: ReadableAttachment,
  place: number,
): Promise<string> => {
  const result = await backend.call('attachment.read', { of, attachmentId, version, place })
  if (!result.ok) throw new UnreadableAttachmentError(result.error)
  return result.data
}

/** Reads a complete attachment as base64. Only the last piece is padded, so pieces can be joined. */
export const readBase64 = async (
  backend: Backend,
  attachment: ReadableAttachment,
  signal: AbortSignal,
): Promise<string> => {
  const pieces: string[] = []
  for (let place = 0; place < attachment.pieces; place += 1) {
    pieces.push(await readChunk(backend, attachment, place))
    signal.throwIfAborted()
  }
  return pieces.join('')
}
