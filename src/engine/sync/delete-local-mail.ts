import { attachmentKeyPrefixes, inlinePictureKeyPrefix, sentAttachmentsKey } from '../store/attachment-keys.ts'
import type { Blobs } from '../store/blobs.ts'
import { rawMessageKey } from './raw-message-key.ts'
import type { Cache } from '../store/cache.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { isCopyOf } from '../store/same-message.ts'
import type { CachedEmail } from '../store/emails.ts'
import type { ThreadListChanges } from '../store/thread-list-changes.ts'

const LISTS = ['received', 'sent'] as const
type AccountList = (typeof LISTS)[number]
type AccountEmails = Cache['receivedEmails'] | Cache['sentEmails']

export interface DeletedThread {
  readonly emails: number
  readonly touched: ThreadListChanges
  readonly lists: ReadonlySet<AccountList>
}

/** IDs of a thread's e-mail in the account's own lists. A platform may use different IDs there. */
const idsInList = (stored: AccountEmails, id: string, email: CachedEmail | undefined): readonly string[] => {
  const copies = email === undefined ? [] : stored.withMessageId(email.messageId ?? '', email.receivedAt)
  return [id, ...copies.filter((copy) => copy.id !== id && email && isCopyOf(copy, email)).map((copy) => copy.id)]
}

/** Deletes mail that exists only locally. Each call is one transaction, so a crash leaves no half-deleted mail. */
export class LocalMailDeleter {
  readonly #cache: Cache
  readonly #blobs: Pick<Blobs, 'release'>

  constructor(cache: Cache, blobs: Pick<Blobs, 'release'>) {
    this.#cache = cache
    this.#blobs = blobs
  }

  /** @returns null without deleting anything if the platform has the thread or the thread isn't stored locally */
  thread(inbox: InboxRef, threadId: string): DeletedThread | null {
    const { threads, emails, deleted } = this.#cache
    if (threads.currentState(inbox, threadId)?.onServer !== false) return null
    return this.#write((after) => {
      const removed = emails.removeAll(inbox, threadId)
      const touched = threads.remove(inbox, threadId)
      if (touched === null) throw new Error('The thread is on the platform, so it can’t be deleted locally.')
      deleted.add({ list: 'threads', inboxId: inbox.id, id: threadId })
      const lists = new Set<AccountList>()
      for (const { id, email } of removed) {
        // Another inbox of the account may have the same e-mail, for example if one inbox wrote to the other.
        if (!deleted.isInThread(id)) {
          for (const list of LISTS) {
            for (const name of idsInList(this.#emailsOf(list), id, email)) {
              const removeFiles = this.#removeFrom(list, name, true)
              if (removeFiles === null) continue
              lists.add(list)
              after.push(removeFiles)
            }
          }
        }
        after.push(this.#releaseFiles(id, 'threads'))
      }
      return { emails: removed.length, touched, lists }
    })
  }

  /** Deletes an e-mail from one of the account's own lists. @returns false if nothing was deleted */
  email(list: AccountList, id: string): boolean {
    return this.#write((after) => {
      const removeFiles = this.#removeFrom(list, id, false)
      if (removeFiles !== null) after.push(removeFiles)
      return removeFiles !== null
    })
  }

  #emailsOf(list: AccountList): AccountEmails {
    return list === 'received' ? this.#cache.receivedEmails : this.#cache.sentEmails
  }

  /** Releases an e-mail's files. Files stored under the e-mail's ID stay while another list has the e-mail. */
  #releaseFiles(emailId: string, list: 'threads' | AccountList): () => void {
    const { deleted, blobs } = this.#cache
    const of = { list, emailId }
    const isElsewhere = deleted.isAnywhere(emailId)
    const { ofAll, ofOne } = attachmentKeyPrefixes(of)
    const beginnings = [ofOne, inlinePictureKeyPrefix(of), ...(isElsewhere ? [] : [ofAll])]
    return this.#blobs.release([
      ...beginnings.flatMap((beginning) => blobs.keysBeginningWith(beginning)),
      ...(isElsewhere ? [] : [rawMessageKey(emailId)]),
      ...(list === 'sent' ? [sentAttachmentsKey(emailId)] : []),
    ])
  }

  #removeFrom(list: AccountList, id: string, isKnownGone: boolean): (() => void) | null {
    if (!this.#emailsOf(list).remove(id, isKnownGone)) return null
    this.#cache.deleted.add({ list, id })
    return this.#releaseFiles(id, list)
  }

  #write<Value>(work: (after: (() => void)[]) => Value): Value {
    const after: (() => void)[] = []
    const value = this.#cache.deleted.withSecureDelete(() => this.#cache.inTransaction(() => work(after)))
    for (const removeFiles of after) removeFiles()
    return value
  }
}
