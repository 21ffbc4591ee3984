import { describe, expect, it } from 'vitest'
import type { FetchedContact } from '../../../../src/engine/platform/resources/contacts.ts'
import type { ListPage } from '../../../../src/engine/platform/requests.ts'
import { EventHub } from '../../../../src/engine/own/event-hub.ts'
import { Capabilities } from '../../../../src/engine/platform/capabilities.ts'
import { AccountListSync } from '../../../../src/engine/sync/account-lists.ts'
import { contactOf } from '../../../support/raw-payloads.ts'
import { openTestCache } from '../support/open-test-cache.ts'
import { partial } from '../../../support/partial.ts'
import { systemClock } from '../../../../src/engine/timing/clock.ts'

const PAGE = 2
/** More contacts than one check for new ones reads. */
const MANY = 25 * PAGE

const person = (name: string): FetchedContact =>
  contactOf({ id: name, email: `${name}@mail.example`, created_at: '2026-01-01T00:00:00Z' })

const unused = (): never => {
  throw new Error('Nobody asks for this.')
}

/** A platform whose contact pages a test can delay. */
const openContacts = async (...names: readonly string[]) => {
  const { cache } = openTestCache()
  const there = names.map(person)
  let held: Promise<void> | null = null
  const pageAfter = (after: string | undefined): ListPage<FetchedContact> => {
    const from = after === undefined ? 0 : there.findIndex(({ id }) => id === after) + 1
    return { items: there.slice(from, from + PAGE), hasMore: from + PAGE < there.length, isWhole: true }
  }
  const lists = new AccountListSync({
    platform: partial({
      listContacts: async ({ after }) => {
        const page = pageAfter(after)
        const answer = held
        held = null
        await answer
        return page
      },
      listInboxes: unused,
      listReceivedEmails: unused,
      getReceivedEmail: unused,
      listSentEmails: unused,
      getSentEmail: unused,
    }),
    cache,
    hub: new EventHub(() => undefined, unused),
    capabilities: new Capabilities(),
    notFound: partial({ inboxExists: unused }),
    presence: partial({ isBack: unused, isGone: unused }),
    syncErrors: { poll: (_list, work) => work() },
    problems: partial({ raise: unused, clear: () => undefined }),
    clock: systemClock,
    signal: new AbortController().signal,
  })
  const walkRound = async (): Promise<void> => {
    while (!(await lists.crawl('contacts', 'sync')).isEnd);
  }
  await walkRound()
  return {
    lists,
    walkRound,
    add: (count: number) => there.unshift(...Array.from({ length: count }, (_, index) => person(`new${index}`))),
    missing: () => there.map(({ id }) => id).filter((id) => !cache.contacts.has(id)),
    /** Delays the next response. @returns a function that releases it */
    holdNext: (): (() => void) => {
      let give = (): void => undefined
      held = new Promise((resolve) => (give = resolve))
      return give
    },
  }
}

describe('a check that can’t read all new contacts', () => {
  it('marks no existing contact as gone, even if its round has ended by then', async () => {
    const { lists, walkRound, add, missing, holdNext } = await openContacts('ann', 'bob', 'kite', 'zoe')
    // Only the last page is left to crawl.
    await lists.crawl('contacts', 'sync')
    add(MANY)
    const answer = holdNext()
    const poll = lists.news('contacts', 'screen')
    expect(await lists.crawl('contacts', 'sync')).toMatchObject({ isEnd: true })
    answer()
    await poll
    expect(lists.isDone('contacts')).toBe(false)
    await walkRound()
    expect([missing(), lists.isDone('contacts')]).toEqual([[], true])
    await walkRound()
    expect(missing()).toEqual([])
  })

  it('restarts the walk, whatever page is still in flight', async () => {
    const { lists, walkRound, add, missing, holdNext } = await openContacts('ann', 'bob', 'kite', 'zoe')
    await lists.crawl('contacts', 'sync')
    add(MANY)
    const answer = holdNext()
    const step = lists.crawl('contacts', 'sync')
    await lists.news('contacts', 'screen')
    answer()
    expect(await step).toMatchObject({ isEnd: false })
    expect(lists.isDone('contacts')).toBe(false)
    await walkRound()
    expect([missing(), lists.isDone('contacts')]).toEqual([[], true])
  })
})
