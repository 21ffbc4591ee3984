import type { BodyOwner } from '../../../shared/contract.ts'
import type { Shell } from '../../kernel/session.ts'
import { followDownload } from '../../kernel/follow-download.ts'

/** Saves the original of an e-mail as a file; what became of it is told in a toast. */
export const saveOriginal = async ({ backend, toasts }: Pick<Shell, 'backend' | 'toasts'>, of: BodyOwner) => {
  const result = await backend.call('original.save', { of })
  if (!result.ok) toasts.problem(result.error)
  else if (result.data.kind === 'saved') toasts.say(`Saved as ${result.data.path}`)
  else if (result.data.kind === 'download') followDownload(result.data.url)
}
