import type { DraftTarget } from '../../../shared/drafts.ts'
import type { ListedDraft } from '../../platform/resources/drafts.ts'
import type { LocalDraft } from '../../own/drafts/local-draft.ts'

/** The e-mail whose unsent reply this draft is, or would be, on the platform. Null for an independent draft. */
export const findReplyTarget = ({
  kind,
  target,
  standsAlone,
}: Pick<LocalDraft, 'kind' | 'target' | 'standsAlone'>): DraftTarget | null =>
  (kind === 'reply' || kind === 'replyAll') && !standsAlone ? target : null

/**
 * Returns true if another local draft is, or was requested as, the one unsent reply that the platform keeps per e-mail
 * (platform.md 14.5). The platform would return that draft instead of creating one, and the two local drafts would
 * overwrite each other.
 */
export const isReplyTaken = (all: readonly LocalDraft[], draft: LocalDraft): boolean => {
  const answered = findReplyTarget(draft)
  return (
    answered !== null &&
    all.some(
      (other) =>
        other.id !== draft.id &&
        findReplyTarget(other)?.emailId === answered.emailId &&
        (other.platform !== null || other.request !== null),
    )
  )
}

/** Finds the local draft, other than `exceptId`, that the platform stores under this ID. */
export const findByPlatformId = (
  all: readonly LocalDraft[],
  platformId: string,
  exceptId: string,
): LocalDraft | undefined => all.find(({ id, platform }) => id !== exceptId && platform?.id === platformId)

/**
 * True for the copy of a local draft: by its ID, or while a response with the ID is missing, by the e-mail that it
 * replies to or by its subject.
 */
export const isOwnCopy = (all: readonly LocalDraft[], listed: ListedDraft): boolean =>
  all.some((draft) => {
    if (draft.id === listed.id || draft.platform?.id === listed.id) return true
    if (draft.request === null || draft.platform !== null) return false
    const answered = findReplyTarget(draft)
    return answered === null
      ? draft.request.content.subject === listed.subject
      : answered.emailId === listed.replyToEmailId
  })
