import { z } from 'zod'
import type { NewInbox } from '../../../shared/inbox-rules.ts'
import type { Inbox } from '../../../shared/model.ts'
import { apiPath } from '../api-path.ts'
import {
  wireCount,
  wireId,
  createParser,
  parseCreatedId,
  wireText,
  RAW_PAYLOAD,
  wireListOf,
  type RawPayload,
} from '../parse-response.ts'
import type { CallOptions, PageOptions, Requests } from '../requests.ts'
import type { AgentSettingsChange, AgentSettings } from '../../../shared/agent.ts'

/** Safety limit against a list that never ends; no known account has that many pages. */
export const MAX_INBOX_PAGES = 50

const wireInbox = z.looseObject({
  id: wireId,
  name: wireText,
  email_address: wireText,
  from_name: wireText,
  unread: wireCount,
})
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
  [RAW_PAYLOAD]: wire,
})

/** An inbox known only by its ID: it exists but is not listed. */
export const createPlaceholderInbox = (inboxId: string): FetchedInbox => toInbox({ id: inboxId })

export const inboxParser = createParser(wireInbox, toInbox)

/** Limits for what is read and stored, higher than the limits of the platform (platform.md 16.3). */
const MAX_INSTRUCTIONS = 20_000
const MAX_WORD = 64
const MAX_ACTIONS = 50

const wireAgent = z.looseObject({ instructions: wireText, tone: wireText, actions: wireListOf(z.string()) })

const parseAgent = createParser(wireAgent, ({ instructions, tone, actions }): AgentSettings => ({
  instructions: instructions?.slice(0, MAX_INSTRUCTIONS) ?? null,
  tone: tone?.slice(0, MAX_WORD) ?? null,
  actions: [...new Set((actions ?? []).map((action) => action.slice(0, MAX_WORD)))].slice(0, MAX_ACTIONS),
})).one

export const createInboxCalls = (requests: Requests) => ({
  /** See platform.md 6.1. */
  listInboxes: async (options: PageOptions) => requests.page(inboxParser.page, apiPath`/inboxes`, options),

  /** Returns the inbox's ID (platform.md 6.3). */
  createInbox: async ({ emailAddress, name, fromName, forwarding }: NewInbox, options: CallOptions) =>
    parseCreatedId(
      await requests.post(
        apiPath`/inboxes`,
        {
          email_address: emailAddress,
          ...(name !== null && { name }),
          ...(fromName !== null && { from_name: fromName }),
          ...(forwarding && { forwarding }),
        },
        options,
      ),
    ),

  /** Sends only the given names (platform.md 6.4). */
  renameInbox: async (
    inboxId: string,
    { name, fromName }: { readonly name?: string | undefined; readonly fromName?: string | undefined },
    options: CallOptions,
  ) => requests.patch(apiPath`/inboxes/${inboxId}`, { name, from_name: fromName }, options),

  /** Also deletes its threads permanently (platform.md 6.5). */
  deleteInbox: async (inboxId: string, options: CallOptions) => requests.delete(apiPath`/inboxes/${inboxId}`, options),

  /** See platform.md 16.1. */
  getAgent: async (inboxId: string, options: CallOptions): Promise<AgentSettings> =>
    parseAgent(await requests.get(apiPath`/inboxes/${inboxId}/agent`, options)),

  /** Omitted fields stay, null clears, and `actions` replaces the list (platform.md 16.1). */
  setAgent: async (inboxId: string, change: AgentSettingsChange, options: CallOptions) =>
    requests.patch(apiPath`/inboxes/${inboxId}/agent`, change, options),
})
