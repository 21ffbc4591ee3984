import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALL_CONTACTS, type ContactQuery } from '../../../../src/shared/contact-query.ts'
import type { PendingContact } from '../../../../src/engine/store/contacts.ts'
import { contactOf } from '../../../support/raw-payloads.ts'
import { bestTimeOf } from '../../../support/growth.ts'
import { openTestCache } from '../support/open-test-cache.ts'

const createdAt = (index: number): string => new Date(Date.UTC(2026, 0, 1) - index * 60_000).toISOString()
const EVERYBODY = { offset: 0, limit: 200 }

const PEOPLE = [
  {
    id: 'c0',
    email: 'zoe@harbour.example',
    first_name: 'Zoë',
    last_name: 'Ångström',
    properties: { plan_name: 'Pier' },
  },
  { id: 'c1', email: 'Ann@mail.example', first_name: 'ann', last_name: null, unsubscribed: true },
  { id: 'c2', email: 'boat10@mail.example', properties: { seats: { value: 40, type: 'number' }, note: null } },
  { id: 'c3', email: 'boat9@mail.example', first_name: ' ', properties: { city: 'Ann Arbor' } },
  { id: 'c4', email: 'bob@mail.example', first_name: 'Bob', last_name: 'Ann', unsubscribed: false },
]

const openPeople = () => {
  const { cache, pending } = openTestCache()
  cache.contacts.storePage(
    PEOPLE.map((person, index) => contactOf({ ...person, created_at: createdAt(index) })),
    1,
  )
  const find = (query: Partial<ContactQuery>) =>
    cache.contacts.find({ ...ALL_CONTACTS, ...query }, EVERYBODY).items.map(({ id }) => id)
  return { cache, find, pending }
}

describe('local contact search', () => {
  it.each([
    ['ann', ['c1', 'c3', 'c4']],
    ['ANGSTROM zoe', ['c0']],
    ['mail.example boat', ['c2', 'c3']],
    ['plan_name', ['c0']],
    ['plan name pier', ['c0']],
    ['seats 40', ['c2']],
    ['null', []],
    ['harbour ann', []],
    ['  ', ['c0', 'c1', 'c2', 'c3', 'c4']],
  ])('finds for %j those with each part in their name, address or a property', (typed, ids) => {
    expect(openPeople().find({ typed })).toEqual(ids)
  })

  it('filters by subscribed, unsubscribed or both', () => {
    const { find } = openPeople()
    expect(find({ subscription: 'unsubscribed' })).toEqual(['c1'])
    expect(find({ subscription: 'subscribed', typed: 'ann' })).toEqual(['c3', 'c4'])
  })

  it('sorts by name or else address, or by address alone', () => {
    const { find } = openPeople()
    expect(find({ order: 'name' })).toEqual(['c1', 'c3', 'c2', 'c4', 'c0'])
    expect(find({ order: 'address' })).toEqual(['c1', 'c2', 'c3', 'c4', 'c0'])
  })

  it('follows updates, new contacts and removals', () => {
    const { cache, find } = openPeople()
    expect(find({ typed: 'kite' })).toEqual([])
    const changed = [
      contactOf({ id: 'c4', email: 'bob@mail.example', last_name: 'Kite', created_at: createdAt(4) }),
      contactOf({ id: 'c5', email: 'kite@mail.example', created_at: createdAt(5) }),
    ]
    cache.contacts.storePage(changed, 2)
    expect(find({ typed: 'kite' })).toEqual(['c4', 'c5'])
    cache.contacts.removeMissing(3)
    expect(find({ typed: 'kite' })).toEqual([])
  })

  it.each(['ann arbor', 'zoë ang', 'boat1', 'mail.example bo', '각'])(
    'finds the same letter by letter as at once: %s',
    (typed) => {
      const { find } = openPeople()
      for (let end = 1; end <= typed.length; end += 1) {
        const letters = typed.slice(0, end)
        expect(find({ typed: letters }), letters).toEqual(openPeople().find({ typed: letters }))
      }
    },
  )

  it('keeps its order through changes, additions and removals', () => {
    const { cache, find } = openPeople()
    const orders = ['newest', 'name', 'address'] as const
    for (const order of orders) find({ order })
    cache.contacts.storePage(
      [
        contactOf({ id: 'c2', email: 'aaa@mail.example', first_name: 'Zz', created_at: createdAt(2) }),
        contactOf({ id: 'c7', email: 'kite@mail.example', created_at: createdAt(3) }),
        contactOf({ id: 'c8', email: 'kite2@mail.example', created_at: createdAt(-1) }),
      ],
      2,
    )
    cache.contacts.remove('c1')
    const changed = orders.map((order) => find({ order }))
    expect(changed[0]).toEqual(['c8', 'c0', 'c2', 'c7', 'c3', 'c4'])
    cache.contacts.removeMissing(0)
    expect(orders.map((order) => find({ order }))).toEqual(changed)
    expect(find({ order: 'newest' })).toEqual(cache.contacts.idsOf(ALL_CONTACTS))
  })

  it('restores the previous state if a write of several rows rolls back', () => {
    const { cache, find } = openPeople()
    expect(() =>
      cache.inTransaction(() => {
        cache.contacts.storePage([contactOf({ id: 'c6', email: 'kite@mail.example', created_at: createdAt(6) })], 2)
        expect(find({ typed: 'kite' })).toEqual(['c6'])
        throw new Error('the disk is full')
      }),
    ).toThrow('the disk is full')
    expect(find({ typed: 'kite' })).toEqual([])
  })

  it('returns windows that add up to the complete result, for any query', () => {
    const { cache } = openPeople()
    const query = fc.record<ContactQuery>({
      typed: fc.constantFrom('', 'a', 'mail', 'ann', 'x'),
      subscription: fc.constantFrom('all', 'subscribed', 'unsubscribed'),
      order: fc.constantFrom('newest', 'name', 'address'),
    })
    fc.assert(
      fc.property(query, fc.integer({ min: 1, max: 6 }), (asked, limit) => {
        const whole = cache.contacts.find(asked, EVERYBODY)
        const pieces = Array.from({ length: 6 }, (_, page) =>
          cache.contacts.find(asked, { offset: page * limit, limit }),
        )
        expect(pieces.flatMap(({ items }) => items)).toEqual(whole.items)
        expect(pieces.every(({ total }) => total === whole.items.length)).toBe(true)
      }),
      { seed: 5, numRuns: 60 },
    )
  })

  it('finds each contact about equally fast, however many there are', async () => {
    const timeOf = async (count: number): Promise<{ first: number; typed: number; again: number }> => {
      const { cache } = openTestCache()
      const some = Array.from({ length: count }, (_, index) =>
        contactOf({
          id: `c${index}`,
          email: `person${index}@mail.example`,
          first_name: `Person ${index % 97}`,
          last_name: `of ${index % 89}`,
          properties: { plan: 'Pier', seats: index, city: 'Harbour town' },
          created_at: createdAt(index),
        }),
      )
      for (let at = 0; at < count; at += 100) cache.contacts.storePage(some.slice(at, at + 100), 1)
      const first = await bestTimeOf(() => cache.contacts.find({ ...ALL_CONTACTS, order: 'name' }, EVERYBODY), 1)
      let letters = 0
      const typed = await bestTimeOf(() => {
        letters += 1
        return cache.contacts.find({ ...ALL_CONTACTS, typed: `person ${letters}`, order: 'name' }, EVERYBODY)
      }, 5)
      const again = await bestTimeOf(() => {
        cache.contacts.storePage(some.slice(0, 1), 1)
        cache.contacts.find({ ...ALL_CONTACTS, typed: 'person 1', order: 'name' }, EVERYBODY)
      }, 3)
      return { first, typed, again }
    }
    const [few, many] = [await timeOf(1_250), await timeOf(5_000)]
    // Four times the contacts take at most eight times as long: sorting, plus a busy machine.
    expect(many.first).toBeLessThan(8 * Math.max(few.first, 10))
    expect(many.typed).toBeLessThan(8 * Math.max(few.typed, 5))
    expect(many.again).toBeLessThan(8 * Math.max(few.again, 10))
  })
})

describe('stored contacts with pending changes', () => {
  const NOTHING: PendingContact = { isBeingDeleted: false, made: null, change: {}, segments: new Map() }
  const kite = { email: 'Kite@mail.example', firstName: 'Kite', lastName: null }

  it('show an edit in every list until it is settled, whatever the platform lists', () => {
    const { cache, find, pending } = openPeople()
    pending.contacts.set('c4', { ...NOTHING, change: { firstName: 'Kite', unsubscribed: true } })
    cache.contacts.project(['c4'])
    const expectShown = (): void => {
      expect(find({ typed: 'kite' })).toEqual(['c4'])
      expect(find({ typed: 'bob ann' })).toEqual(['c4'])
      expect(find({ subscription: 'unsubscribed' })).toEqual(['c1', 'c4'])
      expect(find({ order: 'name' })).toEqual(['c1', 'c3', 'c2', 'c4', 'c0'])
      expect(cache.contacts.lookUp('BOB@mail.example')).toMatchObject({ firstName: 'Kite', lastName: 'Ann' })
    }
    expectShown()
    cache.contacts.storePage([contactOf({ ...PEOPLE[4], last_name: 'Ann', more: 1, created_at: createdAt(4) })], 2)
    expectShown()
    expect(cache.contacts.server('c4')).toMatchObject({ firstName: 'Bob', unsubscribed: false })
    pending.contacts.delete('c4')
    cache.contacts.project(['c4'])
    expect(find({ typed: 'kite' })).toEqual([])
    expect(find({ typed: 'bob ann' })).toEqual(['c4'])
  })

  it('are hidden while their deletion is pending', () => {
    const { cache, find, pending } = openPeople()
    pending.contacts.set('c1', { ...NOTHING, isBeingDeleted: true })
    cache.contacts.project(['c1'])
    expect(find({})).toEqual(['c0', 'c2', 'c3', 'c4'])
    expect(cache.contacts.lookUp('c1')).toBeNull()
    expect(cache.contacts.lookUp('ann@mail.example')).toBeNull()
    expect(cache.contacts.get('c1')).toMatchObject({ firstName: 'ann' })
    pending.contacts.delete('c1')
    cache.contacts.project(['c1'])
    expect(find({})).toEqual(['c0', 'c1', 'c2', 'c3', 'c4'])
  })

  it('come first in every order until the platform has them', () => {
    const { cache, find, pending } = openPeople()
    for (const id of ['kite@mail.example', 'zz@mail.example']) {
      pending.contacts.set(id, { ...NOTHING, made: { ...kite, email: id } })
      cache.contacts.project([id])
    }
    expect(find({}).slice(0, 3)).toEqual(['zz@mail.example', 'kite@mail.example', 'c0'])
    for (const order of ['name', 'address'] as const) {
      expect(find({ order }).slice(0, 3)).toEqual(['kite@mail.example', 'zz@mail.example', 'c1'])
    }
    expect(cache.contacts.lookUp('zz@mail.example')).toMatchObject({ firstName: 'Kite', createdAt: null })
    expect(cache.contacts.has('zz@mail.example')).toBe(false)
    // A complete crawl doesn't remove them.
    cache.contacts.removeMissing(1)
    pending.contacts.delete('zz@mail.example')
    cache.contacts.project(['zz@mail.example'])
    expect(find({}).slice(0, 2)).toEqual(['kite@mail.example', 'c0'])
  })

  it('are listed once if the platform turns out to have the address of a new one', () => {
    const { cache, find, pending } = openPeople()
    pending.contacts.set('kite@mail.example', { ...NOTHING, made: kite })
    cache.contacts.project(['kite@mail.example'])
    cache.contacts.storePage([contactOf({ id: 'c9', email: 'kite@mail.example', created_at: createdAt(9) })], 1)
    expect(find({ typed: 'kite' })).toEqual(['c9'])
    expect(cache.contacts.lookUp('c9')).not.toHaveProperty('isDuplicate')
    expect(cache.contacts.lookUp('kite@mail.example')).toMatchObject({ id: 'c9' })
    cache.contacts.remove('c9')
    expect(find({ typed: 'kite' })).toEqual(['kite@mail.example'])
  })

  it('join and leave segments at once', () => {
    const { cache, find, pending } = openPeople()
    cache.segments.met('pilots', ['c0', 'c1'], 1)
    pending.contacts.set('c0', { ...NOTHING, segments: new Map([['pilots', false]]) })
    pending.contacts.set('c2', { ...NOTHING, segments: new Map([['pilots', true]]) })
    cache.contacts.project(['c0', 'c2'])
    expect(find({ segmentId: 'pilots' })).toEqual(['c1', 'c2'])
    // Another crawl finds what the platform still has.
    cache.segments.met('pilots', ['c0', 'c1'], 2)
    cache.segments.endWalk('pilots', 2)
    expect(find({ segmentId: 'pilots' })).toEqual(['c1', 'c2'])
    expect([...cache.segments.idsOf('c0')]).toEqual(['pilots'])
    expect([...cache.segments.idsOf('c2')]).toEqual([])
    expect(cache.segments.ofContact('c2')?.segments).toEqual([{ id: 'pilots', name: 'pilots' }])
    pending.contacts.clear()
    cache.contacts.project(['c0', 'c2'])
    expect(find({ segmentId: 'pilots' })).toEqual(['c0', 'c1'])
    cache.segments.met('pilots', ['c1'], 3)
    cache.segments.endWalk('pilots', 3)
    expect(find({ segmentId: 'pilots' })).toEqual(['c1'])
  })
})
