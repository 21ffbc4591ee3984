import { createRecentMap } from '../timing/recent-map.ts'
import { createSharedCalls } from '../timing/share-calls.ts'
import { ALL_CONTACTS } from '../../shared/contact-query.ts'
import type { DomainHandlers } from '../../shared/contract.ts'
import type { Person } from '../../shared/people.ts'
import type { OpenAccount } from '../account.ts'
import type { BackgroundPart } from '../account-background.ts'
import type { MailPart } from '../account-mail.ts'
import type { OwnPart } from '../account-own.ts'
import type { PlatformPart } from '../account-platform.ts'
import { buildSuppressionChange } from '../own/outbox/changes/suppression.ts'
import type { CallOptions } from '../platform/requests.ts'
import { withMessage } from '../platform/problem.ts'
import { listKey } from '../store/search-index/thread-order.ts'
import { matchesTypedText, toPersonSearchText } from '../store/search-index/searchable-email.ts'
import { rankPeople } from '../store/search-index/suggest-people.ts'
import { canonicalizeAddress } from '../store/canonical-address.ts'
import { readPerson } from '../mail/people/read-person.ts'
import { refreshPerson, type MissingRecords } from '../mail/people/refresh-person.ts'
import type { AddressSuppression } from '../../shared/suppressions.ts'
import { createProblem } from '../../shared/result.ts'

const MAX_CONTACTS = 50

export const createPersonHandlers = (
  { api }: PlatformPart,
  { cache, hub, outbox }: OwnPart,
  { freshness, lists }: BackgroundPart,
  { suppressions }: MailPart,
  { clock, signal }: Pick<OpenAccount, 'clock' | 'signal'>,
): DomainHandlers<'person'> & DomainHandlers<'suppression'> => {
  const get = (address: string): Person => readPerson({ cache, lists, suppressions }, address, freshness)
  const options: CallOptions = { priority: 'screen', signal }
  const missingRecords: MissingRecords = createRecentMap(1_000)
  /** Requests in flight by address, shared between windows. */
  const shared = createSharedCalls<unknown>()

  const refresh = async (address: string, isAskedAgain: boolean): Promise<void> => {
    const looked = suppressions.refresh([address], options, isAskedAgain)
    await refreshPerson({ cache, platform: api, hub, outbox, clock }, address, {
      missingRecords,
      isAskedAgain,
      freshness,
      options,
    })
    await looked
  }

  const suppressionsOf = (addresses: readonly string[]): readonly AddressSuppression[] =>
    addresses.map((address) => suppressions.of(address, freshness))

  return {
    'person.get': ({ address }) => get(address),
    'person.refresh': async ({ address, again = false }) => {
      const key = canonicalizeAddress(address)
      try {
        await shared(key, () => refresh(address, again))
      } catch (thrown) {
        const { topics } = get(address)
        throw withMessage(thrown, {
          unreachable:
            topics === null
              ? 'You are offline, and this person’s topics are not on this computer yet.'
              : 'You are offline. These topics may be out of date.',
        })
      }
      return get(address)
    },
    'person.suggest': ({ typed, limit, ...of }) => {
      const part = typed.trim().toLowerCase()
      if (part === '') return []
      const known = cache.contacts.find({ ...ALL_CONTACTS, typed: part }, { offset: 0, limit: MAX_CONTACTS }).items
      const ids = new Map(known.map(({ id, email }) => [email.toLowerCase(), id]))
      const contacts = known
        .map(({ email, firstName, lastName }) => ({
          name: [firstName, lastName].filter((name) => name !== null && name !== '').join(' '),
          address: email,
        }))
        .filter((person) => matchesTypedText(toPersonSearchText(person), part))
      const correspondents = cache.search.suggestPeople(
        'list' in of ? listKey(of.list) : cache.inboxes.require(of.inboxId).key,
        part,
        limit,
      )
      return rankPeople([...correspondents, ...contacts], part)
        .slice(0, limit)
        .map(({ name, address }) => ({
          name: name === '' ? null : name,
          address,
          contactId: ids.get(address.toLowerCase()) ?? null,
        }))
    },
    'suppression.ofAddresses': ({ addresses }) => suppressionsOf(addresses),
    'suppression.refresh': async ({ addresses }) => {
      await suppressions.refresh(addresses, options)
      return suppressionsOf(addresses)
    },
    'suppression.remove': ({ address }) => {
      if (suppressions.of(address, freshness).suppression === null) {
        throw createProblem('invalid_input', 'This address is not on the suppression list. Nothing was changed.')
      }
      return { changeId: outbox.change([buildSuppressionChange(canonicalizeAddress(address), false)]) }
    },
  }
}
