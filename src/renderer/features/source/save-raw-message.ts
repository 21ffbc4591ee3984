import type { BodyOwner } from '../../../shared/contract.ts'
import type { Shell } from '../../kernel/session.ts'
import { reportSavedFile } from '../../kernel/report-saved-file.ts'

export const saveRawMessage = async ({ backend, toasts }: Pick<Shell, 'backend' | 'toasts'>, of: BodyOwner) =>
  reportSavedFile(toasts, await backend.call('original.save', { of }))
