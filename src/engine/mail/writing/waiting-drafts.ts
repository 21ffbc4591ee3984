import type { DraftContent } from '../../../shared/drafts.ts'
import { hasGivenUp } from './draft-transfers.ts'
import { isDraftEditable, isSavedOnPlatform, type LocalDraft } from '../../own/drafts/local-draft.ts'

/** Drafts changed more recently than this count as being saved, not as waiting. */
const SAVING_GRACE_MS = 5_000

/** Returns true if there is nothing to save. The platform rejects empty drafts (platform.md 14.4). */
export const isDraftEmpty = ({ to, cc, bcc, subject, html, text, files }: DraftContent): boolean =>
  to.length + cc.length + bcc.length + files.length === 0 && `${subject}${html}${text}`.trim() === ''

/** True if the platform doesn't have the latest state yet and the user needn't act first. */
const isUnsynced = (draft: LocalDraft): boolean => {
  const { discardedAt, platform, request, theirs, notKept, revision, content } = draft
  if (discardedAt !== null) return request !== null || (platform !== null && theirs === null)
  if (
    !isDraftEditable(draft) ||
    hasGivenUp(draft) ||
    isSavedOnPlatform(draft) ||
    theirs !== null ||
    notKept?.revision === revision
  )
    return false
  return platform !== null || request !== null || (draft.isUntouched !== true && !isDraftEmpty(content))
}

/** Number of messages held for undo, and of drafts waiting to be saved to or deleted from the platform. */
export const countWaitingDrafts = (all: readonly LocalDraft[], isOnline: boolean, now: number): number =>
  all.filter((draft) => {
    if (draft.state.kind === 'held') return draft.state.at !== null
    const since = draft.discardedAt ?? draft.updatedAt
    return isUnsynced(draft) && (!isOnline || now - since >= SAVING_GRACE_MS)
  }).length
