// @vitest-environment jsdom
import { expect, it } from 'vitest'
import ArrivalSettings from '../../../src/renderer/features/accounts/ArrivalSettings.svelte'
import type { FeedState } from '../../../src/shared/webhooks.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

it.each<readonly [FeedState, string]>([
  [{ kind: 'read', endpoint: 'example.com/hook', readAt: 1 }, 'Instant, through the webhook example.com/hook'],
  [{ kind: 'disabled', endpoint: 'example.com/hook' }, 'The webhook example.com/hook is disabled'],
  [{ kind: 'partial', endpoint: 'example.com/hook', readAt: 1 }, 'lacks some events'],
  [{ kind: 'not offered' }, 'doesn’t offer the log'],
  [{ kind: 'failing', endpoint: null, reason: 'The platform has trouble.' }, 'The platform has trouble.'],
])('says how mail arrives, and why: %j', async (state, text) => {
  const opened = await openWindow(inbox(null), ending.signal, { 'feed.state': () => state })
  const { target } = await renderScreen(opened, ArrivalSettings, ending.signal)
  await until(() => target.textContent.includes(text))
  expect(target.querySelector('form')).toBeNull()
  expect(opened.called('feed.createWebhook')).toEqual([])
})

it('creates a webhook only for an address that the user types', async () => {
  let state: FeedState = { kind: 'none' }
  const opened = await openWindow(inbox(null), ending.signal, {
    'feed.state': () => state,
    'feed.createWebhook': ({ endpoint }) => {
      state = { kind: 'read', endpoint, readAt: 1 }
      return null
    },
  })
  const { target, settle } = await renderScreen(opened, ArrivalSettings, ending.signal)
  await until(() => target.querySelector('form') !== null)
  const field = target.querySelector('input')
  const submit = async (text: string): Promise<void> => {
    if (field !== null) field.value = text
    field?.dispatchEvent(new Event('input', { bubbles: true }))
    await settle()
    target.querySelector('form')?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
    await settle()
  }
  await submit('example.com')
  expect(target.querySelector('[role="alert"]')?.textContent).toContain('https://example.com/hook')
  expect(opened.called('feed.createWebhook')).toEqual([])
  await submit('https://example.com/hook')
  await until(() => target.textContent.includes('Instant'))
  expect(opened.called('feed.createWebhook')).toEqual([{ endpoint: 'https://example.com/hook' }])
})
