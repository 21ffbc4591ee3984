/** Linnet itself: what it is, how it runs, what a person has chosen of it, and its updates. */
import { z } from 'zod'
import type { AboutLinnet } from '../about-linnet.ts'
import type { AppLink } from '../app-link.ts'
import type { AssistantServer } from '../assistants.ts'
import { LOG_LEVELS, type LogLevel } from '../log.ts'
import { preferencesChangeSchema, type Preferences } from '../preferences.ts'
import type { Problem } from '../result.ts'
import type { RunState } from '../run-state.ts'
import { SPELLING_LIMITS, type SpellingState } from '../spelling.ts'
import type { UpdateState } from '../updates.ts'
import { host } from './command.ts'
import { nothing } from './inputs.ts'

export const appCommands = {
  /** Facts for whoever helps, to read and copy; nothing of the mail is in it. */
  'app.diagnostics': host<{ readonly text: string; readonly logLevel: LogLevel }>()(
    // The browser's own name for itself, which its host cannot know.
    () => z.object({ browser: z.string().max(512).nullable() }).strict(),
  ),
  /** The version of Linnet, and what it runs on. */
  'app.about': host<AboutLinnet>()(nothing),
  /**
   * Opens the licences of Electron and Chromium, too long for a window, in the person's browser. `not_found` if this
   * host has none, or this copy lacks them.
   */
  'app.openLicences': host<null>()(nothing),
  /** How an assistant starts this Linnet's `linnet mcp`; null if it cannot. */
  'app.assistantServer': host<AssistantServer | null>()(nothing),
  /** The licences of third-party work that ships with Linnet. */
  'app.notices': host<{ readonly text: string }>()(nothing),
  /** Shows the number of unread threads on Linnet's icon; a host without one ignores it. */
  'app.showUnread': host<null>()(() => z.object({ count: z.int().min(0) }).strict()),
  /** Changes how much the log says from now on. */
  'app.setLogLevel': host<null>()(() => z.object({ level: z.enum(LOG_LEVELS) }).strict()),
  /** How this run was started. Answered at once, even while a person is asked how to start. */
  'run.state': host<RunState>()(nothing),
  /** Continues as usual, or in safe mode: what is open is opened again. */
  'run.choose': host<null>()(() => z.object({ mode: z.enum(['usual', 'safe']) }).strict()),
  /** The person has read which processes ended unexpectedly. */
  'run.dismissEnds': host<null>()(nothing),
  /** The person's preferences, and what is wrong with their file; null if nothing is. */
  'preferences.get': host<{ readonly preferences: Preferences; readonly problem: Problem | null }>()(nothing),
  /**
   * Keeps the given preferences; `preferences.changed` reaches every window. `storage_failed` if they cannot be kept.
   */
  'preferences.set': host<null>()(preferencesChangeSchema),
  /** Who checks spelling, and in which languages. */
  'spelling.state': host<SpellingState>()(nothing),
  /** Which of these words are in none of the checked languages; null if nothing can check them now. */
  'spelling.check': host<{ readonly misspelt: readonly string[] | null }>()(() =>
    z
      .object({
        words: z.array(z.string().min(1).max(SPELLING_LIMITS.wordLength)).min(1).max(SPELLING_LIMITS.words).readonly(),
      })
      .strict(),
  ),
  /** How Linnet is updated; null in a browser. */
  'update.state': host<UpdateState | null>()(nothing),
  /** Checks for an update now. `refused` if nobody has agreed to that, or this copy does not update itself. */
  'update.check': host<UpdateState>()(nothing),
  /** Closes everything and starts the next version. `refused` with the reason if something is unsent. */
  'update.install': host<null>()(nothing),
  /** The oldest opened link that no window has followed; null if none waits. Whoever takes it follows it. */
  'link.take': host<AppLink | null>()(nothing),
}

export interface AppEvents {
  /** A link to Linnet was opened: whoever can follow it takes it (`link.take`). */
  'link.waiting': null
  /** The new preferences, to every window. */
  'preferences.changed': Preferences
  /** The new state, to every window. */
  'run.changed': RunState
  /** The new state, to every window. */
  'update.changed': UpdateState
  /** A word was added to the person's own dictionary. */
  'spelling.changed': null
}
