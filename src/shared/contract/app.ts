import { z } from 'zod'
import type { AboutLinnet } from '../about-linnet.ts'
import type { WindowLink } from '../app-link.ts'
import type { AssistantServer } from '../assistants.ts'
import { LOG_LEVELS, type LogLevel } from '../log.ts'
import { preferencesChangeSchema, type Preferences } from '../preferences.ts'
import type { Problem } from '../result.ts'
import type { RunState } from '../run-state.ts'
import { SPELLING_LIMITS, type SpellingState } from '../spelling.ts'
import type { UpdateState } from '../updates.ts'
import { defineHostCommand } from './command.ts'
import { emptyInputSchema } from './inputs.ts'

export const appCommands = {
  /** Diagnostics for support, for the user to read and copy. Never contain mail. */
  'app.diagnostics': defineHostCommand<{ readonly text: string; readonly logLevel: LogLevel }>()(
    // The browser's user agent, which the host can't find out.
    () => z.object({ browser: z.string().max(512).nullable() }).strict(),
  ),
  'app.about': defineHostCommand<AboutLinnet>()(emptyInputSchema),
  /**
   * Opens Electron's and Chromium's licences in the browser, because they are too long for a window. `not_found` if
   * missing.
   */
  'app.openLicences': defineHostCommand<null>()(emptyInputSchema),
  /** Command that assistants use to start this Linnet's `linnet mcp`, or null if it can't run. */
  'app.assistantServer': defineHostCommand<AssistantServer | null>()(emptyInputSchema),
  /** Licences of bundled third-party work. */
  'app.notices': defineHostCommand<{ readonly text: string }>()(emptyInputSchema),
  /** Shows the number of unread threads on Linnet's icon. Hosts without an icon ignore it. */
  'app.showUnread': defineHostCommand<null>()(() => z.object({ count: z.int().min(0) }).strict()),
  'app.setLogLevel': defineHostCommand<null>()(() => z.object({ level: z.enum(LOG_LEVELS) }).strict()),
  /** Start mode of this run, and its crashes. Responds at once, even while the user is choosing how to start. */
  'run.state': defineHostCommand<RunState>()(emptyInputSchema),
  /** Continues normally or in safe mode, reopening whatever is open. */
  'run.choose': defineHostCommand<null>()(() => z.object({ mode: z.enum(['usual', 'safe']) }).strict()),
  /** Called once the user has read which processes exited unexpectedly. */
  'run.dismissEnds': defineHostCommand<null>()(emptyInputSchema),
  'preferences.get': defineHostCommand<{ readonly preferences: Preferences; readonly problem: Problem | null }>()(
    emptyInputSchema,
  ),
  /** Sends `preferences.changed` to every window. `storage_failed` if the preferences can't be saved. */
  'preferences.set': defineHostCommand<null>()(preferencesChangeSchema),
  'spelling.state': defineHostCommand<SpellingState>()(emptyInputSchema),
  /** Returns the words that none of the checked languages knows, or null if spelling can't be checked now. */
  'spelling.check': defineHostCommand<{ readonly misspelt: readonly string[] | null }>()(() =>
    z
      .object({
        words: z.array(z.string().min(1).max(SPELLING_LIMITS.wordLength)).min(1).max(SPELLING_LIMITS.words).readonly(),
      })
      .strict(),
  ),
  /** Null in a browser, which doesn't update Linnet. */
  'update.state': defineHostCommand<UpdateState | null>()(emptyInputSchema),
  /** `refused` if the user has not agreed to update checks, or this copy does not update itself. */
  'update.check': defineHostCommand<UpdateState>()(emptyInputSchema),
  /** Closes everything and starts the next version. `refused` with the reason if something is still unsent. */
  'update.install': defineHostCommand<null>()(emptyInputSchema),
  /** Takes the oldest link that was opened and that no window has followed yet, or null. The caller must follow it. */
  'link.take': defineHostCommand<WindowLink | null>()(emptyInputSchema),
}

export interface AppEvents {
  /** A link to Linnet was opened; a window that can follow it takes it with `link.take`. */
  'link.waiting': null
  'preferences.changed': Preferences
  'run.changed': RunState
  'update.changed': UpdateState
  /** A word was added to the user's dictionary. */
  'spelling.changed': null
}
