import {
  createReceivedEmailStore,
  createSentEmailStore,
  type ReceivedEmailStore,
  type SentEmailStore,
} from './account-emails.ts'
import { createBacklog, type Backlog } from './backlog.ts'
import { createContactStore, type ContactStore } from './contacts.ts'
import { createEmailStore, type EmailStore } from './emails.ts'
import { createFactStore, type FactStore } from './facts.ts'
import { createInboxStore, type InboxStore } from './inboxes.ts'
import { createLabelStore, type LabelStore } from './labels.ts'
import { mail } from './migrations/0001-mail.ts'
import { addedInboxes } from './migrations/0002-added-inboxes.ts'
import { lackingEmails } from './migrations/0004-lacking-emails.ts'
import { sentEmails } from './migrations/0003-sent-emails.ts'
import { bodyPieces } from './migrations/0005-body-pieces.ts'
import { openDatabase, type FileKind } from './open-database.ts'
import type { PendingChanges } from './thread-overlay.ts'
import { createThreadStore, type ThreadStore } from './threads.ts'
import { createTopicStore, type PendingTopics, type TopicStore } from './topics.ts'
import { createWalkStore, type WalkStore } from './walks.ts'

/** The cache of one account: everything that a screen shows comes from here. */
export interface Cache {
  readonly inboxes: InboxStore
  readonly labels: LabelStore
  readonly threads: ThreadStore
  readonly backlog: Backlog
  readonly emails: EmailStore
  readonly receivedEmails: ReceivedEmailStore
  readonly sentEmails: SentEmailStore
  readonly contacts: ContactStore
  readonly topics: TopicStore
  readonly walks: WalkStore
  readonly facts: FactStore
  /** Runs writes of several stores as one: all of them are kept, or none. */
  readonly together: <Value>(work: () => Value) => Value
  readonly close: () => void
}

/** The kind of file that a cache is: `LNNC`. */
export const CACHE_FILE: FileKind = {
  applicationId: 0x4c4e_4e43,
  migrations: [mail, addedInboxes, sentEmails, lackingEmails, bodyPieces],
  exclusive: false,
}

/**
 * Opens the cache in a file, or makes it.
 * @param pending what to lay over the platform's words
 * @returns the cache, and where a file that could not be used was moved to
 */
export const openCache = (
  file: string,
  pending: { readonly threads: PendingChanges; readonly topics: PendingTopics },
): { readonly cache: Cache; readonly setAside: string | null } => {
  const { database, setAside } = openDatabase(file, CACHE_FILE)
  const labels = createLabelStore(database)
  const backlog = createBacklog(database)
  const threads = createThreadStore(database, labels, backlog, pending.threads)
  return {
    cache: {
      inboxes: createInboxStore(database),
      labels,
      threads,
      backlog,
      emails: createEmailStore(database),
      receivedEmails: createReceivedEmailStore(database),
      sentEmails: createSentEmailStore(database),
      contacts: createContactStore(database),
      topics: createTopicStore(database, pending.topics),
      walks: createWalkStore(database),
      facts: createFactStore(database),
      together: (work) => {
        try {
          return database.transaction(work)()
        } catch (thrown) {
          threads.recount()
          throw thrown
        }
      },
      close: () => database.close(),
    },
    setAside,
  }
}
