import type { WithThread, ThreadOfEmail } from '../../shared/model.ts'
import type { Cache } from '../store/cache.ts'

interface Needs {
  readonly cache: Cache
}

type List = 'received' | 'sent'

/** True if all e-mails of all threads are stored, so an e-mail found in none of them has no thread. */
const areThreadsKnown = ({ cache }: Needs): boolean =>
  cache.search.countUnindexed() === 0 &&
  cache.inboxes.all().every(({ key }) => {
    const { emails, of } = cache.search.extent(key)
    return emails >= of
  })

/** Uses only the cache. @returns a lookup for the e-mails of a single response */
export const createThreadLookup = (account: Needs, list: List) => {
  const { cache } = account
  const store = list === 'received' ? cache.receivedEmails : cache.sentEmails
  let areKnown: boolean | null = null
  return (email: {
    readonly id: string
    readonly from: string
    readonly subject: string | null
  }): ThreadOfEmail | 'unknown' | null => {
    const found = cache.threadFinder.threadOf(list, { ...email, messageId: store.messageIdOf(email.id) })
    const thread = found && cache.threads.get(found.inbox, found.threadId)
    if (found !== undefined && thread !== undefined) return { thread, emailId: found.emailId }
    areKnown ??= areThreadsKnown(account)
    return areKnown ? null : 'unknown'
  }
}

export const withThread = <
  Email extends { readonly id: string; readonly from: string; readonly subject: string | null },
>(
  account: Needs,
  list: List,
  email: Email,
): WithThread<Email> => ({ ...email, inThread: createThreadLookup(account, list)(email) })
