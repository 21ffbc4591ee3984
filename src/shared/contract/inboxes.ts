/** Inboxes and their labels. */
import { z } from 'zod'
import type { Freshness, Inbox, Label } from '../model.ts'
import { engine } from './command.ts'
import { id, labelColor, nothing, type ChangeReceipt } from './inputs.ts'

/** A label that got another ID from the platform than it had here. */
export interface ReplacedLabel {
  readonly was: string
  readonly id: string
}

/** Longer than any name may be: the limit is explained in the answer. */
const inboxText = z.string().trim().max(1_000)
const labelName = z.string().max(1_000)

export const inboxCommands = {
  'inbox.list': engine<{ readonly inboxes: readonly Inbox[]; readonly freshness: Freshness }>()('joined', nothing),
  /** Adds an inbox by its ID, for a platform that knows inboxes but does not list them. */
  'inbox.add': engine<Inbox>()('open', () => z.object({ inboxId: id }).strict()),
  /**
   * Creates an inbox on the platform; in the list when this is answered. `invalid_input` for what its rules do not allow,
   * `unreachable` offline.
   */
  'inbox.create': engine<{ readonly inboxId: string }>()('refused', () =>
    z.object({ emailAddress: inboxText, name: inboxText, fromName: inboxText, forwarding: z.boolean() }).strict(),
  ),
  /** Renames an inbox: a name left out stays as it is, an empty `fromName` is none. The same problems. */
  'inbox.rename': engine<null>()('owner', () =>
    z.object({ inboxId: id, name: inboxText.optional(), fromName: inboxText.optional() }).strict(),
  ),
  /**
   * Deletes an inbox with all of its threads on the platform, for good. Its mail that is on this computer stays here.
   * @param typed its address, as the person has typed it: `invalid_input` for another one
   */
  'inbox.delete': engine<null>()('owner', () => z.object({ inboxId: id, typed: inboxText }).strict()),
  'label.list': engine<readonly Label[]>()('joined', () => z.object({ inboxId: id }).strict()),
  /**
   * Makes a label at once, offline too: threads can carry it under `labelId` from now on. `invalid_input` if the name
   * is taken, or beyond `LABEL_LIMITS`.
   */
  'label.create': engine<ChangeReceipt & { readonly labelId: string }>()('joined', () =>
    z.object({ inboxId: id, name: labelName, color: labelColor }).strict(),
  ),
  /** Renames or recolours a label. */
  'label.update': engine<ChangeReceipt>()('joined', () =>
    z
      .object({ inboxId: id, labelId: id, name: labelName.optional(), color: labelColor.optional() })
      .strict()
      .refine(({ name, color }) => name !== undefined || color !== undefined, 'A change names at least one field.'),
  ),
  /**
   * How many threads on this computer carry a label: shown before it is deleted. `labelId` is its current ID, even if
   * asked for by an earlier one.
   */
  'label.usage': engine<{ readonly labelId: string; readonly threads: number }>()('joined', () =>
    z.object({ inboxId: id, labelId: id }).strict(),
  ),
  /** Deletes a label and removes it from all threads. */
  'label.delete': engine<ChangeReceipt & { readonly threads: number }>()('joined', () =>
    z.object({ inboxId: id, labelId: id }).strict(),
  ),
}

export interface InboxEvents {
  'inboxes.changed': null
  /**
   * Labels are new, gone, or look different, on every thread that carries them too. `replaced` names those that were
   * made here and now have the platform's ID; the earlier ID is understood for a while.
   */
  'labels.changed': { readonly inboxId: string; readonly replaced: readonly ReplacedLabel[] }
}
