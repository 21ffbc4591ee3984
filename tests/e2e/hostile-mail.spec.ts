import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from './linnet.ts'

test('hostile mail runs nothing, loads nothing and covers nothing', async ({ linnet, platform }) => {
  const { page } = linnet
  const hits: string[] = []
  const tracker = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => tracker.listen(0, '127.0.0.1', resolve))
  const remote = `http://127.0.0.1:${(tracker.address() as AddressInfo).port}`

  await platform.deliver({
    from: '"Prize Desk" <win@prizes.example>',
    subject: 'You have won',
    text: 'You have won.',
    html: `<!doctype html><html><head>
      <meta http-equiv="refresh" content="0;url=${remote}/refresh">
      <base href="${remote}/base/">
      <link rel="stylesheet" href="${remote}/sheet.css">
      <style>@import url("${remote}/import.css"); body { background: url(${remote}/background.png) }
        @font-face { font-family: x; src: url(${remote}/font.woff2) } p { font-family: x }</style>
      </head><body onload="parent.__compromised = 1">
      <script>parent.__compromised = 2; fetch('${remote}/script')</script>
      <img src="${remote}/pixel.gif" width="1" height="1">
      <img src="x" onerror="parent.__compromised = 3">
      <img srcset="${remote}/srcset.png 1x">
      <svg onload="parent.__compromised = 4"><image href="${remote}/svg.png"/></svg>
      <video poster="${remote}/poster.png" src="${remote}/video.mp4" autoplay></video>
      <iframe src="${remote}/frame"></iframe><object data="${remote}/object"></object><embed src="${remote}/embed">
      <form action="${remote}/form"><input name="password"><button>Claim</button></form>
      <a href="javascript:parent.__compromised=5">Claim your prize</a>
      <a href="${remote}/phish" ping="${remote}/ping">https://bank.example</a>
      <div style="position:fixed;inset:0;background:red;z-index:99999">Your session has expired</div>
      <p>Congratulations, dear winner.</p></body></html>`,
  })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /You have won/ }).click()
  const article = page.getByRole('article', { name: /E-mail from Prize Desk/ })
  const body = article.frameLocator('iframe')
  await expect(body.getByText('Congratulations, dear winner.')).toBeVisible()
  await body.getByText('Claim your prize').click({ force: true })

  // The window still works, and nothing of the mail lies over it.
  await page.getByRole('toolbar', { name: 'Thread actions' }).getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByRole('option', { name: /You have won/ })).toBeHidden()

  expect(await page.evaluate(() => '__compromised' in globalThis)).toBe(false)
  expect(hits).toEqual([])
  tracker.close()
})

test(
  'who sent a message is seen whatever the sender calls itself',
  { tag: '@window' },
  async ({ linnet, platform }) => {
    const { page } = linnet
    const name = `Your Bank${'\u00a0'.repeat(400)}Security and a very long name ${'indeed '.repeat(40)}`
    await platform.deliver({
      from: { name, address: 'x@evil.example' },
      subject: 'invoice_\u202efdp.exe',
      text: 'See \u202eannexe',
    })
    await page.keyboard.press('F5')
    const row = page.getByRole('option', { name: /invoice_\ufffdfdp\.exe/ })
    await expect(row).toContainText('See \ufffdannexe')
    await row.click()
    const address = page.getByRole('article').getByText('x@evil.example', { exact: true }).first()
    await expect(address).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('heading', { name: 'invoice_\ufffdfdp.exe' })).toBeVisible()
  },
)

test(
  'a message with a style of the reader’s name, a broken link and a height of its own stays readable',
  { tag: '@window' },
  async ({ linnet, platform }) => {
    const { page } = linnet
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await platform.deliver({
      from: 'Odd <odd@sender.example>',
      subject: 'An odd one',
      html: '<style id="linnet-mail">p { color: red }</style><p>Above</p><a href="#%">Jump</a><div style="height:23000000px"></div>',
    })
    await page.keyboard.press('F5')
    await page.getByRole('option', { name: /An odd one/ }).click()
    const frame = page.getByRole('article').locator('iframe')
    await expect(frame.contentFrame().getByText('Above')).toBeVisible()
    await frame.contentFrame().getByText('Jump').click()
    await expect.poll(async () => (await frame.boundingBox())?.height).toBe(20_000)
    expect(errors).toEqual([])
  },
)
