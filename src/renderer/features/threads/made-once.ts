import type { ChangeReceipt } from '../../../shared/contract/inputs.ts'
import type { Result } from '../../../shared/result.ts'
import type { Made } from './thread-actions-manager.svelte.ts'

/** What the engine has made of a single change that is of no threads. */
export const madeOnce = (result: Result<ChangeReceipt>): Result<Made> =>
  result.ok ? { ok: true, data: { changeIds: [result.data.changeId], threads: null } } : result
