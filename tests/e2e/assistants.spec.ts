import type { Locator, Page } from '@playwright/test'
import type { ProposedChange } from '../../src/shared/assistants.ts'
import { asAssistant } from '../support/as-assistant.ts'
import type { Platform } from '../support/platform.ts'
import { runByPalette } from '../support/screens.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, goTo, makeLabels, test, threadOn } from './linnet.ts'

const section = (page: Page): Locator => page.getByRole('region', { name: 'Assistant apps', exact: true })
const folders = (page: Page, { inboxAddress }: Platform): Locator =>
  section(page).getByRole('group', { name: inboxAddress })
const bar = (page: Page): Locator => page.getByRole('region', { name: 'Proposals' })
const review = (page: Page): Locator => page.getByRole('dialog', { name: 'Assistant proposals' })
const row = (page: Page, subject: string): Locator =>
  page.getByRole('listbox', { name: 'Threads' }).getByRole('option', { name: new RegExp(subject) })

const turnOnByKeys = async (page: Page, platform: Platform): Promise<void> => {
  await goTo(page, '#/settings/assistants')
  const inboxSwitch = folders(page, platform).getByRole('switch', { name: 'Inbox' })
  await expect(inboxSwitch).not.toBeChecked()
  await inboxSwitch.focus()
  await page.keyboard.press('Space')
  await expect(inboxSwitch).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(folders(page, platform).getByRole('switch', { name: 'Archive' })).toBeChecked()
  await expectAccessible(page, 'the settings of assistants')
  await page.reload()
  await expect(inboxSwitch).toBeChecked()
  await expect(folders(page, platform).getByRole('switch', { name: 'Spam' })).not.toBeChecked()
}

test('turns on an assistant’s read access by keyboard and logs its requests', async ({
  linnet: { page },
  platform,
  dataDirectory,
}) => {
  await deliverAll(page, platform, ['Fog until noon'])
  await turnOnByKeys(page, platform)
  expect(await asAssistant(dataDirectory, (file) => file.access())).toEqual({
    folders: ['inbox', 'archive'].map((folder) => ({ inboxId: platform.inboxId, folder })),
    lists: [],
  })
  await folders(page, platform)
    .getByRole('button', { name: /^Turn on all except Spam and Trash/ })
    .click()
  await expect(folders(page, platform).getByRole('switch', { name: 'Sent' })).toBeChecked()
  await expect(section(page)).toContainText('No requests yet.')

  const call = { at: Date.now(), client: 'Helper', tool: 'search_mail', asked: 'fog', answer: '1 thread' }
  await asAssistant(dataDirectory, (file) => {
    file.note({ ...call, isRefused: false })
    file.note({ ...call, asked: 'in:spam fog', answer: 'Spam is not turned on.', isRefused: true })
  })
  const log = section(page).getByRole('list', { name: 'Requests from assistants' })
  await expect(log.getByRole('listitem')).toHaveText([/in:spam fog.*Helper.*Refused/s, /fog.*Helper.*1 thread/s])
  await expectAccessible(page, 'the log of assistants')
  await section(page).getByRole('button', { name: 'Clear log…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear log', exact: true }).click()
  await expect(section(page)).toContainText('No requests yet.')
})

test('shows proposed labels and moves, to accept with undo or dismiss', async ({
  linnet: { page },
  platform,
  dataDirectory,
}) => {
  await makeLabels(platform, 'Weather')
  await deliverAll(page, platform, ['Lamps on the quay', 'Fog until noon'])
  const { inboxId } = platform
  const [fog, lamps] = [await threadOn(platform, 'Fog until noon'), await threadOn(platform, 'Lamps on the quay')]
  const { data: labels } = (await platform.ask(`/inboxes/${inboxId}/labels`)) as { data: readonly { id: string }[] }
  const threadIds = [fog?.id ?? '']
  const propose = (change: ProposedChange, reason: string): Promise<string | null> =>
    asAssistant(dataDirectory, (file) => file.propose({ at: Date.now(), client: 'Helper', inboxId, reason, change }))
  await propose({ kind: 'labels', threadIds, add: [labels[0]?.id ?? ''], remove: [] }, 'It is about the weather.')
  await propose({ kind: 'move', threadIds: [lamps?.id ?? ''], folder: 'archive' }, 'They are lit.')
  await propose({ kind: 'move', threadIds, folder: 'trash' }, 'Click <a href="https://x.example">here</a>')
  await expect(bar(page)).toContainText('Assistant proposals: 1 label, 2 moves')

  await runByPalette(page, 'Review assistant proposals')
  const proposals = review(page).getByRole('article')
  await expect(proposals).toHaveCount(3)
  await expect(proposals.first()).toContainText(/Label 1 thread.*Helper.*Weather.*Fog until noon.*about the weather/s)
  await expect(review(page).getByRole('link')).toHaveCount(0)
  await expectAccessible(page, 'what assistants propose')

  await proposals.first().getByRole('button', { name: 'Accept' }).focus()
  await page.keyboard.press('Enter')
  await expect(proposals).toHaveCount(2)
  await expect(proposals.first()).toBeFocused()
  await expect.poll(async () => (await threadOn(platform, 'Fog until noon'))?.labels.length).toBe(1)
  await proposals.first().getByRole('button', { name: 'Accept' }).dblclick()
  await expect(proposals).toHaveCount(1)
  await expect(proposals.first()).toContainText('Move 1 thread to trash')
  await proposals.first().getByRole('button', { name: 'Dismiss' }).click()
  await expect(review(page)).toBeHidden()
  await expect(bar(page)).toBeHidden()
  await expect(row(page, 'Lamps on the quay')).toHaveCount(0)
  await expect(row(page, 'Fog until noon')).toHaveCount(1)

  await test.step('z undoes the dismissal, the move and the label', async () => {
    await page.getByRole('listbox', { name: 'Threads' }).focus()
    await page.keyboard.press('z')
    await expect(bar(page)).toContainText('Assistant proposals: 1 move')
    await page.keyboard.press('z')
    await expect(row(page, 'Lamps on the quay')).toHaveCount(1)
    await page.keyboard.press('z')
    await expect.poll(async () => (await threadOn(platform, 'Fog until noon'))?.labels.length).toBe(0)
    await expect.poll(async () => (await threadOn(platform, 'Lamps on the quay'))?.folder).toBe('inbox')
  })
})
