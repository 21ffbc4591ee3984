import type { Platform } from '../support/platform.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, goTo, test, threadOn } from './linnet.ts'

interface ThereDraft {
  readonly id: string
}

const agentOf = ({ ask, inboxId }: Platform) =>
  ask(`/inboxes/${inboxId}/agent`) as Promise<{ instructions: string | null; tone: string | null; actions: string[] }>

/** Drafts a reply to an e-mail, like the platform's agent. */
const draftReply = async (platform: Platform, subject: string, text: string): Promise<void> => {
  const { ask, inboxId } = platform
  const threadId = (await threadOn(platform, subject))?.id ?? ''
  const emails = (await ask(`/inboxes/${inboxId}/threads/${threadId}/emails`)) as { data: readonly ThereDraft[] }
  const place = { thread_id: threadId, reply_to_email_id: emails.data.at(-1)?.id }
  await ask(`/inboxes/${inboxId}/drafts`, { method: 'POST', body: { ...place, subject: `Re: ${subject}`, text } })
}
const draftsThere = async ({ ask, inboxId }: Platform): Promise<number> =>
  ((await ask(`/inboxes/${inboxId}/drafts`)) as { data: readonly ThereDraft[] }).data.length

test('edits the settings of an inbox’s agent, with undo and clear rejections', async ({
  linnet: { page },
  platform,
}) => {
  await goTo(page, '#/settings/agent')
  const row = page.getByRole('list', { name: 'Inbox agents' })
  await row.getByRole('button', { name: /^Edit agent for/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Inbox agent' })
  const instructions = dialog.getByRole('textbox', { name: 'Instructions' })
  await expect(instructions).toBeFocused()
  await expect(dialog).toContainText('To turn the agent on, add instructions and allow an action.')
  await instructions.fill('x'.repeat(4_001))
  await expect(dialog).toContainText('4,001 of 4,000 characters. Remove 1.')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await instructions.fill('Answer questions about berths.')
  await dialog.getByRole('combobox', { name: 'Tone' }).selectOption('Concise, casual')
  await dialog.getByRole('switch', { name: 'Draft replies' }).click()
  await expectAccessible(page, 'the settings of an agent')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const changed = { instructions: 'Answer questions about berths.', tone: 'concise_casual', actions: ['draft_reply'] }
  expect(await agentOf(platform)).toMatchObject(changed)
  await expect(row).toContainText('Draft replies')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await agentOf(platform)).instructions).toBeNull()
  await expect(row).toContainText('Off')

  await row.getByRole('button', { name: /^Edit agent for/ }).click()
  await expect(instructions).toBeVisible()
  await platform.pause()
  await instructions.fill('Later.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('You are offline. Go online to change the agent’s settings.')
  await expect(instructions).toHaveValue('Later.')
  await platform.resume()
})

test('reviews an agent’s waiting drafts by keyboard, with undo', async ({ linnet: { page }, platform }) => {
  await deliverAll(page, platform, [
    { from: 'Ann Lee <ann@harbour.example>', subject: 'Berth', text: 'Is one free?' },
    { from: 'Joan Pier <joan@harbour.example>', subject: 'Ferry', text: 'At noon?' },
    { from: 'Kim Quay <kim@harbour.example>', subject: 'Ropes', text: 'How many?' },
  ])
  for (const [subject, text] of [
    ['Berth', 'Number 4 is free.'],
    ['Ferry', 'At noon, yes.'],
    ['Ropes', 'Two are left.'],
  ] as const) {
    await draftReply(platform, subject, text)
  }
  await page.keyboard.press('g')
  await page.keyboard.press('w')
  const list = page.getByRole('listbox', { name: 'Waiting drafts' })
  await expect(list.getByRole('option')).toHaveCount(3, { timeout: 30_000 })
  const draft = page.getByRole('region', { name: 'Draft', exact: true })
  const first = list.getByRole('option').first()
  const subject = /Re: (\w+)/.exec((await first.textContent()) ?? '')?.[1] ?? ''

  await test.step('a draft opens beside the list, with its possible authors and the original message', async () => {
    await expect(draft.getByRole('heading', { name: `Re: ${subject}` })).toBeVisible()
    await expect(draft).toContainText('Started by the agent or a colleague (the platform doesn’t say which).')
    await expect(draft).toContainText(/In reply to (Ann Lee|Joan Pier|Kim Quay)/)
    await expect(draft.getByRole('button', { name: 'Approve and send' })).toBeEnabled()
    await expectAccessible(page, 'drafts that wait')
  })

  await test.step('one key sends it, Undo reopens it, and it can be sent again', async () => {
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(list.getByRole('option')).toHaveCount(2)
    await page.getByRole('button', { name: 'Undo' }).first().click()
    const composer = page.getByRole('form', { name: 'Reply' })
    await expect(composer).toBeVisible()
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(composer).toBeHidden()
    await expect.poll(() => draftsThere(platform), { timeout: 30_000 }).toBe(2)
  })

  await test.step('undo restores a discarded draft, and Enter opens a draft for editing', async () => {
    await list.press('#')
    await expect(list.getByRole('option')).toHaveCount(1)
    await page.keyboard.press('z')
    await expect(list.getByRole('option')).toHaveCount(2)
    await list.press('Enter')
    await expect(page.getByRole('form', { name: 'Reply' })).toBeVisible()
  })
})

test('opens a draft that lacks something instead of approving it', async ({ linnet: { page }, platform }) => {
  await deliverAll(page, platform, [{ from: 'Ann Lee <ann@harbour.example>', subject: 'Berth', text: 'Is one free?' }])
  await draftReply(platform, 'Berth', 'See the attached plan.')
  await goTo(page, '#/waiting')
  const list = page.getByRole('listbox', { name: 'Waiting drafts' })
  await expect(list.getByRole('option')).toHaveCount(1, { timeout: 30_000 })
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await expect(page.getByText('Not sent yet. You mention an attachment, but nothing is attached.')).toBeVisible()
  await expect(page.getByRole('form', { name: 'Reply' })).toBeVisible()
  expect(await draftsThere(platform)).toBe(1)
})
