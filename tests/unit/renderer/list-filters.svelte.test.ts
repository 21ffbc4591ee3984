// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { toggleFilter } from '../../../src/renderer/features/thread-list/list-filters.ts'
import { INBOX } from './support/fixture-mail.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

describe('a list filter', () => {
  it('narrows a folder, a tab and a label to a search within them', async () => {
    const { session, shell } = await openWindow(inbox(null), ending.signal)
    const queryAt = async (route: Parameters<typeof session.threads.show>[0]) => {
      session.threads.show(route, { labels: [], me: ['Ada'] })
      await until(() => session.threads.rows?.phase === 'ready')
      return session.threads.rows?.query
    }
    const { id: inboxId } = INBOX
    expect(await queryAt({ view: 'folder', inboxId, folder: 'archive', only: 'unread' })).toMatchObject({
      ...{ folders: ['archive'], read: false, hasAttachment: null },
    })
    expect(await queryAt({ view: 'folder', inboxId, folder: 'inbox', tab: 'is:person', only: 'files' })).toMatchObject({
      folders: ['inbox'],
      kinds: ['person'],
      hasAttachment: true,
    })
    expect(await queryAt({ view: 'label', inboxId, labelId: 'label-2', only: 'starred' })).toMatchObject({
      ...{ folders: null, labelIds: ['label-2'], marks: ['starred'] },
    })
    expect(await queryAt({ view: 'folder', inboxId, folder: 'inbox', only: 'mine' })).toMatchObject({ assignedTo: [] })
    expect(shell.route.current).toMatchObject({ view: 'folder', folder: 'inbox' })
  })

  it('is taken off by choosing it again, and replaced by another', () => {
    const unread = toggleFilter(inbox('thread-1'), 'unread')
    expect(unread).toMatchObject({ folder: 'inbox', only: 'unread', threadId: null })
    if (unread === null) return
    expect(toggleFilter(unread, 'files')).toMatchObject({ only: 'files' })
    expect(toggleFilter(unread, 'unread')).toEqual(inbox(null))
    expect(toggleFilter({ view: 'search', inboxId: INBOX.id, query: 'a', threadId: null }, 'unread')).toBeNull()
  })
})
