import { join } from 'node:path'
import { expect, goTo, readClipboard, saveTo, test } from './linnet.ts'

test.use({ dataset: 'demo' })

interface List<Item> {
  readonly data: readonly Item[]
}
interface WireThread {
  readonly id: string
  readonly subject: string | null
  readonly labels: readonly { readonly id: string; readonly name: string }[]
}

test('performs the six operations of the contract and lists sent mail', async ({ linnet, platform, dataDirectory }) => {
  const { page } = linnet

  await test.step('1. create share link: the link opens, is copied at once, and stays in the list with its time left', async () => {
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
    const links = page.getByRole('region', { name: 'Share links' })
    const row = links.getByRole('listitem').filter({ hasText: subject })
    await expect(row).toContainText(/Works for 1 hour (?:30|29) minutes, until/)
    await row.getByRole('button', { name: 'Remove from list' }).click()
    await expect(row).toBeHidden()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(row.getByRole('button', { name: 'Copy link' })).toBeVisible()
    await links.getByRole('searchbox', { name: 'Search share links' }).fill('no such link')
    await expect(links.getByText('No link matches')).toBeVisible()
    await page.keyboard.press('Escape')
    await row.getByRole('link', { name: subject }).click()
    await expect(
      page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 }),
    ).toHaveText(subject)
  })

  await test.step('2. search threads: the bar sends its text and lists the platform’s results', async () => {
    const { data } = (await platform.ask(`/inboxes/${platform.inboxId}/threads`)) as List<WireThread>
    const subject = data
      .map((thread) => thread.subject ?? '')
      .find((text) => /^[A-Za-z]+ [A-Za-z]+ [A-Za-z]+/.test(text))
    const words = /^[A-Za-z]+ [A-Za-z]+ [A-Za-z]+/.exec(subject ?? '')?.[0] ?? ''
    expect(words).not.toBe('')
    const expected = (await platform.ask(
      `/inboxes/${platform.inboxId}/threads/search?folders=inbox,archive,sent&query=${encodeURIComponent(`"${words}"`)}`,
    )) as List<WireThread>

    const bar = page.getByRole('combobox', { name: 'Search mail' })
    await bar.fill(`"${words}"`)
    await bar.press('Enter')
    const rows = page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
    await expect(rows).toHaveCount(expected.data.length)
    await expect(rows.first()).toHaveAccessibleName(new RegExp(words))
    await expect(page.getByRole('listbox', { name: 'Threads' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(rows.nth(5)).toBeVisible()
  })

  await test.step('3. remove thread label: the label leaves this thread and stays on the others', async () => {
    const threads = async (): Promise<readonly WireThread[]> =>
      ((await platform.ask(`/inboxes/${platform.inboxId}/threads?limit=100`)) as List<WireThread>).data
    const before = await threads()
    const labelled = before.find((thread) => thread.labels.length > 0)
    const label = labelled?.labels[0]
    if (labelled === undefined || label === undefined) throw new Error('The demo has no labelled threads.')
    const carriers = before.filter((thread) => thread.labels.some(({ id }) => id === label.id)).length

    await goTo(page, `#/inboxes/${platform.inboxId}/inbox/threads/${labelled.id}`)
    const conversation = page.getByRole('region', { name: 'Thread', exact: true })
    await conversation.getByRole('button', { name: `Remove label ${label.name}` }).click()
    await expect(conversation.getByRole('button', { name: `Remove label ${label.name}` })).toBeHidden()
    await expect
      .poll(async () => (await threads()).find(({ id }) => id === labelled.id)?.labels.map(({ name }) => name))
      .not.toContain(label.name)
    const after = await threads()
    expect(after.filter((thread) => thread.labels.some(({ id }) => id === label.id)).length).toBe(carriers - 1)
  })

  await test.step('4. list contacts: all of them, newest first', async () => {
    const { data } = (await platform.ask('/contacts')) as List<{ readonly email: string }>
    await page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name: 'Contacts' }).click()
    const rows = page.getByRole('listbox', { name: 'Contacts' }).getByRole('option')
    await expect(rows.first()).toContainText(data[0]?.email ?? '')
    await expect(rows.first()).toHaveAttribute('aria-setsize', String(data.length))

    const last = data.at(-1)?.email ?? ''
    const filter = page.getByRole('searchbox', { name: 'Filter contacts' })
    await filter.fill(last.toUpperCase())
    await expect(rows).toHaveCount(1)
    await filter.press('Enter')
    await expect(page.getByRole('listbox', { name: 'Contacts' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: 'Contact', exact: true })).toContainText(last)
    await filter.fill('nobody like this')
    await expect(page.getByText('No contact matches')).toBeVisible()
    await filter.press('Escape')
    await expect(rows.first()).toHaveAttribute('aria-setsize', String(data.length))
    await page.getByRole('button', { name: 'Newest first' }).click()
    await page.getByRole('menuitemradio', { name: 'By address' }).click()
    const byAddress = data.map(({ email }) => email.toLowerCase()).sort()
    await expect(rows.first()).toContainText(byAddress[0] ?? '')
    await page.getByRole('button', { name: 'By address' }).click()
    await page.getByRole('menuitemradio', { name: 'Newest first' }).click()
    await expect(rows.first()).toContainText(data[0]?.email ?? '')
  })

  await test.step('5. list topics of a contact: each topic with the contact’s subscription', async () => {
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

  await test.step('6. retrieve received email: it opens, and its original file is unchanged', async () => {
    await platform.deliver({ from: 'Juno <juno@tide.example>', subject: 'Raw as it was', text: 'Every byte of it.' })
    await page.keyboard.press('F5')
    await page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name: 'All received' }).click()
    await page
      .getByRole('listbox', { name: 'Received messages' })
      .getByRole('option', { name: /Raw as it was/ })
      .click()
    const region = page.getByRole('region', { name: 'Received message' })
    await expect(region.getByRole('heading', { level: 1, name: 'Raw as it was' })).toBeVisible()
    await expect(region).toContainText('Every byte of it.')

    const save = async (): Promise<void> => {
      await region.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Save as .eml' }).click()
    }
    const raw = (await saveTo(linnet, join(dataDirectory, 'Raw as it was.eml'), save)).toString()
    expect(raw).toMatch(/^Subject: Raw as it was\r$/m)
    expect(raw).toContain('\r\n\r\nEvery byte of it.')
  })

  await test.step('beyond the six: sent e-mails are listed with their status and can be read', async () => {
    const message = {
      from: platform.inboxAddress,
      to: platform.inboxAddress,
      subject: 'Sent by a program',
      text: 'Ahoy.',
    }
    await platform.ask('/emails', { method: 'POST', body: message })
    await page.keyboard.press('F5')
    await page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name: 'All sent' }).click()
    const row = page.getByRole('listbox', { name: 'Sent messages' }).getByRole('option', { name: /Sent by a program/ })
    await expect(row).toContainText('Delivered')
    await row.click()
    const region = page.getByRole('region', { name: 'Sent message' })
    await expect(region.getByRole('heading', { level: 1, name: 'Sent by a program' })).toBeVisible()
    await expect(region).toContainText('Ahoy.')
  })
})
