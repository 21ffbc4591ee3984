import { z } from 'zod'
import type { DesktopState } from '../desktop-state.ts'
import { menuCommandSchema } from '../menu-command.ts'
import { MAX_CHUNK_LENGTH } from '../model.ts'
import { MAX_SNAPSHOT_IDS, MAX_SNAPSHOT_LENGTH } from '../startup-snapshot.ts'
import { defineHostCommand } from './command.ts'
import { directoryPathSchema, idSchema, emptyInputSchema, type SavedFile } from './inputs.ts'

/** Maximum number of chunks of a printed document: more text than anybody prints. */
const MAX_CHUNKS = 200

export const desktopCommands = {
  /**
   * Opens another desktop window at an address (the part of its URL after `#`); an empty address shows the start view.
   */
  'window.open': defineHostCommand<null>()(() => z.object({ address: z.string().max(4_000) }).strict()),
  /** Puts the window's commands into the desktop's menu bar. Hosts without one ignore it. */
  'menu.show': defineHostCommand<null>()(() =>
    z.object({ commands: z.array(menuCommandSchema).max(500).readonly() }).strict(),
  ),
  /**
   * Saves the view of an inbox's newest threads for the first frame of the next start. Hosts that don't need it ignore
   * it. `markup` is a startup snapshot (`shared/startup-snapshot.ts`), `threadIds` are in display order, and
   * `accountIds` are open in the view.
   */
  'window.storeSnapshot': defineHostCommand<null>()(() =>
    z
      .object({
        inboxId: idSchema,
        accountIds: z.array(idSchema).max(MAX_SNAPSHOT_IDS).readonly(),
        threadIds: z.array(idSchema).max(MAX_SNAPSHOT_IDS).readonly(),
        markup: z.string().max(MAX_SNAPSHOT_LENGTH),
      })
      .strict(),
  ),
  /** Linnet's registrations in the system; null in a browser. */
  'desktop.state': defineHostCommand<DesktopState | null>()(emptyInputSchema),
  /** Turns starting Linnet at login on or off. `storage_failed` if the system rejects the change. */
  'desktop.startAtLogin': defineHostCommand<DesktopState>()(() => z.object({ isWanted: z.boolean() }).strict()),
  /** Makes Linnet the system's program for `mailto:` links. `refused` if the system rejects the change. */
  'desktop.openMailLinks': defineHostCommand<DesktopState>()(emptyInputSchema),
  /** The document as a PDF in base64. Uses up the print job. `not_found` in the same cases as `print.run`. */
  'print.preview': defineHostCommand<{ readonly base64: string }>()(() =>
    z.object({ job: idSchema, pieces: z.int().min(1).max(MAX_CHUNKS) }).strict(),
  ),
  /**
   * Adds a chunk of a document to print, counted from 0: HTML sanitised by the window. Chunked because the size of
   * inputs is limited. Another `job` replaces the previous one.
   */
  'print.add': defineHostCommand<null>()(() =>
    z.object({ job: idSchema, place: z.int().min(0).max(MAX_CHUNKS), html: z.string().max(MAX_CHUNK_LENGTH) }).strict(),
  ),
  /**
   * Prints the document, or saves it as a PDF, with the desktop's dialogs; null if printed. `not_found` if chunks are
   * missing, or in a browser.
   */
  'print.run': defineHostCommand<SavedFile | null>()(() =>
    z
      .object({
        job: idSchema,
        pieces: z.int().min(1).max(MAX_CHUNKS),
        as: z.enum(['paper', 'pdf']),
        name: z.string().max(4_000),
      })
      .strict(),
  ),
  /** Shows the desktop's folder dialog; null if cancelled. `not_found` in a browser, where the user types the path. */
  'folder.choose': defineHostCommand<{ readonly path: string } | null>()(() =>
    z.object({ of: z.enum(['backups', 'backup']), at: directoryPathSchema.optional() }).strict(),
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
