// @vitest-environment jsdom
import { afterEach, expect, it } from 'vitest'
import StoredMail from '../../../src/renderer/features/settings/StoredMail.svelte'
import type { StoredMailState } from '../../../src/shared/stored-mail.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

afterEach(() => document.body.replaceChildren())
const ending = endAfterEach()

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
  expect(target.querySelectorAll('[role="group"]:has([type="radio"])')).toHaveLength(2)
})
