import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { FetchedThread } from '../../../../src/engine/platform/resources/threads.ts'
import { openCache, type Cache } from '../../../../src/engine/store/cache.ts'
import type { PendingContact } from '../../../../src/engine/store/contacts.ts'
import type { StoredMarks } from '../../../../src/engine/store/pending-changes.ts'
import type { ThreadStateChange } from '../../../../src/shared/thread-state.ts'
import type { InboxRef } from '../../../../src/engine/store/inboxes.ts'
import { systemClock, type Clock } from '../../../../src/engine/timing/clock.ts'
import { inboxOf, threadOf, type Words } from '../../../support/raw-payloads.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

export interface TestPending {
  readonly overlays: Map<string, ThreadStateChange>
  readonly marks: Map<string, StoredMarks>
  readonly confirmedAt: Map<string, number>
  readonly contacts: Map<string, PendingContact>
}

/** A cache in a real file, with one inbox and the pending changes of the test. */
export const openTestCache = (
  file = join(temporaryDirectory(), 'cache.sqlite'),
  clock: Clock = systemClock,
): { readonly cache: Cache; readonly inbox: InboxRef; readonly pending: TestPending; readonly file: string } => {
  const pending: TestPending = {
    overlays: new Map(),
    marks: new Map(),
    confirmedAt: new Map(),
    contacts: new Map(),
  }
  const pendingChanges = {
    threads: {
      overlay: (_inboxId: string, threadId: string) => pending.overlays.get(threadId),
      marks: (_inboxId: string, threadId: string) => pending.marks.get(threadId),
      confirmedSince: (_inboxId: string, threadId: string, askedAt: number) =>
        (pending.confirmedAt.get(threadId) ?? -1) > askedAt,
    },
    topics: () => new Map<string, string>(),
    contacts: { ofContact: (id: string) => pending.contacts.get(id), confirmedSince: () => false },
  }
  const { cache } = openCache(file, pendingChanges, undefined, false, clock)
  onTestFinished(() => cache.close())
  cache.inboxes.storeListed([inboxOf({ id: 'inbox-1', email_address: 'me@example.com' })])
  const key = cache.inboxes.get('inbox-1')?.key ?? -1
  return { cache, inbox: { key, id: 'inbox-1' }, pending, file }
}

/** A thread as the platform lists it; `minute` orders threads in time. @param fields raw JSON fields */
export const listedThread = (id: string, minute: number, fields: Words = {}): FetchedThread =>
  threadOf({
    id,
    subject: `Subject ${id}`,
    from: 'Ada <ada@example.com>',
    to: ['me@example.com'],
    cc: [],
    bcc: [],
    labels: [],
    email_count: 1,
    has_attachment: false,
    has_draft: false,
    read: false,
    received_at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
    folder: 'inbox',
    ...fields,
  })
