import type { DraftContent, DraftSummary, SendRefusal } from '../../shared/writing.ts'
import type { ListedDraft } from '../api/drafts.ts'
import { hasGivenUp } from './draft-transfers.ts'
import { isOnPlatform, type KeptDraft } from './kept-draft.ts'
import { toRecipient } from './platform-content.ts'
import { keptHere } from './sending-refusal.ts'

/** The longest text in a list. */
const SNIPPET_CHARACTERS = 200

const snippetOf = ({ text }: DraftContent): string =>
  text
    .slice(0, SNIPPET_CHARACTERS * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, SNIPPET_CHARACTERS)

const notKeptOf = (draft: KeptDraft): SendRefusal | null => {
  if (isOnPlatform(draft)) return null
  if (draft.notKept?.revision === draft.revision) return draft.notKept.reason
  // Of a message that was on its way its state says so.
  return draft.state.kind === 'open' && hasGivenUp(draft) ? keptHere(draft) : null
}

/** A draft of this computer as it is listed. */
export const summaryOf = (draft: KeptDraft, upload: DraftSummary['upload']): DraftSummary => ({
  id: draft.id,
  inboxId: draft.inboxId,
  kind: draft.kind,
  target: draft.target,
  to: draft.content.to,
  subject: draft.content.subject,
  snippet: snippetOf(draft.content),
  state: draft.state,
  updatedAt: Math.max(draft.updatedAt, draft.theirs?.updatedAt ?? 0),
  files: draft.content.files.length,
  isOurs: draft.isOurs,
  isSynced: isOnPlatform(draft) && draft.theirs === null,
  hasConflict: draft.theirs !== null,
  notKept: notKeptOf(draft),
  upload,
})

/** One of the platform as it is listed. */
export const summaryOfPlatform = (inboxId: string, draft: ListedDraft): DraftSummary => ({
  id: draft.id,
  inboxId,
  kind: draft.replyToEmailId === null ? 'new' : 'reply',
  target:
    draft.threadId === null || draft.replyToEmailId === null
      ? null
      : { threadId: draft.threadId, emailId: draft.replyToEmailId },
  to: draft.to.map(toRecipient),
  subject: draft.subject ?? '',
  snippet: draft.snippet ?? '',
  state: { kind: 'open' },
  updatedAt: draft.updatedAt ?? 0,
  files: draft.files,
  isOurs: false,
  isSynced: true,
  hasConflict: false,
  notKept: null,
  upload: null,
})
