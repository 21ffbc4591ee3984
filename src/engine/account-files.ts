/** What lies in an account's folder, by name, for those who read it without opening the account. */
import type { OutboxMark } from './outbox/outbox-file.ts'
import type { FactStore } from './store/facts.ts'

export const CACHE_NAME = 'cache.sqlite'
/** The outbox's two files. */
export const OUTBOX_NAME = 'outbox.sqlite'
export const OUTBOX_SECOND_NAME = 'outbox-second.sqlite'

/** The folder of the drafts: what a person writes, and nobody else has. */
export const DRAFTS_NAME = 'drafts'
/** Within it, that of their files, each named by its digest. */
export const DRAFT_FILES_NAME = 'files'

/** The fact under which the cache remembers the outbox: how often it was written, and what it held. */
const OUTBOX_FACT = 'outbox'

export const rememberOutbox = (facts: Pick<FactStore, 'set'>, { generation, pending, listed }: OutboxMark): void =>
  facts.set(OUTBOX_FACT, `${generation} ${pending} ${listed}`)

/** What the cache remembers of the outbox. */
export const readOutboxFact = (facts: Pick<FactStore, 'get'>): OutboxMark => {
  const [generation = 0, pending = 0, listed = 0] = (facts.get(OUTBOX_FACT) ?? '')
    .split(' ')
    .map((part) => Number(part) || 0)
  return { generation, pending, listed }
}
