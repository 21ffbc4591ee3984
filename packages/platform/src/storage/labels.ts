import { randomUUID } from 'node:crypto'
import type { Database } from './database.ts'
import type { InboxRow } from './inboxes.ts'

/** Limits per inbox and per label name (platform.md 15.1). */
export const LABEL_LIMITS = { labels: 100, characters: 64 } as const

/** Default colours, used in rotation when the request has none (platform.md 15.3). */
const palette = [
  '#E93D82',
  '#00A2C7',
  '#12A594',
  '#46A758',
  '#FFE629',
  '#F76B15',
  '#5B5BD6',
  '#AB4ABA',
  '#A18072',
] as const

/** @param count number of labels already in the inbox */
export const pickLabelColor = (count: number): string => palette[count % palette.length] ?? palette[0]

/** Stores a label without validation. @returns its ID */
export function addLabel(
  db: Database,
  inbox: InboxRow,
  { name, color }: { readonly name: string; readonly color: string },
  now: number,
): string {
  const id = randomUUID()
  db.run(
    'INSERT INTO labels (id, inbox_seq, name, color, created_at) VALUES (?, ?, ?, ?, ?)',
    id,
    inbox.seq,
    name,
    color,
    now,
  )
  return id
}
