import { expect, goTo, test } from './linnet.ts'

test.use({ platformSwitches: ['--threads', '8', '--retention', '30', '--faults'] })

test('opens mail that the platform has dropped, with attachments and source', async ({ linnet, platform }) => {
  const { page } = linnet
  await platform.deliver({
    from: 'pier@harbour.example',
    subject: 'Tide tables',
    text: 'For the week.',
    attachments: [{ filename: 'tides.csv', content: 'Monday,12' }],
  })
  await page.keyboard.press('F5')
  await expect(page.getByRole('option', { name: /Tide tables/ })).toBeVisible()
  await goTo(page, '#/settings')
  const section = page.getByRole('region', { name: 'Stored mail' })
  await expect(section.getByText('All mail from the last 30 days is stored.')).toBeVisible({ timeout: 60_000 })
  await expect(section.getByText(/^\d+ messages stored \([^)]*\)\.$/)).toBeVisible()
  const days = section.getByRole('radio', { name: '90 days' })
  await days.click({ force: true })
  await expect(days).toBeChecked()
  await expect(section.getByText('All mail from the last 90 days is stored.')).toBeVisible()

  await platform.ask('/_control/clock', { method: 'POST', body: { advance_ms: 31 * 86_400_000 } })
  await expect
    .poll(async () => ((await platform.ask('/emails/receiving?limit=1')) as { data: unknown[] }).data.length)
    .toBe(0)
  await page.keyboard.press('F5')
  await expect(section.getByText(/^(\d+) messages stored .*, \1 only on this computer\.$/)).toBeVisible({
    timeout: 60_000,
  })
  await platform.pause()

  const article = page.getByRole('article')
  const opens = async (list: string): Promise<void> => {
    await page
      .getByRole('listbox', { name: list })
      .getByRole('option', { name: /Tide tables/ })
      .click()
    await article.waitFor()
    await expect(article).toContainText('For the week.')
    await expect(article).toContainText('tides.csv')
    await expect(article).toContainText('On this computer')
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  await goTo(page, '#/received')
  await opens('Received messages')
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await opens('Threads')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Show source' }).click()
  await expect(page.getByRole('dialog', { name: 'Message source' })).toContainText('tides.csv')
})
