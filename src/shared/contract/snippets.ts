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

/** Sanitised by the window. */
const snippetHtml = z.string().max(SNIPPET_LIMITS.html)

export const snippetCommands = {
  /** Saves the signatures and canned replies of the account as a file that `readSnippets` reads. */
  'snippet.export': hostOf<SavedFile>()('open', nothing),
  'snippet.list': engine<Snippets>()('joined', nothing),
  /**
   * Imports exported snippets. Existing ones never change; a taken name gets a number. `invalid_input` beyond the
   * bounds of `SNIPPET_LIMITS`, `storage_failed` if they can't be kept.
   */
  'snippet.import': engine<SnippetsImported>()('open', portableSnippets.strict()),
  /** Sets the signature of an inbox, as sanitised HTML; '' for none. `storage_failed` if it cannot be kept. */
  'signature.set': engine<null>()('owner', () => z.object({ inboxId: id, html: snippetHtml }).strict()),
  /**
   * Replaces or adds a canned reply, under its ID if it has one. `invalid_input` for a taken name, and beyond the
   * bounds of `SNIPPET_LIMITS`; `storage_failed` if it can't be kept.
   */
  'cannedReply.save': engine<CannedReply>()('joined', () =>
    z.object({ id: id.nullable(), name: z.string().max(1_000), html: snippetHtml }).strict(),
  ),
  /** No error if it is already gone. */
  'cannedReply.remove': engine<null>()('owner', () => z.object({ id }).strict()),
}

export interface SnippetEvents {
  'snippets.changed': null
}
