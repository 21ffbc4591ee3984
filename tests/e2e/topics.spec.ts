import type { Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, goTo, test } from './linnet.ts'

interface Topic {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly default_subscription: string
  readonly visibility: string
}

const make = async (platform: Platform, path: string, body: object): Promise<string> =>
  ((await platform.ask(path, { method: 'POST', body })) as { readonly id: string }).id
const topicsOf = async (platform: Platform): Promise<readonly Topic[]> =>
  ((await platform.ask('/topics')) as { readonly data: readonly Topic[] }).data
const addressOf = (at: number): string => `person-${at}@pier.example`
const choices = async (platform: Platform, count: number, topic: string): Promise<readonly string[]> => {
  const answers = Array.from({ length: count }, async (_, at) => {
    const { data } = (await platform.ask(`/contacts/${addressOf(at)}/topics`)) as {
      readonly data: readonly { readonly name: string; readonly subscription: string }[]
    }
    return data.find(({ name }) => name === topic)?.subscription ?? 'none'
  })
  return Promise.all(answers)
}

const list = (page: Page) => page.getByRole('listbox', { name: 'Contacts' })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

const showContacts = async (page: Page, count: number): Promise<void> => {
  await goTo(page, '#/contacts')
  await page.keyboard.press('F5')
  await expect(list(page).getByRole('option').first()).toHaveAttribute('aria-setsize', String(count))
}

test('creates, edits, deletes and restores a topic by keyboard', async ({ linnet: { page }, platform }) => {
  await make(platform, '/contacts', { email: addressOf(0) })
  await showContacts(page, 1)
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('New topic')
  await page.keyboard.press('Enter')
  const form = dialog(page, 'New topic')
  await expect(form.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Tide tables')
  await page.keyboard.press('Tab')
  await page.keyboard.type('High and low water')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await expect(form.getByRole('radio', { name: 'Not subscribed' })).toBeChecked()
  await expectAccessible(page, 'a new topic')
  await page.keyboard.press('Enter')
  await expect(form).toBeHidden()
  await expect
    .poll(() => topicsOf(platform))
    .toMatchObject([
      {
        name: 'Tide tables',
        description: 'High and low water',
        default_subscription: 'opt_out',
        visibility: 'private',
      },
    ])

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('Topics…')
  await page.keyboard.press('Enter')
  const topics = dialog(page, 'Topics')
  await expect(topics.getByRole('listitem')).toContainText('Not subscribed by default · Private')
  await expectAccessible(page, 'the topics')
  await topics.getByRole('button', { name: 'Edit Tide tables' }).focus()
  await page.keyboard.press('Enter')
  const edit = dialog(page, 'Edit topic')
  await expect(edit.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Tides')
  await page.keyboard.press('Enter')
  await expect(topics.getByRole('listitem')).toContainText('Tides')
  await expect.poll(async () => (await topicsOf(platform)).map(({ name }) => name)).toEqual(['Tides'])

  await topics.getByRole('button', { name: 'Delete Tides' }).focus()
  await page.keyboard.press('Enter')
  const question = dialog(page, 'Delete topic “Tides”')
  await expect(question).toContainText('Everyone’s subscription choices are deleted too.')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page, 'a topic that is to be deleted')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(topics).toContainText('There are no topics yet.')
  await expect.poll(() => topicsOf(platform)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(topics).toBeHidden()
  await page.keyboard.press('z')
  await expect.poll(async () => (await topicsOf(platform)).map(({ name }) => name)).toEqual(['Tides'])
})

test('subscribes all filtered contacts with progress, and undo restores each', async ({
  linnet: { page },
  platform,
}) => {
  const COUNT = 40
  const topicId = await make(platform, '/topics', { name: 'Tides', default_subscription: 'opt_in' })
  for (let at = 0; at < COUNT; at += 1) {
    const topics = at % 2 === 0 ? { topics: [{ id: topicId, subscription: 'opt_out' }] } : {}
    await make(platform, '/contacts', { email: addressOf(at), ...topics })
  }
  const before = await choices(platform, COUNT, 'Tides')
  await showContacts(page, COUNT)
  await list(page).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('t')
  const many = dialog(page, 'Contact topics')
  await expect(many.getByRole('radio', { name: '2 contacts' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(many.getByRole('radio', { name: `All ${COUNT} contacts` })).toBeChecked()
  await expectAccessible(page, 'topics of contacts')
  await platform.pause()
  await many.getByRole('button', { name: 'Unsubscribe from Tides' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(many).toBeHidden()
  await expect(page.getByRole('progressbar', { name: `Changing ${COUNT} contacts` })).toBeVisible()
  await expectAccessible(page, 'a change of many contacts')
  await platform.resume()
  await expect.poll(async () => (await choices(platform, COUNT, 'Tides')).includes('opt_in')).toBe(false)
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await list(page).focus()
  await page.keyboard.press('z')
  await expect.poll(() => choices(platform, COUNT, 'Tides'), { timeout: 30_000 }).toEqual(before)
})
