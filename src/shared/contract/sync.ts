import { z } from 'zod'
import type { SyncStatus } from '../model.ts'
import type { PersistentProblem } from '../result.ts'
import { engineCommand } from './command.ts'
import { idSchema, emptyInputSchema } from './inputs.ts'

export const syncCommands = {
  'sync.status': engineCommand<SyncStatus>()('joined', emptyInputSchema),
  /** Checks for changes now, regardless of the polling interval. */
  'sync.now': engineCommand<null>()('each', emptyInputSchema),
  /** Problems to show until the user dismisses them, oldest first. */
  'problem.list': engineCommand<readonly PersistentProblem[]>()('joined', emptyInputSchema),
  /** Permanently dismisses a problem; no error if it is already gone. */
  'problem.dismiss': engineCommand<null>()('owner', () => z.object({ id: idSchema }).strict()),
  /** Reports window visibility: sync polls faster while the window is in use, and pauses while it is hidden. */
  'window.activity': engineCommand<null>()('joined', () =>
    z.object({ activity: z.enum(['focused', 'visible', 'hidden']) }).strict(),
  ),
}

export interface SyncEvents {
  'sync.changed': SyncStatus
  'problems.changed': null
}
