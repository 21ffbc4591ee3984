/**
 * Actions on mail in its lists, by pointer and by key. tests/unit/renderer/every-list covers every list and every
 * action.
 */
import type { Locator, Page } from '@playwright/test'
import { deliverAll, expect, goTo, makeLabels, test, threadOn } from './linnet.ts'

const SUBJECTS = ['Fog until noon', 'Gull on the antenna', 'Paint on the rail', 'Rope for the buoy', 'Tide tables']

class List {
  readonly #page: Page
  readonly #rows: Locator

  constructor(page: Page, name: string) {
    this.#page = page
    this.#rows = page.getByRole('listbox', { name, exact: true }).getByRole('option')
  }

  row(subject: string): Locator {
    return this.#rows.filter({ hasText: subject })
  }

  /** Presses one of the row's hover buttons. */
  async press(subject: string, name: string): Promise<void> {
    await this.row(subject).hover()
    await this.row(subject).locator(`[data-action="${name}"]`).click()
  }

  /** Chooses from the menu of the last hover button. */
  async choose(subject: string, name: string): Promise<void> {
    await this.press(subject, 'More actions')
    await this.#page.getByRole('menu').getByRole('menuitem', { name, exact: true }).click()
  }

  async chooseByRightClick(subject: string, name: string): Promise<void> {
    await this.row(subject).click({ button: 'right' })
    await this.#page.getByRole('menu').getByRole('menuitem', { name, exact: true }).click()
  }
}

test('handles mail from its lists by button, menu, toolbar and key, in small windows too', async ({
  linnet: { page },
  platform,
}) => {
  const { inboxId, inboxAddress } = platform
  await makeLabels(platform, 'Harbour')
  await deliverAll(page, platform, SUBJECTS)
  const threads = new List(page, 'Threads')
  const isIn = (subject: string, folder: string): Promise<void> =>
    expect.poll(async () => (await threadOn(platform, subject))?.folder, subject).toBe(folder)
  const goToList = (place: string): Promise<void> => goTo(page, `#/inboxes/${inboxId}/${place}`)
  const heading = page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 })
  const toolbar = page.getByRole('toolbar', { name: 'Thread actions' })
  const form = (name: string): Locator => page.getByRole('form', { name })
  /** Expects a started reply, and discards it. */
  const isBegun = async (name: string): Promise<void> => {
    await form(name).getByRole('button', { name: 'Discard draft' }).click()
    await expect(form(name)).toHaveCount(0)
  }

  await test.step('inbox', async () => {
    await threads.press('Fog until noon', 'Reply')
    await isBegun('Reply')
    await threads.choose('Fog until noon', 'Mark as spam')
    await isIn('Fog until noon', 'spam')
    await threads.chooseByRightClick('Gull on the antenna', 'Archive')
    await isIn('Gull on the antenna', 'archive')
    await threads.row('Paint on the rail').click()
    await toolbar.getByRole('button', { name: 'Label…' }).click()
    await page.getByRole('dialog', { name: 'Labels' }).waitFor()
    await page.keyboard.type('Harbour')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect
      .poll(async () => (await threadOn(platform, 'Paint on the rail'))?.labels.map(({ name }) => name))
      .toEqual(['Harbour'])
  })

  await test.step('all received, all sent', async () => {
    const received = new List(page, 'Received messages')
    await goTo(page, '#/received')
    await received.press('Tide tables', 'Archive')
    await isIn('Tide tables', 'archive')
    await received.choose('Tide tables', 'Go to thread')
    await expect(heading).toHaveText('Tide tables')
    await toolbar.getByRole('button', { name: 'Move to inbox' }).click()
    await isIn('Tide tables', 'inbox')
    await page.keyboard.press('u')
    await received.row('Gull on the antenna').hover()
    await page.keyboard.press('r')
    await isBegun('Reply')

    const body = { from: inboxAddress, to: 'ann@harbour.example', subject: 'Invoice 7', text: 'Due on Friday.' }
    await platform.ask('/emails', { method: 'POST', body })
    await goTo(page, '#/sent')
    await page.keyboard.press('F5')
    const sent = new List(page, 'Sent messages')
    await sent.row('Invoice 7').click()
    await expect(page.getByRole('region', { name: 'Sent message' }).getByRole('article')).toBeVisible()
    await sent.choose('Invoice 7', 'Forward')
    await isBegun('Forward')
  })

  await test.step('a small window', async () => {
    await page.setViewportSize({ width: 1024, height: 700 })
    await goToList('inbox')
    await threads.row('Rope for the buoy').hover()
    const buttons = threads.row('Rope for the buoy').locator('[data-action]:visible')
    await expect(buttons.last()).toHaveAttribute('data-action', 'More actions')
    // The sender stays readable next to the buttons.
    const [from, first] = await Promise.all([
      threads.row('Rope for the buoy').locator('.from').boundingBox(),
      buttons.first().boundingBox(),
    ])
    expect((first?.x ?? 0) - (from?.x ?? 0)).toBeGreaterThan(100)
    await threads.choose('Rope for the buoy', 'Reply')
    await isBegun('Reply')
    await threads.chooseByRightClick('Rope for the buoy', 'Move to trash')
    await isIn('Rope for the buoy', 'trash')
    await page.keyboard.press('z')
    await isIn('Rope for the buoy', 'inbox')
  })
})
