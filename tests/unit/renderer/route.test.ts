import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRoute, parseRoute, type Route } from '../../../src/renderer/kernel/route.ts'
import { FOLDERS } from '../../../src/shared/model.ts'

const id = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
const threadId = fc.option(id, { nil: null })
const query = fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }).filter((text) => text.trim() === text)
const filter = fc.constantFrom('unread', 'files', 'starred', 'mine')
const route: fc.Arbitrary<Route> = fc.oneof(
  fc.constant<Route>({ view: 'start' }),
  fc.constant<Route>({ view: 'settings' }),
  fc.record({ view: fc.constant('settings' as const), section: id, setting: id }),
  fc.record({ view: fc.constant('settings' as const), section: id }),
  fc.record({ view: fc.constant('write' as const), draftId: id }),
  fc.record({ view: fc.constant('folder' as const), inboxId: id, folder: fc.constantFrom(...FOLDERS), threadId }),
  fc.record({
    ...{ view: fc.constant('folder' as const), inboxId: id, folder: fc.constant('inbox' as const), threadId },
    tab: query,
  }),
  fc.record({ view: fc.constant('label' as const), inboxId: id, labelId: id, threadId }),
  fc.record({ view: fc.constant('label' as const), inboxId: id, labelId: id, threadId, only: filter }),
  fc.record({
    view: fc.constant('folder' as const),
    inboxId: id,
    folder: fc.constantFrom(...FOLDERS),
    threadId,
    only: filter,
  }),
  fc.record({ view: fc.constant('search' as const), inboxId: id, query, threadId }),
  fc.record({ view: fc.constantFrom('received' as const, 'sent' as const, 'contacts' as const), id: threadId }),
  fc.record({ view: fc.constantFrom('received' as const, 'sent' as const), id: threadId, query }),
  fc.record({
    view: fc.constantFrom('drafts' as const, 'waiting' as const, 'scheduled' as const, 'outbox' as const),
    id: threadId,
  }),
  fc.record({ view: fc.constant('shareLinks' as const), id: threadId }),
)

describe('route format', () => {
  it('round-trips with any characters', () => {
    fc.assert(
      fc.property(route, (given) => {
        expect(parseRoute(formatRoute(given))).toEqual(given)
      }),
    )
  })

  it('keeps the published forms', () => {
    expect(formatRoute({ view: 'folder', inboxId: 'a', folder: 'archive', threadId: 't' })).toBe(
      '#/inboxes/a/archive/threads/t',
    )
    expect(formatRoute({ view: 'label', inboxId: 'a', labelId: 'l', threadId: null })).toBe('#/inboxes/a/labels/l')
    expect(formatRoute({ view: 'localOnly', inboxId: 'a', threadId: 't' })).toBe('#/inboxes/a/only-here/threads/t')
    expect(parseRoute('#/inboxes/a/only-here')).toEqual({ view: 'localOnly', inboxId: 'a', threadId: null })
    expect(formatRoute({ view: 'search', inboxId: 'a', query: 'red hat', threadId: 't' })).toBe(
      '#/inboxes/a/search?query=red+hat&thread=t',
    )
    expect(formatRoute({ view: 'folder', inboxId: 'a', folder: 'inbox', tab: 'is:newsletter', threadId: 't' })).toBe(
      '#/inboxes/a/inbox/threads/t?tab=is%3Anewsletter',
    )
    expect(formatRoute({ view: 'received', id: 'r', query: 'red hat' })).toBe('#/received/r?query=red+hat')
    expect(formatRoute({ view: 'contacts', id: 'c' })).toBe('#/contacts/c')
    expect(formatRoute({ view: 'drafts', id: 'd' })).toBe('#/drafts/d')
    expect(formatRoute({ view: 'shareLinks', id: null })).toBe('#/share-links')
    expect(parseRoute('#/write')).toEqual({ view: 'drafts', id: null })
  })

  it('falls back to the start if invalid', () => {
    const long = `#/inboxes/a/search?query=${'&'.repeat(1_000_000)}`
    for (const hash of ['', '#', '#/', '#/nowhere', '#/inboxes', '#/inboxes/%E0%A4%A', '#/contacts//', long]) {
      expect(parseRoute(hash)).toEqual({ view: 'start' })
    }
  })

  it('falls back to the inbox for an unknown folder or empty search', () => {
    const inbox = { view: 'folder', inboxId: 'a', folder: 'inbox', threadId: null }
    expect(parseRoute('#/inboxes/a')).toEqual(inbox)
    expect(parseRoute('#/inboxes/a/snoozed')).toEqual(inbox)
    expect(parseRoute('#/inboxes/a/inbox?only=everything')).toEqual(inbox)
    expect(parseRoute('#/inboxes/a/search?query=+')).toEqual(inbox)
    expect(parseRoute('#/inboxes/a/inbox?tab=+')).toEqual(inbox)
    // Only the inbox has tabs.
    expect(parseRoute('#/inboxes/a/trash?tab=is:robot')).toEqual({ ...inbox, folder: 'trash' })
  })
})
