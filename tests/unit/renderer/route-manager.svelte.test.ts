// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { RouteManager } from '../../../src/renderer/kernel/route-manager.svelte.ts'

const arrived = (): Promise<unknown> =>
  new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))

describe('the address of a window', () => {
  it('stays where a link has led while a step of the window’s own was under way', async () => {
    const route = new RouteManager()
    const event = arrived()
    // As a link does: the address is another one before anybody is told.
    location.hash = '#/contacts'
    expect(route.current.view).not.toBe('contacts')
    route.replace({ view: 'received', id: null })
    await event
    expect(route.current).toEqual({ view: 'contacts', id: null })
    expect(location.hash).toBe('#/contacts')
  })

  it('follows the steps of the window and of the person, and goes back over those of the person alone', async () => {
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

  it('is the very same when the event of a step of the window’s own comes: whoever waits for something there is still there', async () => {
    const route = new RouteManager()
    const event = arrived()
    route.go({ view: 'folder', inboxId: 'i', folder: 'inbox', threadId: null })
    const { current } = route
    await event
    expect(route.current).toBe(current)
  })

  it('remembers where a search was begun, whatever is searched for meanwhile (W13)', () => {
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
