// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { TypedSearchEntry } from '../../../src/renderer/features/search/search-routes.ts'
import { RouteManager } from '../../../src/renderer/kernel/route-manager.svelte.ts'

const arrived = (): Promise<unknown> =>
  new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))

describe('window address', () => {
  it('keeps the target of a link followed during a replace', async () => {
    const route = new RouteManager()
    const event = arrived()
    // Like a link: the address changes before any event.
    location.hash = '#/contacts'
    expect(route.current.view).not.toBe('contacts')
    route.replace({ view: 'received', id: null })
    await event
    expect(route.current).toEqual({ view: 'contacts', id: null })
    expect(location.hash).toBe('#/contacts')
  })

  it('follows the window and the user, and goes back through the user’s steps only', async () => {
    const route = new RouteManager()
    route.replace({ view: 'settings' })
    route.go({ view: 'contacts', id: null })
    route.replace({ view: 'contacts', id: 'contact-1' })
    expect(route.current).toEqual({ view: 'contacts', id: 'contact-1' })
    await arrived()
    const back = arrived()
    history.back()
    await back
    expect(route.current).toEqual({ view: 'settings' })
  })

  it('keeps the same route object when its own event arrives', async () => {
    const route = new RouteManager()
    const event = arrived()
    route.go({ view: 'folder', inboxId: 'i', folder: 'inbox', threadId: null })
    const { current } = route
    await event
    expect(route.current).toBe(current)
  })

  it('remembers where a search started', () => {
    const route = new RouteManager()
    const search = (query: string) => ({ view: 'search', inboxId: 'i', query, threadId: null }) as const
    const contacts = { view: 'contacts', id: null } as const
    route.replace(contacts)
    route.replace(search('f'))
    route.replace(search('fog'))
    route.replace({ ...search('fog'), threadId: 't' })
    expect(route.beforeSearch).toEqual(contacts)
    route.replace({ view: 'settings' })
    route.replace(search('gull'))
    expect(route.beforeSearch).toEqual({ view: 'settings' })
  })
})

describe('window address while typing a search', () => {
  const search = (query: string) => ({ view: 'search', inboxId: 'i', query, threadId: null }) as const
  const inbox = { view: 'folder', inboxId: 'i', folder: 'inbox', threadId: null } as const
  afterEach(() => vi.useRealTimers())

  /** Types a word, starting in the inbox. */
  const typeWord = (word: string): RouteManager => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const route = new RouteManager()
    route.go(inbox)
    for (let end = 1; end <= word.length; end += 1) route.type(search(word.slice(0, end)), end === 1)
    return route
  }

  it('changes once, after a pause', () => {
    const before = history.length
    const route = typeWord('fog')
    expect(route.current).toEqual(search('fog'))
    expect(location.hash).not.toContain('fog')
    vi.runAllTimers()
    expect(location.hash).toContain('fog')
    expect(history.length - before).toBeLessThanOrEqual(2)
  })

  it('goes back to the earlier view right after a keystroke', async () => {
    const route = typeWord('fog')
    const back = arrived()
    route.back()
    await back
    await vi.waitFor(() => expect(route.current).toEqual(inbox))
  })

  it('has the whole word in the entry before an opened thread', async () => {
    const route = typeWord('fog')
    route.go({ ...search('fog'), threadId: 't' })
    expect(location.hash).toContain('t')
    route.back()
    await vi.waitFor(() => expect(route.current).toEqual(search('fog')))
  })

  it('is written before the page unloads', () => {
    typeWord('fog')
    dispatchEvent(new Event('pagehide'))
    expect(location.hash).toContain('fog')
  })

  it('becomes the search typed after a link, and clearing it returns to the link’s target', async () => {
    const route = typeWord('fog')
    const typed = new TypedSearchEntry(route)
    const event = arrived()
    location.hash = '#/contacts'
    typed.show(search('g'))
    await event
    expect(route.current).toEqual(search('g'))
    vi.runAllTimers()
    expect(location.hash).toContain('g')
    typed.showBefore()
    expect(route.current).toEqual({ view: 'contacts', id: null })
  })

  it('keeps the target of a link followed meanwhile', async () => {
    const route = typeWord('fog')
    const event = arrived()
    location.hash = '#/contacts'
    vi.runAllTimers()
    await event
    expect(location.hash).toBe('#/contacts')
    await vi.waitFor(() => expect(route.current).toEqual({ view: 'contacts', id: null }))
  })
})
