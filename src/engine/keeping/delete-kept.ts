import { attachmentKeysOf, carriedKeysOf, sentAttachmentsKey } from '../attachments/attachment-keys.ts'
import type { Contents } from '../contents/contents.ts'
import { originalKey } from '../originals/original-key.ts'
import type { Cache } from '../store/cache.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { isCopyOf } from '../store/same-message.ts'
import type { KeptEmail } from '../store/emails.ts'
import type { TouchedThreads } from '../store/touched-threads.ts'

const LISTS = ['received', 'sent'] as const
type AccountList = (typeof LISTS)[number]

/** What has gone with a thread. */
export interface DeletedThread {
  readonly emails: number
  readonly touched: TouchedThreads
  /** The account's own lists from which something went with it. */
  readonly lists: ReadonlySet<AccountList>
}

/**
 * Deletes for good what only this computer has: texts, index entries, originals, attachments. Each call is one write: after an
 * end at any moment the mail is whole, or it is gone.
 */
export interface KeptDeletion {
  /** @returns null where the platform has the thread, or it is not here: nothing is deleted then */
  readonly thread: (inbox: InboxRef, threadId: string) => DeletedThread | null
  /** An e-mail of one of the account's own lists. @returns false as `thread` has null */
  readonly email: (list: AccountList, id: string) => boolean
}

export const createKeptDeletion = (cache: Cache, contents: Pick<Contents, 'release'>): KeptDeletion => {
  const storeOf = { received: cache.receivedEmails, sent: cache.sentEmails } as const

  /** Forgets the files of an e-mail, unless another list still has it: those of one ID are the same. */
  const releaseFiles = (emailId: string, list: 'threads' | AccountList): (() => void) => {
    const of = { list, emailId }
    const isElsewhere = cache.deleted.isAnywhere(emailId)
    const { ofAll, ofOne } = attachmentKeysOf(of)
    const beginnings = [ofOne, carriedKeysOf(of), ...(isElsewhere ? [] : [ofAll])]
    return contents.release([
      ...beginnings.flatMap((beginning) => cache.contents.keysBeginningWith(beginning)),
      ...(isElsewhere ? [] : [originalKey(emailId)]),
      ...(list === 'sent' ? [sentAttachmentsKey(emailId)] : []),
    ])
  }

  /** Removes an e-mail of the account's own list. @returns null where the platform has it, or it is not there */
  const removeFrom = (list: AccountList, id: string, isKnownGone: boolean): (() => void) | null => {
    if (!storeOf[list].remove(id, isKnownGone)) return null
    cache.deleted.add({ list, id })
    return releaseFiles(id, list)
  }

  /** What the account's own lists call an e-mail of a thread, which platforms may name otherwise there. */
  const namesOf = (list: AccountList, id: string, email: KeptEmail | undefined): readonly string[] => {
    const copies = email === undefined ? [] : storeOf[list].withMessageId(email.messageId ?? '', email.receivedAt)
    return [id, ...copies.filter((copy) => copy.id !== id && email && isCopyOf(copy, email)).map((copy) => copy.id)]
  }

  const write = <Value>(work: (after: (() => void)[]) => Value): Value => {
    const after: (() => void)[] = []
    const value = cache.deleted.thoroughly(() => cache.together(() => work(after)))
    for (const removeFiles of after) removeFiles()
    return value
  }

  return {
    thread: (inbox, threadId) => {
      if (cache.threads.standing(inbox, threadId)?.onServer !== false) return null
      return write((after) => {
        const removed = cache.emails.removeAll(inbox, threadId)
        const touched = cache.threads.remove(inbox, threadId)
        if (touched === null) throw new Error('A thread that the platform has is not deleted here.')
        cache.deleted.add({ list: 'threads', inboxId: inbox.id, id: threadId })
        const lists = new Set<AccountList>()
        for (const { id, email } of removed) {
          // Another inbox of the account may have the same e-mail, as where one wrote to the other.
          if (!cache.deleted.isInThread(id)) {
            for (const list of LISTS) {
              for (const name of namesOf(list, id, email)) {
                const removeFiles = removeFrom(list, name, true)
                if (removeFiles === null) continue
                lists.add(list)
                after.push(removeFiles)
              }
            }
          }
          after.push(releaseFiles(id, 'threads'))
        }
        return { emails: removed.length, touched, lists }
      })
    },
    email: (list, id) =>
      write((after) => {
        const removeFiles = removeFrom(list, id, false)
        if (removeFiles !== null) after.push(removeFiles)
        return removeFiles !== null
      }),
  }
}
