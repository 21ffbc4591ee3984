import { z } from 'zod'
import type { DesktopState } from '../desktop-state.ts'
import { menuCommandSchema } from '../menu-command.ts'
import { BODY_PIECE } from '../model.ts'
import { MAX_SNAPSHOT_IDS, MAX_SNAPSHOT } from '../startup-snapshot.ts'
import { host } from './command.ts'
import { folderPath, id, nothing, type SavedFile } from './inputs.ts'

/** Maximum number of chunks of a printed document: more text than anybody prints. */
const MAX_PIECES = 200

export const desktopCommands = {
  /**
   * Opens another desktop window at an address (the part of its URL after `#`); an empty address shows the start view.
   */
  'window.open': host<null>()(() => z.object({ address: z.string().max(4_000) }).strict()),
  /** Puts the window's commands into the desktop's menu bar. Hosts without one ignore it. */
  'menu.show': host<null>()(() => z.object({ commands: z.array(menuCommandSchema).max(500).readonly() }).strict()),
  /**
   * Saves the view of an inbox's newest threads for the first frame of the next start. Hosts that don't need it ignore
   * it. `markup` is a startup snapshot (`shared/startup-snapshot.ts`), `threadIds` are in display order, and
   * `accountIds` are open in the view.
   */
  'window.storeSnapshot': host<null>()(() =>
    z
      .object({
        inboxId: id,
        accountIds: z.array(id).max(MAX_SNAPSHOT_IDS).readonly(),
        threadIds: z.array(id).max(MAX_SNAPSHOT_IDS).readonly(),
        markup: z.string().max(MAX_SNAPSHOT),
      })
      .strict(),
  ),
  /** Linnet's registrations in the system; null in a browser. */
  'desktop.state': host<DesktopState | null>()(nothing),
  /** Turns starting Linnet at login on or off. `storage_failed` if the system rejects the change. */
  'desktop.startAtLogin': host<DesktopState>()(() => z.object({ isWanted: z.boolean() }).strict()),
  /** Makes Linnet the system's program for `mailto:` links. `refused` if the system rejects the change. */
  'desktop.openMailLinks': host<DesktopState>()(nothing),
  /** The document as a PDF in base64. Uses up the print job. `not_found` in the same cases as `print.run`. */
  'print.preview': host<{ readonly base64: string }>()(() =>
    z.object({ job: id, pieces: z.int().min(1).max(MAX_PIECES) }).strict(),
  ),
  /**
   * Adds a chunk of a document to print, counted from 0: HTML sanitised by the window. Chunked because the size of
   * inputs is limited. Another `job` replaces the previous one.
   */
  'print.add': host<null>()(() =>
    z.object({ job: id, place: z.int().min(0).max(MAX_PIECES), html: z.string().max(BODY_PIECE) }).strict(),
  ),
  /**
   * Prints the document, or saves it as a PDF, with the desktop's dialogs; null if printed. `not_found` if chunks are
   * missing, or in a browser.
   */
  'print.run': host<SavedFile | null>()(() =>
    z
      .object({
        job: id,
        pieces: z.int().min(1).max(MAX_PIECES),
        as: z.enum(['paper', 'pdf']),
        name: z.string().max(4_000),
      })
      .strict(),
  ),
  /** Shows the desktop's folder dialog; null if cancelled. `not_found` in a browser, where the user types the path. */
  'folder.choose': host<{ readonly path: string } | null>()(() =>
    z.object({ of: z.enum(['backups', 'backup']), at: folderPath.optional() }).strict(),
  ),
}

export interface DesktopEvents {
  'menu.chosen': { readonly commandId: string }
  /**
   * The user chose to save a picture from the desktop's context menu. @param src as in the document that shows the
   * picture
   */
  'picture.chosen': { readonly src: string }
}
