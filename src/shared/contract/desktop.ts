/** What the desktop does for Linnet: windows, the menu bar, paper, folders. */
import { z } from 'zod'
import type { DesktopState } from '../desktop-state.ts'
import { menuCommandSchema } from '../menu-command.ts'
import { BODY_PIECE } from '../model.ts'
import { host } from './command.ts'
import { folderPath, id, nothing, type SavedFile } from './inputs.ts'

/** Pieces of a document to be printed: more text than anybody prints. */
const MOST_PIECES = 200

export const desktopCommands = {
  /** Opens another window of the desktop, with what an address leads to (its URL behind `#`); empty for what a start shows. */
  'window.open': host<null>()(() => z.object({ address: z.string().max(4_000) }).strict()),
  /** The window's commands as they are now, for the desktop's menu bar; a host without one has no use for them. */
  'menu.show': host<null>()(() => z.object({ commands: z.array(menuCommandSchema).max(500).readonly() }).strict()),
  /** What the desktop's system has been told about Linnet; null in a browser. */
  'desktop.state': host<DesktopState | null>()(nothing),
  /** Has Linnet start when the person signs in, or not. `storage_failed` where the system does not take it. */
  'desktop.startAtLogin': host<DesktopState>()(() => z.object({ isWanted: z.boolean() }).strict()),
  /** Has the system open `mailto:` links with Linnet. `refused` where it does not take it. */
  'desktop.openMailLinks': host<DesktopState>()(nothing),
  /**
   * The document as it would be on paper: a PDF, in base64. It is used up by it. `not_found` as `print.run` has it.
   */
  'print.preview': host<{ readonly base64: string }>()(() =>
    z.object({ job: id, pieces: z.int().min(1).max(MOST_PIECES) }).strict(),
  ),
  /**
   * A piece of a document that is to be printed, counted from 0: HTML that the window has made safe, which comes in pieces as
   * no input is larger than one. Another `job` takes the place of the one before.
   */
  'print.add': host<null>()(() =>
    z.object({ job: id, place: z.int().min(0).max(MOST_PIECES), html: z.string().max(BODY_PIECE) }).strict(),
  ),
  /**
   * Prints the document, or saves it as a PDF, with the desktop's own dialogs. `not_found` where it is not whole, or in a
   * browser, which prints by itself. Null where it was printed.
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
   * Has a person choose a folder with the desktop's own dialog, for backups to be in or of one to be restored; null where they
   * thought better of it. `not_found` in a browser, where its path is typed.
   */
  'folder.choose': host<{ readonly path: string } | null>()(() =>
    z.object({ of: z.enum(['backups', 'backup']), at: folderPath.optional() }).strict(),
  ),
}

export interface DesktopEvents {
  /** A command was chosen in the desktop's menu bar. */
  'menu.chosen': { readonly commandId: string }
}
