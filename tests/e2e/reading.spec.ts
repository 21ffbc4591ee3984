import { expect, test } from './linnet.ts'

test('a message that arrives by SMTP is listed and read on the screen', async ({ linnet, platform }) => {
  const { page } = linnet
  await expect(page.getByRole('navigation', { name: 'Mailboxes' })).toBeVisible()

  await platform.deliver({
    from: '"Ada Quill" <ada@quill.example>',
    subject: 'The harbour webcam is down',
    text: 'Good morning,\n\nthe webcam at the north pier shows a black picture since 06:10.\n\nAda',
  })
  await page.keyboard.press('F5')

  const row = page.getByRole('listbox', { name: 'Threads' }).getByRole('option', { name: /The harbour webcam is down/ })
  await expect(row).toHaveAccessibleName(/Ada Quill/)
  await expect(row).toHaveAccessibleName(/unread/i)
  await row.click()

  const conversation = page.getByRole('region', { name: 'Conversation' })
  await expect(conversation.getByRole('heading', { level: 1, name: 'The harbour webcam is down' })).toBeVisible()
  await expect(conversation.getByRole('article', { name: /E-mail from Ada Quill/ })).toContainText('north pier')
  // Opening it marks it read, here and on the platform.
  await expect(row).not.toHaveAccessibleName(/unread/i)
  await expect
    .poll(async () => {
      const { data } = (await platform.ask(`/inboxes/${platform.inboxId}/threads`)) as { data: { read: boolean }[] }
      return data[0]?.read
    })
    .toBe(true)
})

test('what was read stays readable when the platform is gone', async ({ linnet, platform }) => {
  const { page } = linnet
  await platform.deliver({ from: 'ops@pier.example', subject: 'Tide table', text: 'High water at 14:20.' })
  await page.keyboard.press('F5')
  const row = page.getByRole('option', { name: /Tide table/ })
  await row.click()
  await expect(page.getByRole('article', { name: /E-mail from/ })).toContainText('High water at 14:20')

  await platform.pause()
  await page.keyboard.press('F5')
  await expect(page.getByRole('status')).toContainText('Offline')
  await page.reload()
  await page.getByRole('option', { name: /Tide table/ }).click()
  await expect(page.getByRole('article', { name: /E-mail from/ })).toContainText('High water at 14:20')
})
