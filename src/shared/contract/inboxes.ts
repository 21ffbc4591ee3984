/** Inboxes and their labels. */
import { z } from 'zod'
import type { Freshness, Inbox, Label } from '../model.ts'
import { engine } from './command.ts'
import { id, labelColor, nothing, type ChangeReceipt } from './inputs.ts'

/** A label that the platform has given another ID than it had here. */
export interface ReplacedLabel {
  readonly was: string
  readonly id: string
}

/** How long a name may be is told in words. */
const labelName = z.string().max(1_000)

export const inboxCommands = {
  'inbox.list': engine<{ readonly inboxes: readonly Inbox[]; readonly freshness: Freshness }>()('joined', nothing),
  /** Adds an inbox by its ID, where the platform knows inboxes but does not list them. */
  'inbox.add': engine<Inbox>()('open', () => z.object({ inboxId: id }).strict()),
  'label.list': engine<readonly Label[]>()('joined', () => z.object({ inboxId: id }).strict()),
  /**
   * Makes a label, at once and offline as well: threads can carry it under `labelId` from now on. `invalid_input` for a name
   * that is taken, or beyond `LABEL_LIMITS`.
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
   * On how many threads a label is, as far as they are on this computer: said before it is deleted. `labelId`: its ID of
   * today, also where it was asked for by one that it had.
   */
  'label.usage': engine<{ readonly labelId: string; readonly threads: number }>()('joined', () =>
    z.object({ inboxId: id, labelId: id }).strict(),
  ),
  /** Deletes a label, and takes it off all threads with it. */
  'label.delete': engine<ChangeReceipt & { readonly threads: number }>()('joined', () =>
    z.object({ inboxId: id, labelId: id }).strict(),
  ),
}

export interface InboxEvents {
  'inboxes.changed': null
  /**
   * Labels are new, gone, or look different, also on every thread that carries them. `replaced` names those that were made
   * here and have the platform's ID from now on; for a while the former ID is understood as well.
   */
  'labels.changed': { readonly inboxId: string; readonly replaced: readonly ReplacedLabel[] }
}
