import { z } from 'zod'
import {
  portableSnippetsSchema,
  SNIPPET_LIMITS,
  type CannedReply,
  type Snippets,
  type SnippetImportResult,
} from '../snippets.ts'
import { defineEngineCommand, defineHostCommand } from './command.ts'
import { idSchema, emptyInputSchema, type SavedFile } from './inputs.ts'

/** HTML already sanitised by the window. */
const snippetHtml = z.string().max(SNIPPET_LIMITS.html)

export const snippetCommands = {
  /** Saves the account's signatures and canned replies as a file that `parseSnippets` can read. */
  'snippet.export': defineHostCommand<SavedFile>()(emptyInputSchema),
  'snippet.list': defineEngineCommand<Snippets>()('merged', emptyInputSchema),
  /**
   * Imports exported snippets. Existing snippets never change; an imported one whose name is taken gets a number.
   * `invalid_input` beyond `SNIPPET_LIMITS`, `storage_failed` if they can't be saved.
   */
  'snippet.import': defineEngineCommand<SnippetImportResult>()('owner', portableSnippetsSchema.strict()),
  /**
   * Sets the signature of an inbox as sanitised HTML; an empty string removes it. `storage_failed` if it can't be
   * saved.
   */
  'signature.set': defineEngineCommand<null>()('owner', () =>
    z.object({ inboxId: idSchema, html: snippetHtml }).strict(),
  ),
  /**
   * Adds a canned reply, or replaces the one with the given ID. `invalid_input` for a taken name, and beyond
   * `SNIPPET_LIMITS`; `storage_failed` if it can't be saved.
   */
  'cannedReply.save': defineEngineCommand<CannedReply>()('owner', () =>
    z.object({ id: idSchema.nullable(), name: z.string().max(1_000), html: snippetHtml }).strict(),
  ),
  /** Removes a canned reply; no error if it is already gone. */
  'cannedReply.remove': defineEngineCommand<null>()('owner', () => z.object({ id: idSchema }).strict()),
}

export interface SnippetEvents {
  'snippets.changed': null
}
