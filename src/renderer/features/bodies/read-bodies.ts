import type { BodyOwner } from '../../../shared/contract.ts'
import type { ChunkedBodies, EmailBodies } from '../../../shared/model.ts'
import type { Result } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'

/** Reads separately stored bodies in pieces, so that the window stays responsive. Returns null if aborted. */
export const readBodies = async (
  backend: Pick<Backend, 'call'>,
  of: BodyOwner,
  apart: ChunkedBodies,
  signal: AbortSignal,
): Promise<Result<EmailBodies> | null> => {
  const bodies: Record<'html' | 'text', string | null> = { html: null, text: null }
  for (const body of ['html', 'text'] as const) {
    const pieces: string[] = []
    for (let place = 0; place < apart[body]; place += 1) {
      const piece = await backend.call('body.read', { of, body, version: apart.version, place })
      if (signal.aborted) return null
      if (!piece.ok) return piece
      pieces.push(piece.data)
    }
    if (pieces.length > 0) bodies[body] = pieces.join('')
  }
  return { ok: true, data: { ...bodies, apart: null } }
}
