// @vitest-environment jsdom
import { expect, it } from 'vitest'
import ConversationPane from '../../../src/renderer/features/reader/ConversationPane.svelte'
import type { HistoryEntry } from '../../../src/shared/contract.ts'
import type { Thread } from '../../../src/shared/model.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { fixtureEmails, fixtureThreads, INBOX } from './support/fixture-mail.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

/** A read thread of two messages, an hour apart. @param history read at each opening */
const openThread = async (history: (thread: Thread) => readonly HistoryEntry[]) => {
  const [first] = fixtureThreads(1)
  if (first === undefined) throw new Error('one thread was asked for')
  const thread = { ...first, emailCount: 2, read: true }
  // Without HTML, which jsdom can't show in a frame.
  const emails = fixtureEmails(thread).map((email) => ({ ...email, html: null }))
  const opened = await openWindow(inbox(thread.id), ending.signal, {
    'thread.open': () => {
      const known = history(thread)
      return {
        ...{ thread, emails, freshness: { state: 'live', at: 0 } },
        ...(known.length > 0 && { history: known }),
      }
    },
  })
  const { target } = await renderScreen(opened, ConversationPane, ending.signal)
  await until(() => target.querySelectorAll('article').length === 2)
  return { ...opened, target, thread }
}

const moved = (at: number, to: string): HistoryEntry => ({ kind: 'moved', by: 'agent', at, to })

const textsOf = (target: HTMLElement): readonly string[] =>
  [...target.querySelectorAll('article, .changes li')].map((element) =>
    element.matches('article') ? 'message' : (element.querySelector('span')?.textContent ?? ''),
  )

it('shows changes between the messages, without taking the focus', async () => {
  const { target } = await openThread(({ receivedAt }) => [
    moved(receivedAt - 60_000, 'archive'),
    moved(receivedAt + 60_000, 'trash'),
  ])
  expect(textsOf(target)).toEqual(['message', 'Archived by the agent', 'message', 'Moved to Trash by the agent'])
  const lists = [...target.querySelectorAll('ul[aria-label="Changes"]')]
  expect(lists).toHaveLength(2)
  for (const list of lists) expect(list.querySelector('button, a, [tabindex]')).toBeNull()
})

it('shows nothing for a thread without known changes', async () => {
  const { target } = await openThread(() => [])
  expect(target.querySelector('.changes')).toBeNull()
})

it('folds all but the newest two of more than four lines', async () => {
  const { target } = await openThread(({ receivedAt }) =>
    Array.from({ length: 12 }, (_, number) =>
      moved(receivedAt + number * 3 * 60_000, number % 2 ? 'inbox' : 'archive'),
    ),
  )
  expect(target.querySelector('.changes summary')?.textContent.trim()).toBe('10 earlier changes')
  expect(target.querySelectorAll('.changes details li')).toHaveLength(10)
  expect(target.querySelectorAll('ul[aria-label="Changes"] li')).toHaveLength(2)
})

it('shows a change once its event is read', async () => {
  let known: readonly HistoryEntry[] = []
  const { target, emit, thread } = await openThread(() => known)
  known = [moved(thread.receivedAt + 60_000, 'archive')]
  emit({ name: 'history.changed', payload: { inboxId: INBOX.id, threadId: 'another' } })
  emit({ name: 'history.changed', payload: { inboxId: INBOX.id, threadId: thread.id } })
  await until(() => textsOf(target).includes('Archived by the agent'))
})
