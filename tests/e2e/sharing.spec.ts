import { expectAccessible } from './expect-accessible.ts'
import { expect, readClipboard, test } from './linnet.ts'

test.use({ dataset: 'demo' })

interface List<Item> {
  readonly data: readonly Item[]
}

test('shares a thread for a typed time, and lists the topics of any contact', async ({ linnet, platform }) => {
  const { page } = linnet

  await test.step('a share link opens, is copied at once, and stays in the list with its time left', async () => {
    await page.getByRole('listbox', { name: 'Threads' }).getByRole('option').first().click()
    const subject = await page
      .getByRole('region', { name: 'Thread', exact: true })
      .getByRole('heading', { level: 1 })
      .innerText()
    await page.getByRole('toolbar', { name: 'Thread actions' }).getByRole('button', { name: 'Share link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share link' })
    await dialog.getByRole('radio', { name: 'Other' }).check({ force: true })
    const howLong = dialog.getByRole('textbox', { name: 'Duration' })
    await howLong.fill('3 days')
    await expect(dialog.getByRole('alert')).toHaveText('A link can last 48 hours at most. Type a shorter time.')
    await howLong.fill('1h 30m')
    await expect(dialog.getByRole('alert')).toBeHidden()
    await howLong.press('Enter')
    const link = dialog.getByRole('textbox', { name: 'Link' })
    await expect(link).toHaveValue(/^http:\/\/127\.0\.0\.1:\d+\/shared\?token=/)
    await expect(dialog.getByText('Copied')).toBeVisible()
    await expect(link).toBeFocused()
    // Another Enter closes nothing.
    await page.keyboard.press('Enter')
    const url = await link.inputValue()
    expect(await readClipboard(linnet)).toBe(url)
    expect(await (await fetch(url)).text()).toContain(subject)

    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name: 'Share links' }).click()
    const row = page.getByRole('listbox', { name: 'Share links' }).getByRole('option').filter({ hasText: subject })
    const pane = page.getByRole('region', { name: 'Share link', exact: true })
    await expect(row).toContainText(/Works for 1 hour (?:30|29) minutes/)
    await expect(pane).toContainText(/Works for 1 hour (?:30|29) minutes, until/)
    await expect(pane).toContainText(url)
    await expectAccessible(page, 'the list of share links')
    await pane.getByRole('button', { name: 'Remove from list' }).click()
    await expect(row).toBeHidden()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(pane.getByRole('button', { name: 'Copy link' })).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search share links' }).fill('no such link')
    await expect(page.getByText('No link matches')).toBeVisible()
    await page.keyboard.press('Escape')
    await pane.getByRole('button', { name: 'Go to thread' }).click()
    await expect(
      page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 }),
    ).toHaveText(subject)
  })

  await test.step('each topic of a contact shows its subscription, also of one found by its address', async () => {
    const contacts = (await platform.ask('/contacts?limit=1')) as List<{ readonly id: string; readonly email: string }>
    const contact = contacts.data[0]
    if (contact === undefined) throw new Error('The demo has no contacts.')
    const topics = (await platform.ask(`/contacts/${contact.id}/topics`)) as List<{
      readonly name: string
      readonly subscription: string
    }>
    await page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name: 'Contacts' }).click()
    await page.getByRole('option', { name: new RegExp(contact.email) }).click()
    await page.getByRole('button', { name: /^Show all \d+ topics$/ }).click()
    for (const topic of topics.data) {
      const subscribed = page.getByRole('switch', { name: topic.name, exact: true })
      await expect(subscribed).toBeChecked({ checked: topic.subscription === 'opt_in' })
    }
    await expect(page.getByRole('switch')).toHaveCount(topics.data.length)

    // A contact that isn't stored yet, by address.
    const { id } = (await platform.ask('/contacts', { method: 'POST', body: { email: 'kite@tide.example' } })) as {
      readonly id: string
    }
    await page.getByRole('searchbox', { name: 'Filter contacts' }).fill('kite@tide.example')
    const rows = page.getByRole('listbox', { name: 'Contacts' }).getByRole('option')
    const ask = page.getByRole('button', { name: 'Search the platform' })
    await expect(ask.or(rows)).toHaveCount(1)
    // A sync may have fetched the contact in the meantime.
    await ask.or(rows).click()
    const card = page.getByRole('region', { name: 'Contact', exact: true })
    await expect(card.getByRole('heading', { level: 1 })).toHaveText('kite@tide.example')
    await expect.poll(() => page.evaluate(() => location.hash)).toBe(`#/contacts/${id}`)
  })
})
