import type { DraftStore } from '../../own/drafts/draft-store.ts'
import type { MailParts } from '../parts.ts'
import type { DraftTransfers } from './draft-transfers.ts'
import type { PlatformDrafts } from './platform-drafts.ts'

/** The account's services that writing needs, and the drafts' own files. */
export interface WritingParts extends Omit<MailParts, 'freshness' | 'remoteReplies' | 'searches' | 'suppressions'> {
  readonly files: DraftStore
}

/** The services of writing that need each other. */
export interface DraftParts extends WritingParts, Pick<MailParts, 'remoteReplies'> {
  readonly theirs: PlatformDrafts
  readonly transfers: DraftTransfers
}
