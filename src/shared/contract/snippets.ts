import { z } from 'zod'
import {
  portableSnippets,
  SNIPPET_LIMITS,
  type CannedReply,
  type Snippets,
  type SnippetsImported,
} from '../snippets.ts'
import { engine, hostOf } from './command.ts'
import { id, nothing, type SavedFile } from './inputs.ts'

/** HTML already sanitised by the window. */
const snippetHtml = z.string().max(SNIPPET_LIMITS.html)

export const snippetCommands = {
  /** Saves the account's signatures and canned replies as a file that `readSnippets` can read. */
  'snippet.export': hostOf<SavedFile>()('open', nothing),
  'snippet.list': engine<Snippets>()('joined', nothing),
  /**
   * Imports exported snippets. Existing snippets never change; an imported one whose name is taken gets a number.
   * `invalid_input` beyond `SNIPPET_LIMITS`, `storage_failed` if they can't be saved.
   */
  'snippet.import': engine<SnippetsImported>()('open', portableSnippets.strict()),
  /**
   * Sets the signature of an inbox as sanitised HTML; an empty string removes it. `storage_failed` if it can't be
   * saved.
   */
  'signature.set': engine<null>()('owner', () => z.object({ inboxId: id, html: snippetHtml }).strict()),
  /**
   * Adds a canned reply, or replaces the one with the given ID. `invalid_input` for a taken name, and beyond
   * `SNIPPET_LIMITS`; `storage_failed` if it can't be saved.
   */
  'cannedReply.save': engine<CannedReply>()('joined', () =>
    z.object({ id: id.nullable(), name: z.string().max(1_000), html: snippetHtml }).strict(),
  ),
  /** Removes a canned reply; no error if it is already gone. */
  'cannedReply.remove': engine<null>()('owner', () => z.object({ id }).strict()),
}

export interface SnippetEvents {
  'snippets.changed': null
}
