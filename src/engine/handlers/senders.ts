import type { DomainHandlers } from '../../shared/contract.ts'
import type { BackgroundPart } from '../account-background.ts'
import type { OwnPart } from '../account-own.ts'
import { parsePerson } from '../store/search-index/searchable-email.ts'
import { stripAddressTag } from '../store/canonical-address.ts'

export const createSenderHandlers = (
  { cache }: OwnPart,
  { authentications }: BackgroundPart,
): DomainHandlers<'sender'> => ({
  'sender.authentication': ({ of }) => authentications.read(of),
  'sender.isNew': ({ of }) => {
    const email =
      of.list === 'threads'
        ? cache.emails.get(cache.inboxes.require(of.inboxId), of.threadId, of.emailId)
        : cache.receivedEmails.get(of.emailId)
    if (of.list === 'sent' || email === undefined) return null
    if ('direction' in email && email.direction === 'outbound') return null
    const address = stripAddressTag(parsePerson(email.from).address.trim().toLowerCase())
    const isOwn = cache.inboxes.all().some(({ inbox }) => stripAddressTag(inbox.emailAddress.toLowerCase()) === address)
    // Without a complete index, earlier mail from this sender may be missed.
    if (isOwn || cache.search.countUnindexed() > 0) return null
    const receivedAt = 'receivedAt' in email ? email.receivedAt : email.createdAt
    const met = { receivedAt, list: of.list }
    const isKnown = [email.from, address].map((from) => cache.search.hasEarlierMail({ ...met, from }))
    return isKnown.includes(true) ? false : isKnown.includes(null) ? null : true
  },
})
