/** How an account keeps up with the platform, and what went wrong. */
import { z } from 'zod'
import type { SyncStatus } from '../model.ts'
import type { StandingProblem } from '../result.ts'
import { engine } from './command.ts'
import { id, nothing } from './inputs.ts'

export const syncCommands = {
  'sync.status': engine<SyncStatus>()('joined', nothing),
  /** Looks for news now, whatever the pace of polling. */
  'sync.now': engine<null>()('each', nothing),
  /** What a person should know until they dismiss it, oldest first. */
  'problem.list': engine<readonly StandingProblem[]>()('joined', nothing),
  /** Puts a standing problem away for good; one that is not there any more is no error. */
  'problem.dismiss': engine<null>()('owner', () => z.object({ id }).strict()),
  /** Whether a person can see the window: sync polls faster when it is in use and rests when it is hidden. */
  'window.activity': engine<null>()('joined', () =>
    z.object({ activity: z.enum(['focused', 'visible', 'hidden']) }).strict(),
  ),
}

export interface SyncEvents {
  'sync.changed': SyncStatus
  'problems.changed': null
}
