import { z } from 'zod'
import type { SyncStatus } from '../model.ts'
import type { PersistentProblem } from '../result.ts'
import { engine } from './command.ts'
import { id, nothing } from './inputs.ts'

export const syncCommands = {
  'sync.status': engine<SyncStatus>()('joined', nothing),
  /** Checks for changes now, regardless of the polling interval. */
  'sync.now': engine<null>()('each', nothing),
  /** Problems to show until the user dismisses them, oldest first. */
  'problem.list': engine<readonly PersistentProblem[]>()('joined', nothing),
  /** Permanently dismisses a problem; no error if it is already gone. */
  'problem.dismiss': engine<null>()('owner', () => z.object({ id }).strict()),
  /** Reports window visibility: sync polls faster while the window is in use, and pauses while it is hidden. */
  'window.activity': engine<null>()('joined', () =>
    z.object({ activity: z.enum(['focused', 'visible', 'hidden']) }).strict(),
  ),
}

export interface SyncEvents {
  'sync.changed': SyncStatus
  'problems.changed': null
}
