import type { FrameLocator, Page } from '@playwright/test'
import { drawPng } from '../support/drawn-pictures.ts'
import { expect, test, type Linnet } from './linnet.ts'

const open = async ({ page }: Linnet, subject: string): Promise<FrameLocator> => {
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: new RegExp(subject) }).click()
  return page.getByRole('article').frameLocator('iframe')
}

const question = (page: Page) => page.getByRole('dialog', { name: /\?$/ })

/** Text that stands outside of what its boxes are high, each by its own means. */
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

test(
  'mail whose text is put by place is as high as what is drawn (M1)',
  { tag: '@window' },
  async ({ linnet, platform }) => {
    const { page } = linnet
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
      const mail = await open(linnet, `A bill ${name}`)
      const last = mail.getByText('Line 5 of the bill')
      const shown = async () => {
        const [text, frame] = [
          await last.boundingBox(),
          await page.getByRole('article').locator('iframe').boundingBox(),
        ]
        return text !== null && frame !== null && text.y + text.height <= frame.y + frame.height + 1
      }
      await expect.poll(shown, name).toBe(true)
      // Nothing within the mail is to be scrolled for it.
      const hidden = () => mail.locator('#linnet-mail').evaluate((mail) => mail.scrollHeight - mail.clientHeight)
      await expect.poll(hidden, name).toBe(0)
    }
    const endless = await open(linnet, 'A bill without an end')
    await expect(endless.getByText('Words')).toBeVisible()
    const { height } = (await page.getByRole('article').locator('iframe').boundingBox()) ?? { height: 0 }
    expect(height).toBe(20_000)
  },
)

const PARTS = '<p>A line of it.</p>'.repeat(60)

test(
  'links jump within a mail, areas of a picture lead, and numbers are asked about (M7)',
  { tag: '@window' },
  async ({ linnet, platform }) => {
    const { page } = linnet
    const picture = `data:image/png;base64,${drawPng(200, 100).toString('base64')}`
    await platform.deliver({
      from: 'Quay <post@quay.example>',
      subject: 'Contents',
      html: `<p><a href="#second">Second part</a> <a href="#x-third">Third part</a> <a href=" #with%20blank">Fourth part</a>
      <a href="tel:+49301234567">Call us</a> <a href="sms:+491234?body=x">Text us</a>
      <a href="tel:+4990099999">+49 30 1234567</a> <a href="tel:*%2306%23">A code</a></p>
      <img src="${picture}" width="200" height="100" usemap="#m" alt="A map">
      <map name="m"><area shape="rect" coords="0,0,100,100" href="https://evil.example/left" alt="bank.example">
      <area shape="rect" coords="100,0,200,100" href="#x-third" alt="third"></map>
      ${PARTS}<h2 id="second">The second</h2>${PARTS}<p><a name="x-third"></a>The third</p>${PARTS}
      <details><summary>More</summary>${PARTS}<a name="with blank">The fourth</a></details>
      ${PARTS}<p><a href="#">To the top</a> <a href="#TOP">Top</a></p>`,
    })
    const mail = await open(linnet, 'Contents')
    const first = mail.getByRole('link', { name: 'Second part' })
    for (const [link, place] of [
      ['Second part', 'The second'],
      ['Third part', 'The third'],
      ['Fourth part', 'The fourth'],
    ] as const) {
      await expect(mail.getByText(place)).not.toBeInViewport()
      await mail.getByRole('link', { name: link }).click()
      await expect(mail.getByText(place)).toBeInViewport()
      await mail.getByRole('link', { name: link === 'Third part' ? 'Top' : 'To the top', exact: true }).click()
      await expect(first).toBeInViewport()
    }

    await mail.locator('img').click({ position: { x: 150, y: 50 } })
    await expect(mail.getByText('The third')).toBeInViewport()
    await mail.locator('img').click({ position: { x: 50, y: 50 } })
    await expect(question(page)).toContainText('says bank.example, but it leads to evil.example')
    await expect(question(page).getByRole('listitem')).toHaveCount(1)
    await page.keyboard.press('Escape')

    await mail.getByRole('link', { name: 'Call us' }).click()
    await expect(question(page)).toContainText(/It calls\s*\+49301234567/)
    if (linnet.electron === null) {
      await expect(question(page)).toContainText('cannot place calls')
      await expect(question(page).getByRole('button', { name: 'Call' })).toHaveCount(0)
    }
    await page.keyboard.press('Escape')
    await mail.getByRole('link', { name: '+49 30 1234567' }).click()
    await expect(question(page)).toContainText('Its text says +49 30 1234567, but the number is +4990099999.')
    await page.keyboard.press('Escape')
    await mail.getByRole('link', { name: 'Text us' }).click()
    await expect(page.getByRole('dialog', { name: 'Text this number?' })).toContainText(/It writes to\s*\+491234/)
    await page.keyboard.press('Escape')
    await expect(mail.getByText('A code')).toBeVisible()
    await expect(mail.getByRole('link', { name: 'A code' })).toHaveCount(0)
  },
)
