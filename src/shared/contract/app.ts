/** Linnet itself: what it is, how it runs, what a person has chosen of it, and its updates. */
import { z } from 'zod'
import type { AboutLinnet } from '../about-linnet.ts'
import type { AppLink } from '../app-link.ts'
import { LOG_LEVELS, type LogLevel } from '../log.ts'
import { preferencesChangeSchema, type Preferences } from '../preferences.ts'
import type { Problem } from '../result.ts'
import type { RunState } from '../run-state.ts'
import { SPELLING_LIMITS, type SpellingState } from '../spelling.ts'
import type { UpdateState } from '../updates.ts'
import { host } from './command.ts'
import { nothing } from './inputs.ts'

export const appCommands = {
  /** What someone who helps has to know, for a person to read and to copy; nothing of the mail is in it. */
  'app.diagnostics': host<{ readonly text: string; readonly logLevel: LogLevel }>()(
    // What a browser calls itself, which its own host cannot know.
    () => z.object({ browser: z.string().max(512).nullable() }).strict(),
  ),
  /** Which Linnet this is, and what it runs on. */
  'app.about': host<AboutLinnet>()(nothing),
  /**
   * Opens the licences of Electron and Chromium, which are too long for a window, in the person's browser. `not_found` where
   * the host has none, or they are missing from this copy.
   */
  'app.openLicences': host<null>()(nothing),
  /** The licences of the work of others that ships with Linnet. */
  'app.notices': host<{ readonly text: string }>()(nothing),
  /** Shows how many threads are unread beside Linnet's sign on the desktop; a host without one has no use for it. */
  'app.showUnread': host<null>()(() => z.object({ count: z.int().min(0) }).strict()),
  /** Has the log say more, or less, from now on. */
  'app.setLogLevel': host<null>()(() => z.object({ level: z.enum(LOG_LEVELS) }).strict()),
  /** What this run of Linnet is. Answered at once, also while a person is asked how to start. */
  'run.state': host<RunState>()(nothing),
  /** Goes on as usual, or with as little as possible: what is open is opened anew in that way. */
  'run.choose': host<null>()(() => z.object({ mode: z.enum(['usual', 'safe']) }).strict()),
  /** What ended without being asked to was read. */
  'run.dismissEnds': host<null>()(nothing),
  /** What a person has chosen of the windows, and what is wrong with the file that keeps it; null where all is well. */
  'preferences.get': host<{ readonly preferences: Preferences; readonly problem: Problem | null }>()(nothing),
  /** Keeps what is given of it; `preferences.changed` tells every window. `storage_failed` where it cannot be kept. */
  'preferences.set': host<null>()(preferencesChangeSchema),
  /** Who checks the spelling of what is written, and in which languages. */
  'spelling.state': host<SpellingState>()(nothing),
  /** Which of these words are in none of the languages that are checked; null where nobody can say now. */
  'spelling.check': host<{ readonly misspelt: readonly string[] | null }>()(() =>
    z
      .object({
        words: z.array(z.string().min(1).max(SPELLING_LIMITS.wordLength)).min(1).max(SPELLING_LIMITS.words).readonly(),
      })
      .strict(),
  ),
  /** How this Linnet becomes the next one; null in a browser. */
  'update.state': host<UpdateState | null>()(nothing),
  /** Asks now. `refused` where nobody has agreed to it, or where this Linnet does not replace itself. */
  'update.check': host<UpdateState>()(nothing),
  /** Closes everything and goes on as the next version. `refused` with the reason where something is unsent. */
  'update.install': host<null>()(nothing),
  /** The oldest link that was opened and no window has followed; null where none waits. Whoever takes it follows it. */
  'link.take': host<AppLink | null>()(nothing),
}

export interface AppEvents {
  /** A link to Linnet was opened: whoever can follow it takes it (`link.take`). */
  'link.waiting': null
  /** As they are now, in every window. */
  'preferences.changed': Preferences
  /** As it is now, in every window. */
  'run.changed': RunState
  /** As it is now, in every window. */
  'update.changed': UpdateState
  /** A word was added to the person's own dictionary. */
  'spelling.changed': null
}
