import type { Platform } from '../support/platform.ts'
import { sentOf } from '../support/sent-emails.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, goTo, SENDING_AT_ONCE, test } from './linnet.ts'

test.use({ preferences: SENDING_AT_ONCE })

const HTML = `<html><head><style>.gone { display: none }</style></head><body><div class="gone">preview</div>
<h2>Hello {{{FIRST_NAME}}}</h2><script>document.title = 'run'</script><img src="https://tracker.example/a.png" alt="Logo" onerror="alert(1)">
<p>{{{COMPANY}}} has {{{BERTHS}}} berths. <a href="https://quay.example/{{{KEY}}}">The key</a></p></body></html>`

const publish = async ({ ask }: Platform): Promise<void> => {
  const body = {
    ...{ name: 'Berths', alias: 'berths', subject: 'Berths for {{{COMPANY}}}', html: HTML },
    variables: [
      { key: 'COMPANY', type: 'string', fallback_value: 'your yard' },
      { key: 'BERTHS', type: 'number', fallback_value: 2 },
      { key: 'KEY', type: 'string' },
    ],
  }
  await ask('/templates', { method: 'POST', body })
  await ask('/templates/berths/publish', { method: 'POST' })
  await ask('/templates', { method: 'POST', body: { name: 'Berths, a draft', html: '<p>Not yet</p>' } })
  const properties = { company: '<i>Quay</i> & Sons' }
  await ask('/contact-properties', { method: 'POST', body: { key: 'company', type: 'string' } })
  await ask('/contacts', { method: 'POST', body: { email: 'ada@quay.example', first_name: 'Ada', properties } })
}

test('fills a template from the contact and asks about gaps before sending', async ({ linnet: { page }, platform }) => {
  await publish(platform)
  await goTo(page, '#/contacts')
  await page.keyboard.press('F5')
  await expect(page.getByRole('main').getByText('ada@quay.example')).toBeVisible()
  await expect(page.getByRole('button', { name: 'New message' })).toBeEnabled()
  await page.keyboard.press('c')
  const message = page.getByRole('form', { name: 'New message' })
  await page.keyboard.type('ada@quay.example')
  await page.keyboard.press('Enter')
  const words = message.getByRole('textbox', { name: 'Message' })
  await words.focus()
  const offers = page.getByRole('listbox', { name: 'Canned replies' })
  // The list is fetched while the name is typed.
  await page.keyboard.type(';ber')
  await expect(offers.getByRole('option')).toHaveText([/^\s*Berths\s+Template · Berths for \{\{\{COMPANY\}\}\}\s*$/])
  await expectAccessible(page, 'templates that are offered')
  await page.keyboard.press('Enter')
  await expect(words.getByRole('heading')).toHaveText('Hello Ada')
  await expect(words).toContainText('[Logo]')
  await expect(words).toContainText('<i>Quay</i> & Sons has 2 berths. The key {{{KEY}}}')
  await expect(words).not.toContainText('preview')
  await expect(words).not.toContainText(';ber')
  await expect(words.locator('img, script, a, i')).toHaveCount(0)
  await expect(message.getByRole('textbox', { name: 'Subject' })).toHaveValue('Berths for <i>Quay</i> & Sons')

  await page.keyboard.press('ControlOrMeta+Enter')
  const question = message.getByRole('group', { name: 'Before you send' })
  await expect(question).toContainText('“{{{KEY}}}” looks like a placeholder that was not filled in.')
  await question.getByRole('button', { name: 'Send anyway' }).click()
  await expect(message).toHaveCount(0)
  await expect
    .poll(async () => (await sentOf(platform)).map(({ subject }) => subject))
    .toEqual(['Berths for <i>Quay</i> & Sons'])
  const [sent] = await sentOf(platform)
  expect(sent?.html).toContain('&lt;i&gt;Quay&lt;/i&gt; &amp; Sons has 2 berths')
  expect(sent?.html).not.toMatch(/<script|<img|tracker|onerror|preview/)
})

test('inserts a template by palette into plain text and keeps the subject', async ({ linnet: { page }, platform }) => {
  await publish(platform)
  // Wait for an inbox to write from. From Contacts, the message would go to the first contact.
  await expect(page.getByRole('button', { name: 'New message' })).toBeEnabled()
  await page.keyboard.press('c')
  const message = page.getByRole('form', { name: 'New message' })
  await message.getByRole('textbox', { name: 'Subject' }).fill('Mine')
  await message.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Plain text' }).click()
  const words = message.getByRole('textbox', { name: 'Message' })
  await words.click()
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('combobox').fill('template berths')
  await expect(palette.getByRole('option').first()).toContainText('Insert template: Berths')
  await page.keyboard.press('Enter')
  await expect(words).toHaveValue(/Hello \{\{\{FIRST_NAME\}\}\}[\s\S]*your yard has 2 berths\. The key \{\{\{KEY\}\}\}/)
  await expect(message.getByRole('textbox', { name: 'Subject' })).toHaveValue('Mine')
})
