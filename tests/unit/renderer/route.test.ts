import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRoute, parseRoute, type Route } from '../../../src/renderer/kernel/route.ts'
import { FOLDERS } from '../../../src/shared/model.ts'

const id = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
const threadId = fc.option(id, { nil: null })
const query = fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }).filter((text) => text.trim() === text)
const route: fc.Arbitrary<Route> = fc.oneof(
  fc.constant<Route>({ view: 'start' }),
  fc.constant<Route>({ view: 'settings' }),
  fc.record({ view: fc.constant('write' as const), draftId: id }),
  fc.record({ view: fc.constant('folder' as const), inboxId: id, folder: fc.constantFrom(...FOLDERS), threadId }),
  fc.record({
    ...{ view: fc.constant('folder' as const), inboxId: id, folder: fc.constant('inbox' as const), threadId },
    tab: query,
  }),
  fc.record({ view: fc.constant('label' as const), inboxId: id, labelId: id, threadId }),
  fc.record({ view: fc.constant('search' as const), inboxId: id, query, threadId }),
  fc.record({ view: fc.constantFrom('received' as const, 'sent' as const, 'contacts' as const), id: threadId }),
  fc.record({ view: fc.constantFrom('received' as const, 'sent' as const), id: threadId, query }),
)

describe('the address of the window', () => {
  it('is read back as the route that it was written from, whatever characters are in it', () => {
    fc.assert(
      fc.property(route, (given) => {
        expect(parseRoute(formatRoute(given))).toEqual(given)
      }),
    )
  })

  it('is written as people have linked to it', () => {
    expect(formatRoute({ view: 'folder', inboxId: 'a', folder: 'archive', threadId: 't' })).toBe(
      '#/inboxes/a/archive/threads/t',
    )
    expect(formatRoute({ view: 'label', inboxId: 'a', labelId: 'l', threadId: null })).toBe('#/inboxes/a/labels/l')
    expect(formatRoute({ view: 'onlyHere', inboxId: 'a', threadId: 't' })).toBe('#/inboxes/a/only-here/threads/t')
    expect(parseRoute('#/inboxes/a/only-here')).toEqual({ view: 'onlyHere', inboxId: 'a', threadId: null })
    expect(formatRoute({ view: 'search', inboxId: 'a', query: 'red hat', threadId: 't' })).toBe(
      '#/inboxes/a/search?query=red+hat&thread=t',
    )
    expect(formatRoute({ view: 'folder', inboxId: 'a', folder: 'inbox', tab: 'is:newsletter', threadId: 't' })).toBe(
      '#/inboxes/a/inbox/threads/t?tab=is%3Anewsletter',
    )
    expect(formatRoute({ view: 'received', id: 'r', query: 'red hat' })).toBe('#/received/r?query=red+hat')
    expect(formatRoute({ view: 'contacts', id: 'c' })).toBe('#/contacts/c')
  })

  it('leads to the start where it cannot be read', () => {
    const long = `#/inboxes/a/search?query=${'&'.repeat(1_000_000)}`
    for (const hash of ['', '#', '#/', '#/nowhere', '#/inboxes', '#/inboxes/%E0%A4%A', '#/contacts//', long]) {
      expect(parseRoute(hash)).toEqual({ view: 'start' })
    }
  })

  it('leads to the inbox where the folder is unknown or the search is empty', () => {
    const inbox = { view: 'folder', inboxId: 'a', folder: 'inbox', threadId: null }
    expect(parseRoute('#/inboxes/a')).toEqual(inbox)
    expect(parseRoute('#/inboxes/a/snoozed')).toEqual(inbox)
    expect(parseRoute('#/inboxes/a/search?query=+')).toEqual(inbox)
    expect(parseRoute('#/inboxes/a/inbox?tab=+')).toEqual(inbox)
    // Tabs are over the inbox alone.
    expect(parseRoute('#/inboxes/a/trash?tab=is:robot')).toEqual({ ...inbox, folder: 'trash' })
  })
})
