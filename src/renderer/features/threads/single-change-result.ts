import type { ChangeReceipt } from '../../../shared/contract/inputs.ts'
import type { Result } from '../../../shared/result.ts'
import type { ActionResult } from './thread-actions-manager.svelte.ts'

export const toSingleChangeResult = (result: Result<ChangeReceipt>): Result<ActionResult> =>
  result.ok ? { ok: true, data: { changeIds: [result.data.changeId], threads: null } } : result
