import { z } from 'zod'
import type { SyncStatus } from '../model.ts'
import type { PersistentProblem } from '../result.ts'
import { defineEngineCommand } from './command.ts'
import { idSchema, emptyInputSchema } from './inputs.ts'

export const syncCommands = {
  'sync.status': defineEngineCommand<SyncStatus>()('merged', emptyInputSchema),
  /** Checks for changes now, regardless of the polling interval. */
  'sync.now': defineEngineCommand<null>()('merged', emptyInputSchema),
  /** Problems to show until the user dismisses them, oldest first. */
  'problem.list': defineEngineCommand<readonly PersistentProblem[]>()('merged', emptyInputSchema),
  /** Permanently dismisses a problem; no error if it is already gone. */
  'problem.dismiss': defineEngineCommand<null>()('owner', () => z.object({ id: idSchema }).strict()),
  /** Reports window visibility: sync polls faster while the window is in use, and pauses while it is hidden. */
  'window.activity': defineEngineCommand<null>()('merged', () =>
    z.object({ activity: z.enum(['focused', 'visible', 'hidden']) }).strict(),
  ),
}

export interface SyncEvents {
  'sync.changed': SyncStatus
  'problems.changed': null
}
