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
