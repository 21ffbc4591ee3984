import type Database from 'better-sqlite3'
import { z } from 'zod'
import { isDeliveryFailure, type DeliveryFailure } from '../../shared/delivery.ts'
import { parseJsonAs } from '../../shared/parse-json.ts'
import { ASSIGNMENT_EVENTS } from '../../shared/webhooks.ts'
import type { EventPayload, LoggedEvent } from '../platform/resources/webhooks.ts'
import { runInTransaction } from './watch-database.ts'

/** More events than a busy team has in a month. The oldest are dropped, those of `LASTING_TYPES` last. */
const MAX_EVENTS = 50_000
/** Number left after dropping, so that it is seldom done: it sorts all events. */
const KEPT_EVENTS = 45_000

/** Payloads are read for this many of the newest events, and for all of `LASTING_TYPES`. */
const MAX_HISTORY = 200

const toSqlList = (types: readonly string[]): string => `('${types.join("', '")}')`
export const ASSIGNMENT_TYPES = toSqlList(ASSIGNMENT_EVENTS)
/** Nothing but these events tells who has a thread and why a message was not delivered. */
const LASTING_TYPES = toSqlList([...ASSIGNMENT_EVENTS, 'email.bounced', 'email.failed'])

export interface StoredPayload extends EventPayload {
  /** True if Linnet on this computer is known to have made the change. */
  readonly isOwn: boolean
}

/** An event of a thread. */
export interface ThreadEvent extends Pick<LoggedEvent, 'type' | 'at'> {
  readonly payload: StoredPayload
}

/** Maximum events of a thread to read. */
const MAX_THREAD_EVENTS = 500

/**
 * `toHandle`: the event's change may be missing from the cache. `toRead`: only its payload is missing, for the history.
 */
export const EVENT_STATES = { toHandle: 0, toRead: 1, done: 2 } as const

const text = z.string().nullable()
const storedPayload = z.object({
  failure: z.object({ type: text, subType: text, message: text, recipients: z.array(z.string()) }).nullable(),
})

/** Every new thread has another event, `inbox.email.received` or `inbox.email.sent`. */
const isUnused = (type: string): boolean => type === 'inbox.thread.created' || type.startsWith('domain.')

/** The events of a webhook's log, as far as Linnet has read it (docs/sync.md). */
export const createWebhookEventStore = (database: Database.Database) => {
  const isKnown = database.prepare<[string]>('SELECT 1 FROM webhook_events WHERE id = ?')
  const add = database.prepare<[string, string, number, string, number]>(
    `INSERT INTO webhook_events (id, webhook_id, at, type, state) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  )
  const select = database.prepare<[number, number], LoggedEvent>(
    'SELECT id, type, at FROM webhook_events WHERE state = ? ORDER BY at DESC, id DESC LIMIT ?',
  )
  const setState = database.prepare<[number, number]>('UPDATE webhook_events SET state = ? WHERE state = ?')
  const forgetOldPayloads = database.prepare<[number, number, number]>(
    `UPDATE webhook_events SET state = ? WHERE state = ? AND type NOT IN ${LASTING_TYPES}
       AND id NOT IN (SELECT id FROM webhook_events ORDER BY at DESC LIMIT ?)`,
  )
  const trimHistory = (): void => void forgetOldPayloads.run(EVENT_STATES.done, EVENT_STATES.toRead, MAX_HISTORY)
  const store = database.prepare<[number, string | null, string | null, string | null, string | null, string]>(
    'UPDATE webhook_events SET state = ?, inbox_id = ?, thread_id = ?, email_id = ?, payload = ? WHERE id = ?',
  )
  // Read for each thread that is stored. SQLite would choose the index of all events of a thread.
  const assignee = database
    .prepare<[string, string], string | null>(
      `SELECT payload ->> '$.assignee' FROM webhook_events INDEXED BY webhook_events_of_assignments
       WHERE inbox_id = ? AND thread_id = ? AND type IN ${ASSIGNMENT_TYPES} ORDER BY at DESC LIMIT 1`,
    )
    .pluck()
  // Only the newest event of a draft counts: editors save all the time.
  const ofThread = database.prepare<[string, string, number], Omit<ThreadEvent, 'payload'> & { payload: string }>(
    `SELECT type, max(at) AS at, payload FROM webhook_events
     WHERE inbox_id = ? AND thread_id = ? AND (type LIKE 'inbox.thread.%' OR type LIKE 'inbox.draft.%')
       AND payload IS NOT NULL
     GROUP BY CASE WHEN type LIKE 'inbox.draft.%' THEN json_extract(payload, '$.draftId') ELSE id END
     ORDER BY at DESC LIMIT ?`,
  )
  const newestPayload = database
    .prepare<[string, string], string>(
      `SELECT payload FROM webhook_events WHERE email_id = ? AND type = ? AND payload IS NOT NULL
       ORDER BY at DESC, id DESC LIMIT 1`,
    )
    .pluck()
  const areAny = database.prepare<[string]>('SELECT 1 FROM webhook_events WHERE webhook_id = ? LIMIT 1')
  const count = database.prepare<[], number>('SELECT count(*) FROM webhook_events').pluck()
  const prune = database.prepare<[number]>(
    `DELETE FROM webhook_events WHERE id IN (SELECT id FROM webhook_events ORDER BY type IN ${LASTING_TYPES} DESC, at DESC LIMIT -1 OFFSET ?)`,
  )
  return {
    isKnown: (id: string): boolean => isKnown.get(id) !== undefined,
    areAny: (webhookId: string): boolean => areAny.get(webhookId) !== undefined,
    add: (webhookId: string, events: readonly LoggedEvent[], state: number): void => {
      if (events.length === 0) return
      runInTransaction(database, () => {
        // Unused events are known as well, so that the log is read no further than to them.
        for (const { id, type, at } of events)
          add.run(id, webhookId, at, type, isUnused(type) ? EVENT_STATES.done : state)
        if ((count.get() ?? 0) > MAX_EVENTS) prune.run(KEPT_EVENTS)
        trimHistory()
      })
    },
    /** Newest first. */
    inState: (state: number, limit: number): readonly LoggedEvent[] => select.all(state, limit),
    /** Leaves only the payloads to be read. */
    postpone: (): void =>
      runInTransaction(database, () => {
        setState.run(EVENT_STATES.toRead, EVENT_STATES.toHandle)
        trimHistory()
      }),
    /** Address of a thread's assignee in the dashboard, as of the newest event whose payload was read; null for none. */
    assigneeOf: (inboxId: string, threadId: string): string | null => assignee.get(inboxId, threadId) ?? null,
    /** Oldest first, as far as payloads were read. */
    ofThread: (inboxId: string, threadId: string): readonly ThreadEvent[] =>
      ofThread
        .all(inboxId, threadId, MAX_THREAD_EVENTS)
        .map((event) => ({ ...event, payload: JSON.parse(event.payload) as StoredPayload }))
        .toReversed(),
    /** @param payload null if the platform no longer has the event */
    store: (id: string, payload: StoredPayload | null, state: number): void =>
      void store.run(
        state,
        payload?.inboxId ?? null,
        payload?.threadId ?? null,
        payload?.emailId ?? null,
        payload === null ? null : JSON.stringify(payload),
        id,
      ),
    /** Details of a sent e-mail's last event; null if it isn't a failure, or no event has told them. */
    failureOf: (emailId: string, lastEvent: string | null): DeliveryFailure | null => {
      const payload = isDeliveryFailure(lastEvent) ? newestPayload.get(emailId, `email.${lastEvent}`) : undefined
      return payload === undefined ? null : (parseJsonAs(storedPayload, payload)?.failure ?? null)
    },
  }
}

export type WebhookEventStore = ReturnType<typeof createWebhookEventStore>
