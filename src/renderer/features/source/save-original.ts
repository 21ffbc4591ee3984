import type { BodyOwner } from '../../../shared/contract.ts'
import type { Shell } from '../../kernel/session.ts'
import { tellSaved } from '../../kernel/tell-saved.ts'

/** Saves an e-mail's raw source to a file and reports the result in a toast. */
export const saveOriginal = async ({ backend, toasts }: Pick<Shell, 'backend' | 'toasts'>, of: BodyOwner) =>
  tellSaved(toasts, await backend.call('original.save', { of }))
