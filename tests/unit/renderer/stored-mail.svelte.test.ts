// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from 'vitest'
import StoredMail from '../../../src/renderer/features/settings/StoredMail.svelte'
import type { StoredMailState } from '../../../src/shared/stored-mail.ts'
import { renderScreen } from './support/draw-screen.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

let ending: AbortController
beforeEach(() => {
  ending = new AbortController()
})
afterEach(() => {
  ending.abort()
  document.body.replaceChildren()
})

it('offers its choices once the storage figures have loaded', async () => {
  const known = Promise.withResolvers<StoredMailState>()
  const opened = await openWindow(inbox(null), ending.signal, { 'keeping.state': () => known.promise })
  const { target, settle } = await renderScreen(opened, StoredMail, ending.signal)
  await settle()
  expect(target.querySelectorAll('input')).toHaveLength(0)
  known.resolve({
    ...{ days: 30, maxBytes: 0, kept: 0, incomplete: 0, localOnly: 0, left: 0, withoutFiles: 0, lost: 0 },
    ...{ bytes: 0, fileBytes: 0, paused: null, depths: [{ days: 30, emails: 2, bytes: null }] },
  })
  await until(() => target.querySelector('dl') !== null)
  expect(target.querySelectorAll('fieldset')).toHaveLength(2)
})
