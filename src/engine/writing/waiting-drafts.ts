import type { DraftContent } from '../../shared/writing.ts'
import { hasGivenUp } from './draft-transfers.ts'
import { canChange, isOnPlatform, type KeptDraft } from './kept-draft.ts'

/** What was written a moment ago is on its way, and nothing that waits. */
const ON_ITS_WAY_MS = 5_000

/** Whether there is anything for the platform to keep: it takes no draft of nothing (platform facts 3.7). */
export const isEmpty = ({ to, cc, bcc, subject, html, text, files }: DraftContent): boolean =>
  to.length + cc.length + bcc.length + files.length === 0 && `${subject}${html}${text}`.trim() === ''

/** Whether the platform is still to be told of a draft. Not of one about which a person has to do something first. */
const isToBeTold = (draft: KeptDraft): boolean => {
  const { discardedAt, platform, request, theirs, notKept, revision, content } = draft
  if (discardedAt !== null) return request !== null || (platform !== null && theirs === null)
  if (
    !canChange(draft) ||
    hasGivenUp(draft) ||
    isOnPlatform(draft) ||
    theirs !== null ||
    notKept?.revision === revision
  )
    return false
  return platform !== null || request !== null || (draft.isUntouched !== true && !isEmpty(content))
}

/**
 * How many drafts wait for the platform: written, or thrown away, and not told there yet. Those that are being sent are
 * counted as messages.
 */
export const countWaiting = (all: readonly KeptDraft[], isOnline: boolean, now: number): number =>
  all.filter((draft) => {
    const since = draft.discardedAt ?? draft.updatedAt
    return isToBeTold(draft) && (!isOnline || now - since >= ON_ITS_WAY_MS)
  }).length
