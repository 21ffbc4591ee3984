import { z } from 'zod'
import type { Inbox } from '../../shared/model.ts'
import { path } from './path.ts'
import { count, id, readKeptWith, readPageOf, text, WORDS } from './read-answer.ts'
import type { PageOptions, Requests } from './requests.ts'
import type { Said } from './words.ts'

/** More pages of inboxes than any account is known to have: a list that never ends is given up there. */
export const MOST_INBOX_PAGES = 50

const wireInbox = z.looseObject({ id, name: text, email_address: text, from_name: text, unread: count })
type WireInbox = z.infer<typeof wireInbox>

/** An inbox, but for whether the platform still has it. */
export interface FetchedInbox extends Omit<Inbox, 'onServer'>, Said<WireInbox> {
  /** The sender's name on mail from this inbox; null where it has none. */
  readonly fromName: string | null
}

const toInbox = (wire: WireInbox): FetchedInbox => ({
  id: wire.id,
  name: wire.name ?? null,
  emailAddress: wire.email_address ?? wire.id,
  unread: wire.unread ?? 0,
  fromName: wire.from_name ?? null,
  [WORDS]: wire,
})

/** An inbox known by its ID alone: the platform answers for it and does not list it. */
export const bareInbox = (inboxId: string): FetchedInbox => toInbox({ id: inboxId })

export const readInboxes = readPageOf(wireInbox, toInbox)
export const readKeptInbox = readKeptWith(wireInbox, toInbox)

export const inboxCalls = (requests: Requests) => ({
  /** Platform facts 3.0, 1. */
  listInboxes: async (options: PageOptions) => requests.page(readInboxes, path`/inboxes`, options),
})
