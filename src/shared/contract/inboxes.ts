import { z } from 'zod'
import type { Freshness, Inbox, Label } from '../model.ts'
import { defineEngineCommand } from './command.ts'
import { idSchema, labelColorSchema, emptyInputSchema, type ChangeReceipt } from './inputs.ts'

/** A label whose local ID was replaced by the platform's. */
export interface ReplacedLabel {
  readonly was: string
  readonly id: string
}

/** Deliberately above the real limit: the engine checks that limit and explains it in its response. */
const inboxText = z.string().trim().max(1_000)
const labelName = z.string().max(1_000)

export const inboxCommands = {
  'inbox.list': defineEngineCommand<{ readonly inboxes: readonly Inbox[]; readonly freshness: Freshness }>()(
    'merged',
    emptyInputSchema,
  ),
  /** Adds an inbox by its ID, for a platform that knows inboxes but does not list them. */
  'inbox.add': defineEngineCommand<Inbox>()('owner', () => z.object({ inboxId: idSchema }).strict()),
  /**
   * Creates an inbox, which is listed when this resolves. `invalid_input` if the platform's rules forbid it,
   * `unreachable` offline.
   */
  'inbox.create': defineEngineCommand<{ readonly inboxId: string }>()('refused', () =>
    z.object({ emailAddress: inboxText, name: inboxText, fromName: inboxText, forwarding: z.boolean() }).strict(),
  ),
  /**
   * Renames an inbox. An omitted name is unchanged, an empty `fromName` removes the sender name. Same errors as
   * `inbox.create`.
   */
  'inbox.rename': defineEngineCommand<null>()('owner', () =>
    z.object({ inboxId: idSchema, name: inboxText.optional(), fromName: inboxText.optional() }).strict(),
  ),
  /**
   * Permanently deletes an inbox and all of its threads on the platform; local mail stays.
   * @param typed its address, as typed by the user: `invalid_input` if it differs
   */
  'inbox.delete': defineEngineCommand<null>()('owner', () =>
    z.object({ inboxId: idSchema, typed: inboxText }).strict(),
  ),
  'label.list': defineEngineCommand<readonly Label[]>()('merged', () => z.object({ inboxId: idSchema }).strict()),
  /**
   * Creates a label, also offline: threads can have it at once under `labelId`. `invalid_input` if the name is taken,
   * or beyond `LABEL_LIMITS`.
   */
  'label.create': defineEngineCommand<ChangeReceipt & { readonly labelId: string }>()('merged', () =>
    z.object({ inboxId: idSchema, name: labelName, color: labelColorSchema }).strict(),
  ),
  'label.update': defineEngineCommand<ChangeReceipt>()('whole', () =>
    z
      .object({ inboxId: idSchema, labelId: idSchema, name: labelName.optional(), color: labelColorSchema.optional() })
      .strict()
      .refine(({ name, color }) => name !== undefined || color !== undefined, 'A change must have at least one field.'),
  ),
  /**
   * Number of local threads with a label, to warn the user before deleting it. `labelId` is the current ID, even if an
   * old one was given.
   */
  'label.usage': defineEngineCommand<{ readonly labelId: string; readonly threads: number }>()('whole', () =>
    z.object({ inboxId: idSchema, labelId: idSchema }).strict(),
  ),
  'label.delete': defineEngineCommand<ChangeReceipt & { readonly threads: number }>()('whole', () =>
    z.object({ inboxId: idSchema, labelId: idSchema }).strict(),
  ),
}

export interface InboxEvents {
  'inboxes.changed': null
  /**
   * Labels changed, also on their threads. `replaced` maps local IDs to the platform's IDs; the old IDs work for a
   * while.
   */
  'labels.changed': { readonly inboxId: string; readonly replaced: readonly ReplacedLabel[] }
}
