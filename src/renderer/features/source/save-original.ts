import type { BodyOwner } from '../../../shared/contract.ts'
import type { Shell } from '../../kernel/session.ts'
import { tellSaved } from '../../kernel/tell-saved.ts'

/** Saves the original of an e-mail as a file; what became of it is told in a toast. */
export const saveOriginal = async ({ backend, toasts }: Pick<Shell, 'backend' | 'toasts'>, of: BodyOwner) =>
  tellSaved(toasts, await backend.call('original.save', { of }))
