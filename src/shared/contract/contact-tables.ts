import { z } from 'zod'
import {
  COLUMN_FIELDS,
  CONTACT_TABLE_LIMITS,
  type ColumnTarget,
  type ContactTable,
  type ImportPlan,
} from '../contact-import.ts'
import { MAX_CHUNK_LENGTH } from '../model.ts'
import { defineEngineCommand, defineHostCommand } from './command.ts'
import { idSchema, type ChangeReceipt, type SavedFile } from './inputs.ts'

const columnTarget = z.custom<ColumnTarget>(
  (given) =>
    typeof given === 'string' &&
    (COLUMN_FIELDS.some((field) => field === given) || /^property:[\s\S]{1,256}$/.test(given)),
)
const reading = {
  tableId: idSchema,
  targets: z.array(columnTarget).min(1).max(CONTACT_TABLE_LIMITS.columns),
  mayResubscribe: z.boolean(),
  /** Overrides the detected heading. */
  hasHeading: z.boolean().optional(),
}

export const contactTableCommands = {
  /**
   * Uploads a table (CSV) to the engine in chunks, each base64 of at most MAX_CHUNK_LENGTH characters; the response to the
   * last chunk describes the table. Only one table is kept: the next upload replaces it. `invalid_input` if the file is
   * not a table.
   */
  'contactTable.read': defineEngineCommand<ContactTable | null>()('owner', () =>
    z
      .object({
        tableId: idSchema,
        place: z.int().min(0),
        base64: z.string().max(MAX_CHUNK_LENGTH),
        isLast: z.boolean(),
      })
      .strict(),
  ),
  /** Preview of an import, based on the local contacts. `not_found` if the table is no longer loaded. */
  'contactTable.plan': defineEngineCommand<ImportPlan>()('owner', () => z.object(reading).strict()),
  /**
   * Imports the table: applied locally at once, and sent through the outbox. Undo drops unsent contacts without a
   * trace.
   */
  'contactTable.import': defineEngineCommand<ChangeReceipt & { readonly contacts: number }>()('owner', () =>
    z.object({ ...reading, segmentId: idSchema.nullable() }).strict(),
  ),
  /** Rejected lines as a table, each with its line number and the reason. */
  'contactTable.badLines': defineEngineCommand<{ readonly text: string }>()('owner', () => z.object(reading).strict()),
  'contactTable.saveBadLines': defineHostCommand<SavedFile>()(() => z.object(reading).strict()),
}
