import type { Inbox } from '../../../shared/model.ts'
import { wireInbox, WORDS, type WireInbox } from '../wire.ts'
import { readKeptWith, readPageOf } from './read-answer.ts'
import type { Said } from './words.ts'

/** An inbox, but for whether the platform still has it. */
export interface FetchedInbox extends Omit<Inbox, 'onServer'>, Said<WireInbox> {
  /** The name under which it writes; null where it has none. */
  readonly fromName: string | null
}

const toFetched = (wire: WireInbox): FetchedInbox => ({
  id: wire.id,
  name: wire.name ?? null,
  emailAddress: wire.email_address ?? wire.id,
  unread: wire.unread ?? 0,
  fromName: wire.from_name ?? null,
  [WORDS]: wire,
})

/** An inbox of which nothing but the ID is known: the platform answers for it and does not list it. */
export const bareInbox = (id: string): FetchedInbox => toFetched({ id })

export const readInboxes = readPageOf(wireInbox, toFetched)
export const readKeptInbox = readKeptWith(wireInbox, toFetched)
