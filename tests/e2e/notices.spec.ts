import type { Page } from '@playwright/test'
import { startPlatform, type Platform } from '../support/platform.ts'
import { connect, deliverAll, expect, goTo, keptPreferences, test, threadOn, type Linnet } from './linnet.ts'

const heading = (page: Page) =>
  page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 })

interface Told {
  readonly title: string
  readonly body: string
}

/** Records notices instead of showing them. Tests click them as the system would. */
const noteNotices = async ({ page, electron, kind }: Linnet): Promise<void> => {
  if (kind === 'electron') {
    await electron?.evaluate(({ BrowserWindow, Notification }) => {
      const held = globalThis as { told?: unknown[] }
      held.told = []
      Notification.prototype.show = function (this: unknown): void {
        held.told?.push(this)
      }
      BrowserWindow.getFocusedWindow = () => null
    })
  } else {
    await page.evaluate(() => {
      const held = globalThis as { told?: unknown[] }
      held.told = []
      document.hasFocus = () => false
      class Noted extends EventTarget {
        static readonly permission = 'granted'
        readonly title: string
        readonly body: string
        constructor(title: string, { body }: { readonly body: string }) {
          super()
          this.title = title
          this.body = body
          held.told?.push(this)
        }
        close(): void {
          this.dispatchEvent(new Event('close'))
        }
      }
      Object.assign(globalThis, { Notification: Noted })
    })
  }
}

const toldBy = async ({ page, electron, kind }: Linnet): Promise<readonly Told[]> => {
  const read = (): readonly Told[] =>
    ((globalThis as { told?: readonly Told[] }).told ?? []).map(({ title, body }) => ({ title, body }))
  return (await (kind === 'electron' ? electron?.evaluate(read) : page.evaluate(read))) ?? []
}

const expectNotices = async (linnet: Linnet, platform: Platform): Promise<void> => {
  const { page, electron, kind } = linnet
  const told = (): Promise<readonly Told[]> => toldBy(linnet)
  const click = async (index: number): Promise<void> => {
    if (kind === 'electron') {
      await electron?.evaluate((_electron, at) => {
        const all = (globalThis as { told?: { emit: (name: string) => void }[] }).told
        all?.[at]?.emit('click')
      }, index)
    } else {
      await page.evaluate((at) => {
        ;(globalThis as { told?: EventTarget[] }).told?.[at]?.dispatchEvent(new Event('click'))
      }, index)
    }
  }

  await platform.deliver({ from: 'Ada Quill <ada@quay.example>', subject: 'Fog until noon', text: 'No ferry before.' })
  await page.keyboard.press('F5')
  await expect.poll(async () => (await told()).map(({ title }) => title)).toEqual(['Ada Quill'])
  expect((await told())[0]?.body).toContain('Fog until noon')
  await click(0)
  await expect(heading(page)).toHaveText('Fog until noon')

  // Mail read or changed later isn't announced.
  await page.keyboard.press('u')
  for (const subject of ['Ropes', 'Lamps']) {
    await platform.deliver({ from: 'ben@pier.example', subject, text: subject })
  }
  await page.keyboard.press('F5')
  await expect.poll(async () => (await told()).length).toBe(2)
  expect((await told())[1]).toEqual({
    title: '2 threads with new mail',
    body: 'ben@pier.example: Lamps\nben@pier.example: Ropes',
  })
}

/** Presses a button of the latest notification, which only the desktop's have. */
const pressButton = async (linnet: Linnet, title: string, index: number): Promise<void> => {
  await expect.poll(async () => (await toldBy(linnet)).at(-1)?.title).toBe(title)
  await linnet.electron?.evaluate((_electron, at) => {
    const all = (globalThis as { told?: { emit: (name: string, event: object, index: number) => void }[] }).told
    all?.at(-1)?.emit('action', { actionIndex: at }, at)
  }, index)
}

const expectReply = async (page: Page, subject: string, to: string): Promise<void> => {
  await expect(heading(page)).toHaveText(subject)
  await expect(page.getByRole('form', { name: 'Reply' }).getByRole('heading')).toContainText(`Reply to ${to}`)
}

const expectButtons = async (linnet: Linnet, platform: Platform): Promise<void> => {
  const { page } = linnet
  const folderOf = async (subject: string) => (await threadOn(platform, subject))?.folder

  await platform.deliver({ from: 'Cleo Marsh <cleo@pier.example>', subject: 'Moorings', text: 'Three are free.' })
  await page.keyboard.press('F5')
  await pressButton(linnet, 'Cleo Marsh', 0)
  await expect.poll(() => folderOf('Moorings')).toBe('archive')
  await expect(page.getByText('Changed 1 thread from a notification')).toBeVisible()
  await page.keyboard.press('z')
  await expect.poll(() => folderOf('Moorings')).toBe('inbox')

  await platform.deliver({ from: 'Dora Reef <dora@pier.example>', subject: 'Anchors', text: 'Two are lost.' })
  await page.keyboard.press('F5')
  await pressButton(linnet, 'Dora Reef', 2)
  await expect(page.getByRole('option', { name: /Anchors/ })).toHaveCount(0)
  await page.keyboard.press('z')
  await expect(page.getByRole('option', { name: /Anchors/ })).toBeVisible()

  await platform.deliver({ from: 'Ezra Cove <ezra@pier.example>', subject: 'Pilots', text: 'Who is on duty?' })
  await page.keyboard.press('F5')
  await pressButton(linnet, 'Ezra Cove', 1)
  await expectReply(page, 'Pilots', 'Ezra Cove')
}

const expectBadge = async ({ page, electron }: Linnet): Promise<void> => {
  const badge = () => electron?.evaluate(() => (globalThis as { badge?: number }).badge)
  await expect.poll(badge).toBe(2)
  await page.keyboard.press('e')
  await expect.poll(badge).toBe(1)
  await page.keyboard.press('Shift+i')
  await expect.poll(badge).toBe(0)
}

const chooseNotices = async (page: Page, platform: Platform, dataDirectory: string): Promise<void> => {
  await goTo(page, '#/settings/notifications')
  await page.getByRole('group', { name: 'New mail' }).getByRole('radio', { name: 'Chosen' }).check({ force: true })
  const inboxes = page.getByRole('group', { name: 'Inboxes with notifications' })
  await inboxes.getByRole('switch', { name: platform.inboxAddress }).click()
  await page.getByRole('switch', { name: 'Quiet hours' }).click()
  await page.getByLabel('From', { exact: true }).fill('21:30')
  await expect
    .poll(() => keptPreferences(dataDirectory))
    .toMatchObject({
      notify: 'chosen',
      notifyInboxes: [platform.inboxId],
      quietHours: { from: 21 * 60 + 30, to: 7 * 60 },
    })
}

test('notifies of new mail as the user chose', async ({ linnet, platform, dataDirectory }) => {
  const { page, electron } = linnet
  await electron?.evaluate(({ app }) => {
    app.setBadgeCount = (count = 0) => {
      Object.assign(globalThis, { badge: count })
      return true
    }
  })
  await noteNotices(linnet)
  // An inbox's first mail isn't announced, and mail that arrives together shares a notice: wait for this one first.
  await deliverAll(page, platform, ['What was there'])
  await platform.deliver({ from: 'ben@pier.example', subject: 'Sails', text: 'Two of them.' })
  await page.keyboard.press('F5')
  await expect
    .poll(async () => (await toldBy(linnet)).map(({ body }) => body))
    .toEqual([expect.stringContaining('Sails')])
  await page.keyboard.press('Home')
  // Browsers show a badge only for installed apps.
  if (electron !== null) {
    await test.step('the app badge shows the number of unread threads', () => expectBadge(linnet))
  }
  await noteNotices(linnet)
  await test.step('an unfocused window notifies of new mail, and the notice opens its thread', () =>
    expectNotices(linnet, platform))
  if (electron !== null) {
    await test.step('the buttons of a notice archive, snooze and reply', () => expectButtons(linnet, platform))
  }
  await test.step('the settings store inboxes and quiet hours', () => chooseNotices(page, platform, dataDirectory))
})

test('replies from a notification of another account', async ({
  launch,
  platform: harbour,
  dataDirectory,
  hostKind,
}) => {
  test.skip(hostKind !== 'electron', 'A browser’s notifications have no buttons.')
  const ferry = await startPlatform('empty')
  try {
    const linnet = await launch({ dataDirectory })
    const { page } = linnet
    await connect(page, harbour)
    await deliverAll(page, harbour, ['What was there'])
    await page.getByRole('button', { name: 'Switch account or inbox' }).click()
    await page.getByRole('menuitem', { name: 'Add account…' }).click()
    await connect(page, ferry)
    await deliverAll(page, ferry, ['On the ferry'])
    await noteNotices(linnet)
    await harbour.deliver({ from: 'Ada Quill <ada@quay.example>', subject: 'Fog until noon', text: 'No ferry before.' })
    await pressButton(linnet, 'Ada Quill', 1)
    await expectReply(page, 'Fog until noon', 'Ada Quill')
  } finally {
    await ferry.stop()
  }
})
