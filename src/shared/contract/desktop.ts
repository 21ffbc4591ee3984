/** What the desktop does for Linnet: windows, the menu bar, paper, folders. */
import { z } from 'zod'
import type { DesktopState } from '../desktop-state.ts'
import { menuCommandSchema } from '../menu-command.ts'
import { BODY_PIECE } from '../model.ts'
import { MOST_IN_STILL, MOST_STILL } from '../still.ts'
import { host } from './command.ts'
import { folderPath, id, nothing, type SavedFile } from './inputs.ts'

/** Pieces of a printed document: more text than anybody prints. */
const MOST_PIECES = 200

export const desktopCommands = {
  /** Opens another desktop window at an address (its URL behind `#`); an empty one shows what a start shows. */
  'window.open': host<null>()(() => z.object({ address: z.string().max(4_000) }).strict()),
  /** The window's commands for the desktop's menu bar; a host without one ignores them. */
  'menu.show': host<null>()(() => z.object({ commands: z.array(menuCommandSchema).max(500).readonly() }).strict()),
  /**
   * What the window shows of an inbox's newest threads, for the first frame of the next start; a host without one ignores it.
   * `markup` is a still (`shared/still.ts`), `threadIds` are those in it from the top, `accountIds` the accounts that are open in it.
   */
  'window.keepStill': host<null>()(() =>
    z
      .object({
        inboxId: id,
        accountIds: z.array(id).max(MOST_IN_STILL).readonly(),
        threadIds: z.array(id).max(MOST_IN_STILL).readonly(),
        markup: z.string().max(MOST_STILL),
      })
      .strict(),
  ),
  /** What Linnet is registered for in the system; null in a browser. */
  'desktop.state': host<DesktopState | null>()(nothing),
  /** Starts Linnet when the person signs in, or stops doing so. `storage_failed` if the system does not accept it. */
  'desktop.startAtLogin': host<DesktopState>()(() => z.object({ isWanted: z.boolean() }).strict()),
  /** Makes Linnet the system's program for `mailto:` links. `refused` if the system does not accept it. */
  'desktop.openMailLinks': host<DesktopState>()(nothing),
  /** The document as a PDF in base64. This uses it up. `not_found` as for `print.run`. */
  'print.preview': host<{ readonly base64: string }>()(() =>
    z.object({ job: id, pieces: z.int().min(1).max(MOST_PIECES) }).strict(),
  ),
  /**
   * A piece of a document to print, counted from 0: HTML that the window has sanitised, in pieces because the size of
   * an input is bounded. Another `job` replaces the one before.
   */
  'print.add': host<null>()(() =>
    z.object({ job: id, place: z.int().min(0).max(MOST_PIECES), html: z.string().max(BODY_PIECE) }).strict(),
  ),
  /**
   * Prints the document, or saves it as a PDF, with the desktop's own dialogs. `not_found` if it is incomplete, or in a
   * browser, which prints by itself. Null if it was printed.
   */
  'print.run': host<SavedFile | null>()(() =>
    z
      .object({
        job: id,
        pieces: z.int().min(1).max(MOST_PIECES),
        as: z.enum(['paper', 'pdf']),
        name: z.string().max(4_000),
      })
      .strict(),
  ),
  /**
   * Asks the person for a folder with the desktop's own dialog, for backups or of a backup to restore; null if they
   * cancel. `not_found` in a browser, where the path is typed.
   */
  'folder.choose': host<{ readonly path: string } | null>()(() =>
    z.object({ of: z.enum(['backups', 'backup']), at: folderPath.optional() }).strict(),
  ),
}

export interface DesktopEvents {
  'menu.chosen': { readonly commandId: string }
  /** A picture is to be saved, by the desktop's menu of it. @param src where its document has it */
  'picture.chosen': { readonly src: string }
}
