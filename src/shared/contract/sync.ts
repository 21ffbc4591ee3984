/** How an account keeps up with the platform, and what went wrong. */
import { z } from 'zod'
import type { SyncStatus } from '../model.ts'
import type { StandingProblem } from '../result.ts'
import { engine } from './command.ts'
import { id, nothing } from './inputs.ts'

export const syncCommands = {
  'sync.status': engine<SyncStatus>()('joined', nothing),
  /** Checks for news now, whatever the pace of polling. */
  'sync.now': engine<null>()('each', nothing),
  /** Problems that a person should know until they dismiss them, oldest first. */
  'problem.list': engine<readonly StandingProblem[]>()('joined', nothing),
  /** Dismisses a standing problem for good; one that is gone is no error. */
  'problem.dismiss': engine<null>()('owner', () => z.object({ id }).strict()),
  /** Whether the window can be seen: sync polls faster while it is in use and rests while it is hidden. */
  'window.activity': engine<null>()('joined', () =>
    z.object({ activity: z.enum(['focused', 'visible', 'hidden']) }).strict(),
  ),
}

export interface SyncEvents {
  'sync.changed': SyncStatus
  'problems.changed': null
}
