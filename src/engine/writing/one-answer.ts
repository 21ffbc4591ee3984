import type { WritingTarget } from '../../shared/writing.ts'
import type { KeptDraft } from './kept-draft.ts'

/** The e-mail whose unsent answer a draft is on the platform, or would be; null where it is a draft of its own there. */
export const answeredBy = ({
  kind,
  target,
  standsAlone,
}: Pick<KeptDraft, 'kind' | 'target' | 'standsAlone'>): WritingTarget | null =>
  (kind === 'reply' || kind === 'replyAll') && !standsAlone ? target : null

/**
 * Whether the one unsent answer that the platform has of an e-mail (platform facts 3.7) is another draft's of this computer:
 * it has that, or was asked to keep it. The platform would give that one out instead of making another, and two drafts here
 * would write over each other there.
 */
export const isAnswerTaken = (all: readonly KeptDraft[], draft: KeptDraft): boolean => {
  const answered = answeredBy(draft)
  return (
    answered !== null &&
    all.some(
      (other) =>
        other.id !== draft.id &&
        answeredBy(other)?.emailId === answered.emailId &&
        (other.platform !== null || other.request !== null),
    )
  )
}

/** The draft of this computer that the platform has by an ID, other than one. */
export const holderOf = (all: readonly KeptDraft[], platformId: string, exceptId: string): KeptDraft | undefined =>
  all.find(({ id, platform }) => id !== exceptId && platform?.id === platformId)
