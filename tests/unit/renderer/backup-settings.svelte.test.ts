// @vitest-environment jsdom
import { expect, it } from 'vitest'
import BackupSettings from '../../../src/renderer/features/settings/BackupSettings.svelte'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

it('backs up when the button is pressed before the backup state has loaded', async () => {
  const told = Promise.withResolvers<undefined>()
  const made: string[] = []
  let folder: string | null = null
  const opened = await openWindow(inbox(null), ending.signal, {
    'backup.state': async () => {
      await told.promise
      return { schedule: 'off', keep: 7, folder, last: null, running: null }
    },
    'backup.setSchedule': (wanted) => {
      folder = wanted.folder
      return null
    },
    'backup.now': () => {
      made.push(folder ?? 'nowhere')
      return { at: 0, directory: '/backups/Linnet', bytes: 1_000, files: 3 }
    },
  })
  const { target, settle } = await renderScreen(opened, BackupSettings, ending.signal)
  const field = target.querySelector<HTMLInputElement>('input[type="text"], input:not([type])')
  if (field === null) throw new Error('there is no field')
  field.value = '/backups'
  field.dispatchEvent(new Event('input', { bubbles: true }))
  await settle()
  const button = [...target.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Back up now'))
  button?.click()
  await settle()
  told.resolve(undefined)
  await until(() => made.length > 0)
  expect(made).toEqual(['/backups'])
})
