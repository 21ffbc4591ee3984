import { z } from 'zod'
import type { SyncStatus } from '../model.ts'
import type { PersistentProblem } from '../result.ts'
import type { FeedState } from '../webhooks.ts'
import { defineEngineCommand } from './command.ts'
import { idSchema, emptyInputSchema } from './inputs.ts'

/** Longer than any address of a webhook. */
const MAX_ENDPOINT = 2_000

export const syncCommands = {
  /** How new mail is found: through the event log of a webhook, or only by polling. */
  'feed.state': defineEngineCommand<FeedState>()('owner', emptyInputSchema),
  /** Creates a webhook for Linnet's events. The platform posts them to the user's own server. */
  'feed.createWebhook': defineEngineCommand<null>()('owner', () =>
    z.object({ endpoint: z.url({ protocol: /^https?$/ }).max(MAX_ENDPOINT) }).strict(),
  ),
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
