// @vitest-environment jsdom
import { expect, it } from 'vitest'
import AnswerSettings from '../../../src/renderer/features/accounts/AnswerSettings.svelte'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX } from './support/fixture-mail.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

it('computes answer times on request, and opens the thread that waits longest', async () => {
  const opened = await openWindow(inbox(null), ending.signal, {
    'answer.times': () => ({
      inboxes: [
        {
          inboxId: INBOX.id,
          week: { threads: 0, median: null },
          month: { threads: 31, median: 7_500_000 },
          longest: { threadId: 'thread-7', subject: '<b>Berth</b>', since: Date.now() - 3 * 3_600_000 },
        },
      ],
      waiting: 12,
    }),
  })
  const { target } = await renderScreen(opened, AnswerSettings, ending.signal)
  expect(target.querySelector('dl')).toBeNull()
  target.querySelector('button')?.click()
  await until(() => target.querySelector('dl') !== null)
  expect(target.textContent).toContain('No replies')
  expect(target.textContent).toContain('2 hours 5 minutes (median of 31 replies)')
  expect(target.textContent).toContain('Still loading 12 threads.')
  const link = target.querySelector('a')
  expect(link?.textContent).toBe('<b>Berth</b>')
  expect(link?.getAttribute('href')).toContain(`#/`)
  expect(link?.getAttribute('href')).toContain(INBOX.id)
  expect(link?.getAttribute('href')).toContain('thread-7')
})

it('says why it can’t', async () => {
  const opened = await openWindow(inbox(null), ending.signal, {
    'answer.times': () => {
      throw new Error('the pier is closed')
    },
  })
  const { target } = await renderScreen(opened, AnswerSettings, ending.signal)
  target.querySelector('button')?.click()
  await until(() => target.querySelector('[role="alert"]') !== null)
  expect(target.querySelector('dl')).toBeNull()
})
