import { formatIsoTimestamp } from '../http/dates.ts'
import type { Database } from '../storage/database.ts'
import { listWebhooks, logEvent } from '../storage/webhooks.ts'
import { buildEvents } from './event-payloads.ts'
import type { EventSource } from './webhook-types.ts'
import { type Change, createChangeTriggers, takeChanges, withoutRecording } from './record-changes.ts'

/**
 * Turns changes of the database into events. Triggers record the changes of a transaction; right before it commits,
 * their events go into the logs of the webhooks. So an event exists exactly if its change does.
 */
export class Events {
  readonly #db: Database
  readonly #now: () => number
  #source: EventSource = 'system'
  #onLogged: () => void = () => undefined

  constructor(db: Database, now: () => number) {
    this.#db = db
    this.#now = now
  }

  /** From now on, changes are events. @param onLogged called after transactions that logged events */
  start(onLogged: () => void): void {
    this.#onLogged = onLogged
    createChangeTriggers(this.#db, () => this.#source)
    this.#db.setBeforeCommit(() => this.#log())
  }

  /** Names the origin of the changes that `work` makes. Outside of this, it is `system`. */
  as<Result>(source: EventSource, work: () => Result): Result {
    const outer = this.#source
    this.#source = source
    try {
      return work()
    } finally {
      this.#source = outer
    }
  }

  /** Makes changes without events, such as an import of contacts. Call within a transaction. */
  silently<Result>(work: () => Result): Result {
    return withoutRecording(this.#db, work)
  }

  /** Delivers what is due after the current transaction, which is synchronous. */
  deliverSoon(): void {
    setImmediate(this.#onLogged)
  }

  #log(): void {
    const changes = takeChanges(this.#db)
    if (changes.length === 0) return
    const now = this.#now()
    const webhooks = listWebhooks(this.#db).filter(({ status }) => status === 'enabled')
    if (webhooks.length === 0) return
    for (const change of mergeChanges(changes)) {
      for (const { type, data } of buildEvents({ db: this.#db, now }, change)) {
        const payload = JSON.stringify({ type, created_at: formatIsoTimestamp(now), data })
        logEvent(this.#db, webhooks, { type, payload }, now)
      }
    }
    this.deliverSoon()
  }
}

/**
 * Merges changes of one transaction into the events that the platform sends. A row that was created or updated isn't
 * reported as updated again, a label that was removed and added again isn't reported, and a contact's topics are
 * reported together. A sent draft comes before its e-mail (vendor documentation, "inbox.draft.sent").
 */
function mergeChanges(changes: readonly Change[]): readonly Change[] {
  const merged = new Map<string, Change>()
  for (const change of changes) {
    const { kind, row, details } = change
    if (kind === 'inbox.thread.labels.updated') {
      const { label } = JSON.parse(details ?? '') as { readonly label: number }
      const key = `${kind} ${row} ${label}`
      if (!merged.delete(key)) merged.set(key, change)
    } else if (kind === 'contact.topics.updated') {
      const key = `${kind} ${row}`
      const earlier = JSON.parse(merged.get(key)?.details ?? '[]') as readonly unknown[]
      merged.set(key, { ...change, details: JSON.stringify([...earlier, JSON.parse(details ?? '')]) })
    } else {
      const isRepeated = kind.endsWith('.updated') && merged.has(`${kind.replace('.updated', '.created')} ${row}`)
      if (!isRepeated) merged.set(kind === 'email' ? `${kind} ${merged.size}` : `${kind} ${row}`, change)
    }
  }
  const all = [...merged.values()]
  return [
    ...all.filter(({ kind }) => kind === 'inbox.draft.sent'),
    ...all.filter(({ kind }) => kind !== 'inbox.draft.sent'),
  ]
}
