/** Chromium's own requests while Linnet is used and idle. Takes minutes, so it runs only with `LINNET_TEST_LONG=1`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, goTo, test } from './linnet.ts'
import { outsideRequests } from './net-log.ts'

test.skip(({ hostKind }) => hostKind !== 'electron', 'Browsers make requests of their own.')
test.skip(process.env.LINNET_TEST_LONG !== '1', 'It takes ten minutes.')
test.setTimeout(900_000)

const MINUTES = 10
/** A local name, looked up at the end to prove that the log has all requests. */
const CONTROL = 'control.localhost'

test('makes no Chromium request in ten minutes of mail, writing and rest', async ({
  launch,
  platform,
  dataDirectory,
}) => {
  const file = join(dataDirectory, 'net-log.json')
  const linnet = await launch({
    dataDirectory: join(dataDirectory, 'data'),
    env: { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey },
    switches: [`--log-net-log=${file}`],
  })
  const { page, electron } = linnet
  const rows = page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
  await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    const subject = `Tide table ${minute}`
    await platform.deliver({
      from: 'Ann <ann@pier.example>',
      subject,
      html: `<p>See <a href="https://pier.example/${minute}">the table</a>.</p><img src="https://pier.example/${minute}.png">`,
    })
    await page.keyboard.press('F5')
    await rows.filter({ hasText: subject }).first().click()
    await page.getByRole('article').locator('iframe').contentFrame().getByText('the table').hover()
    if (minute === 2) {
      await page.keyboard.press('c')
      await page.getByRole('form', { name: 'New message' }).getByRole('textbox', { name: 'Message' }).click()
      await page.keyboard.type('A speling of https://pier.example')
    }
    if (minute === 4) {
      await goTo(page, '#/settings')
      await page.getByRole('heading', { name: 'Settings' }).waitFor()
      await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
    }
    await sleep(60_000)
  }
  await electron?.evaluate(({ session }, host) => session.defaultSession.resolveHost(host), CONTROL)
  await linnet.close()
  const asked = outsideRequests(await readFile(file, 'utf8'))
  // Later entries belong to the control lookup.
  expect(
    asked.slice(
      0,
      asked.findIndex((each) => each.includes(CONTROL)),
    ),
  ).toEqual([])
  expect(asked.filter((each) => each.includes(CONTROL))).not.toEqual([])
})
