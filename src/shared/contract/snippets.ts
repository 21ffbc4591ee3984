/** Signatures and canned replies. */
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

/** Clean HTML, as the window makes it. */
const snippetHtml = z.string().max(SNIPPET_LIMITS.html)

export const snippetCommands = {
  /** Saves the signatures and canned replies of the account as a file that `readSnippets` reads. */
  'snippet.export': hostOf<SavedFile>()('open', nothing),
  /** The signatures and canned replies of the account. */
  'snippet.list': engine<Snippets>()('joined', nothing),
  /**
   * Imports what was exported; nothing that is here changes, and a taken name gets a number. `invalid_input` beyond the
   * bounds of `SNIPPET_LIMITS`, `storage_failed` if it cannot be kept.
   */
  'snippet.import': engine<SnippetsImported>()('open', portableSnippets.strict()),
  /** Sets the signature of an inbox, as clean HTML; '' for none. `storage_failed` if it cannot be kept. */
  'signature.set': engine<null>()('owner', () => z.object({ inboxId: id, html: snippetHtml }).strict()),
  /**
   * Replaces a canned reply, as clean HTML, or adds it if it is not there, under its ID if it has one. `invalid_input`
   * for a taken name, and beyond the bounds of `SNIPPET_LIMITS`; `storage_failed` if it cannot be kept.
   */
  'cannedReply.save': engine<CannedReply>()('joined', () =>
    z.object({ id: id.nullable(), name: z.string().max(1_000), html: snippetHtml }).strict(),
  ),
  /** Removing one that is gone is no error. */
  'cannedReply.remove': engine<null>()('owner', () => z.object({ id }).strict()),
}

export interface SnippetEvents {
  /** Signatures or canned replies have changed. */
  'snippets.changed': null
}
