import { z } from 'zod'
import type { NewInbox } from '../../shared/inbox-rules.ts'
import type { Inbox } from '../../shared/model.ts'
import { path } from './path.ts'
import { count, id, readStoredWith, readCreatedId, readPageOf, text, RAW } from './read-response.ts'
import type { CallOptions, PageOptions, Requests } from './requests.ts'
import type { RawPayload } from './raw-payload.ts'

/** Safety limit against a list that never ends; no known account has that many pages. */
export const MAX_INBOX_PAGES = 50

const wireInbox = z.looseObject({ id, name: text, email_address: text, from_name: text, unread: count })
type WireInbox = z.infer<typeof wireInbox>

export interface FetchedInbox extends Omit<Inbox, 'onServer'>, RawPayload<WireInbox> {
  readonly fromName: string | null
}

const toInbox = (wire: WireInbox): FetchedInbox => ({
  id: wire.id,
  name: wire.name ?? null,
  emailAddress: wire.email_address ?? wire.id,
  unread: wire.unread ?? 0,
  // Cleared names are empty.
  fromName: wire.from_name === undefined || wire.from_name === '' ? null : wire.from_name,
  [RAW]: wire,
})

/** An inbox known only by its ID: it exists but is not listed. */
export const bareInbox = (inboxId: string): FetchedInbox => toInbox({ id: inboxId })

export const readInboxes = readPageOf(wireInbox, toInbox)
export const readStoredInbox = readStoredWith(wireInbox, toInbox)

export const inboxCalls = (requests: Requests) => ({
  /** See platform facts 3.0, 1. */
  listInboxes: async (options: PageOptions) => requests.page(readInboxes, path`/inboxes`, options),

  /** Platform facts 3.0, 2. Returns the inbox's ID. */
  createInbox: async ({ emailAddress, name, fromName, forwarding }: NewInbox, options: CallOptions) =>
    readCreatedId(
      await requests.post(
        path`/inboxes`,
        {
          email_address: emailAddress,
          ...(name !== null && { name }),
          ...(fromName !== null && { from_name: fromName }),
          ...(forwarding && { forwarding }),
        },
        options,
      ),
    ),

  /** Platform facts 3.0, 4. Sends only the given names. */
  renameInbox: async (
    inboxId: string,
    { name, fromName }: { readonly name?: string | undefined; readonly fromName?: string | undefined },
    options: CallOptions,
  ): Promise<void> => {
    await requests.patch(path`/inboxes/${inboxId}`, { name, from_name: fromName }, options)
  },

  /** Platform facts 3.0, 5. Also deletes its threads permanently. */
  deleteInbox: async (inboxId: string, options: CallOptions): Promise<void> => {
    await requests.delete(path`/inboxes/${inboxId}`, options)
  },
})
