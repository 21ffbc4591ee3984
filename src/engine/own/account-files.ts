/** File names in an account's folder, for code that reads it without opening the account. */
import type { OutboxPosition } from './outbox/outbox-file.ts'
import type { AccountMetaStore } from '../store/account-meta.ts'

export const CACHE_NAME = 'cache.sqlite'
export const OUTBOX_NAME = 'outbox.sqlite'
export const OUTBOX_SECOND_NAME = 'outbox-second.sqlite'

/** Folder for drafts, which exist nowhere else. */
export const DRAFTS_DIRECTORY_NAME = 'drafts'
/** Draft attachments, named by digest. */
export const DRAFT_FILES_NAME = 'files'

/** Key of the cache's record of the outbox: number of writes and contents. */
const OUTBOX_KEY = 'outbox'

export const saveOutboxMark = (
  accountMeta: Pick<AccountMetaStore, 'set'>,
  { generation, pending, listed }: OutboxPosition,
): void => accountMeta.set(OUTBOX_KEY, `${generation} ${pending} ${listed}`)

export const readOutboxPosition = (accountMeta: Pick<AccountMetaStore, 'get'>): OutboxPosition => {
  const [generation = 0, pending = 0, listed = 0] = (accountMeta.get(OUTBOX_KEY) ?? '')
    .split(' ')
    .map((part) => Number(part) || 0)
  return { generation, pending, listed }
}
