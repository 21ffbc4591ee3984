/** File names in an account's folder, for code that reads it without opening the account. */
import type { OutboxMark } from './outbox/outbox-file.ts'
import type { FactStore } from './store/facts.ts'

export const CACHE_NAME = 'cache.sqlite'
export const OUTBOX_NAME = 'outbox.sqlite'
export const OUTBOX_SECOND_NAME = 'outbox-second.sqlite'

/** Drafts exist nowhere else. */
export const DRAFTS_NAME = 'drafts'
/** Draft attachments, named by digest. */
export const DRAFT_FILES_NAME = 'files'

/** Key of the cache's record of the outbox: number of writes and contents. */
const OUTBOX_FACT = 'outbox'

export const rememberOutbox = (facts: Pick<FactStore, 'set'>, { generation, pending, listed }: OutboxMark): void =>
  facts.set(OUTBOX_FACT, `${generation} ${pending} ${listed}`)

export const readOutboxFact = (facts: Pick<FactStore, 'get'>): OutboxMark => {
  const [generation = 0, pending = 0, listed = 0] = (facts.get(OUTBOX_FACT) ?? '')
    .split(' ')
    .map((part) => Number(part) || 0)
  return { generation, pending, listed }
}
