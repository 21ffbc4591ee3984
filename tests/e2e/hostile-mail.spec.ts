import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrameLocator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { expect, test } from './linnet.ts'

test('keeps hostile mail from running, loading or covering anything', async ({ linnet, platform }) => {
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
  const article = page.getByRole('article', { name: /Message from Prize Desk/ })
  const body = article.frameLocator('iframe')
  await expect(body.getByText('Congratulations, dear winner.')).toBeVisible()
  await body.getByText('Claim your prize').click({ force: true })

  await page.getByRole('toolbar', { name: 'Thread actions' }).getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByRole('option', { name: /You have won/ })).toBeHidden()

  expect(await page.evaluate(() => '__compromised' in globalThis)).toBe(false)
  expect(hits).toEqual([])
  tracker.close()
})

const showsItsSender = async (page: Page, platform: Platform): Promise<void> => {
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
}

const staysReadable = async (page: Page, platform: Platform): Promise<void> => {
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
}

const open = async (page: Page, subject: string): Promise<FrameLocator> => {
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: new RegExp(subject) }).click()
  return page.getByRole('article').frameLocator('iframe')
}

/** Text that lies outside the height of its boxes, by various means. */
const PLACED = [
  [
    'by place',
    Array.from(
      { length: 6 },
      (_, line) => `<div style="position:absolute;left:30px;top:${20 + line * 90}px">Line ${line} of the bill</div>`,
    ).join(''),
  ],
  ['by a turn', '<div style="transform:translateY(420px)">Line 5 of the bill</div>'],
  ['by a shift', '<div style="position:relative;top:380px">Line 5 of the bill</div>'],
  [
    'by a margin',
    '<div style="height:400px;margin-bottom:-400px"></div><div style="margin-top:390px;height:0">Line 5 of the bill</div>',
  ],
  ['by a low box', `<div style="height:10px">${'<p>words</p>'.repeat(9)}Line 5 of the bill</div>`],
  [
    'from a wide mail',
    '<div style="width:1200px;position:relative"><b style="position:absolute;top:500px">Line 5 of the bill</b></div>',
  ],
] as const

const isAsHighAsDrawn = async (page: Page, platform: Platform): Promise<void> => {
  for (const [name, html] of PLACED) {
    await platform.deliver({
      from: 'Quay <bills@quay.example>',
      subject: `A bill ${name}`,
      html: `<div style="position:relative">${html}</div>`,
    })
  }
  await platform.deliver({
    from: 'Quay <bills@quay.example>',
    subject: 'A bill without an end',
    html: '<div style="position:relative">Words<div style="position:absolute;top:9000000px">Line 5 of the bill</div></div>',
  })
  for (const [name] of PLACED) {
    const mail = await open(page, `A bill ${name}`)
    const last = mail.getByText('Line 5 of the bill')
    const shown = async () => {
      const [text, frame] = [await last.boundingBox(), await page.getByRole('article').locator('iframe').boundingBox()]
      return text !== null && frame !== null && text.y + text.height <= frame.y + frame.height + 1
    }
    await expect.poll(shown, name).toBe(true)
    // Nothing inside the mail needs scrolling.
    const hidden = () => mail.locator('#linnet-mail').evaluate((mail) => mail.scrollHeight - mail.clientHeight)
    await expect.poll(hidden, name).toBe(0)
  }
  const endless = await open(page, 'A bill without an end')
  await expect(endless.getByText('Words')).toBeVisible()
  const { height } = (await page.getByRole('article').locator('iframe').boundingBox()) ?? { height: 0 }
  expect(height).toBe(20_000)
}

/** Ways for mail to animate its content, immediately or on interaction. */
const MOVING = [
  '<style>@keyframes a { from { opacity: .5 } } .a { animation: a 9s infinite } @media all { .b { -webkit-animation: a 9s infinite } }</style><p class="a b">One</p>',
  '<p style="an\\69mation:a 9s infinite;an/**/imation:a 9s infinite">Two</p>',
  '<style>.c { animation-name: a !important; animation-duration: 9s; --x: a 9s infinite; animation: var(--x) }</style><p class="c">Three</p>',
  '<style>.d { transition: color 9s, margin 9s; } .d:hover { color: red; margin-left: 40px }</style><p class="d">Four</p>',
  '<style>@supports (display: grid) { .e { transition-property: all; transition-duration: 9s } } .e:hover { color: red }</style><p class="e">Five</p>',
  '<style>.f { color: red; @starting-style { color: blue } transition: color 9s }</style><p class="f">Six</p>',
  '<svg width="9" height="9"><rect width="9" height="9"><animate attributeName="x" to="5" dur="9s" repeatCount="indefinite"/></rect></svg>',
  '<marquee>Seven</marquee><blink>Eight</blink>',
  '<style>@import "data:text/css,p{animation:a 9s infinite}"; @layer x { p { animation: a 9s infinite } }</style>',
]

const keepsStill = async (page: Page, platform: Platform): Promise<void> => {
  await platform.deliver({ from: 'Ann <ann@pier.example>', subject: 'Moving', html: MOVING.join('') })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Moving/ }).click()
  const mail = page.frameLocator('iframe')
  for (const words of ['One', 'Four', 'Five', 'Six']) {
    await mail.getByText(words).hover()
    expect(await mail.locator('body').evaluate((body) => body.ownerDocument.getAnimations().length)).toBe(0)
  }
  await expect(mail.locator('svg, marquee, animate')).toHaveCount(0)
}

test(
  'draws mail at full height in its own frame, without motion, below its sender',
  { tag: '@window' },
  async ({ linnet, platform }) => {
    const { page } = linnet
    await test.step('the real sender is visible under any display name', () => showsItsSender(page, platform))
    await test.step('mail with clashing styles, broken links or a fixed height stays readable', () =>
      staysReadable(page, platform))
    await test.step('mail with positioned text is shown at full height', () => isAsHighAsDrawn(page, platform))
    await test.step('mail shows no motion', () => keepsStill(page, platform))
  },
)
