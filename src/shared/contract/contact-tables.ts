/** Contacts from a table of a person's own. */
import { z } from 'zod'
import {
  COLUMN_FIELDS,
  TABLE_LIMITS,
  type ColumnTarget,
  type ContactTable,
  type ImportPlan,
} from '../contact-import.ts'
import { BODY_PIECE } from '../model.ts'
import { engine, hostOf } from './command.ts'
import { id, type ChangeReceipt, type SavedFile } from './inputs.ts'

const columnTarget = z.custom<ColumnTarget>(
  (given) =>
    typeof given === 'string' &&
    (COLUMN_FIELDS.some((field) => field === given) || /^property:[\s\S]{1,256}$/.test(given)),
)
const reading = {
  tableId: id,
  targets: z.array(columnTarget).min(1).max(TABLE_LIMITS.columns),
  mayResubscribe: z.boolean(),
  /** As the table was read, unless it is said. */
  hasHeading: z.boolean().optional(),
}

export const contactTableCommands = {
  /**
   * Brings a table (CSV) to the engine piece by piece, each base64 of at most BODY_PIECE characters; the last one answers with
   * what is in it. One table at a time: another one takes its place. `invalid_input` for what is no table.
   */
  'contactTable.read': engine<ContactTable | null>()('open', () =>
    z.object({ tableId: id, place: z.int().min(0), base64: z.string().max(BODY_PIECE), isLast: z.boolean() }).strict(),
  ),
  /** What an import would do, held against the contacts on this computer. `not_found` if the table is not here any more. */
  'contactTable.plan': engine<ImportPlan>()('open', () => z.object(reading).strict()),
  /** Imports a table, at once here and by the outbox on the platform. What is not sent yet goes with the undo as if it never was. */
  'contactTable.import': engine<ChangeReceipt & { readonly contacts: number }>()('joined', () =>
    z.object({ ...reading, segmentId: id.nullable() }).strict(),
  ),
  /** The lines that are not imported, each with its number and why, as a table. */
  'contactTable.badLines': engine<{ readonly text: string }>()('open', () => z.object(reading).strict()),
  /** Saves them as a file. */
  'contactTable.saveBadLines': hostOf<SavedFile>()('open', () => z.object(reading).strict()),
}
