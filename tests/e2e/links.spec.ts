import type { Page } from '@playwright/test'
import { DECEPTIVE_LINKS } from '../support/deceptive-links.ts'
import { drawPng } from '../support/drawn-pictures.ts'
import type { Platform } from '../support/platform.ts'
import { findFaults } from './expect-accessible.ts'
import { deliverAll, expect, test, type Linnet } from './linnet.ts'
import { boxOf } from './measure.ts'

/** Records addresses that the window asked the desktop or browser to open. */
const watchOpened = async (
  { page, electron }: Linnet,
  hosts = /\.example\//,
): Promise<() => Promise<readonly string[]>> => {
  if (electron === null) {
    const opened: string[] = []
    await page.context().route(hosts, (route) => route.fulfill({ body: 'outside' }))
    page.context().on('page', (opening) => {
      void opening.waitForURL(hosts).then(() => {
        opened.push(opening.url())
        return opening.close()
      })
    })
    return () => Promise.resolve(opened)
  }
  await electron.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.openExternal = (url) => {
      opened.push(url)
      return Promise.resolve()
    }
  })
  return () => electron.evaluate(() => (globalThis as unknown as { opened: readonly string[] }).opened)
}

const line = (page: Page) => page.locator('[data-link-line]')
const FIRST_MESSAGE = 'First message from this address on this computer.'
const question = (page: Page) => page.getByRole('dialog', { name: /this (?:link|address)\?$/ })

/** Links whose text or appearance disagrees with their targets, by various means, with the warning shown. */
const LIES = [
  ['plain', '<a href="https://evil.example/1">bank.example</a>', /says bank\.example/],
  ['entities', '<a href="https://evil.example/2">bank&#46;exam&#112;le</a>', /says bank\.example/],
  ['split', 'bank.<a href="https://evil.example/3">example</a>', /says bank\.example/],
  [
    'picture',
    '<a href="https://evil.example/4"><img src="https://evil.example/p.png" alt="bank.example" height="30"></a>',
    /says bank\.example/,
  ],
  [
    'reversed by its style',
    '<a href="https://evil.example/5" style="unicode-bidi:bidi-override;direction:rtl">elpmaxe.knab</a>',
    /can’t tell what the link says/,
  ],
  [
    'in another order',
    '<a href="https://evil.example/6" style="display:inline-flex;flex-direction:row-reverse"><span>.example</span><span>bank</span></a>',
    /says bank\.example/,
  ],
  [
    'with hidden letters between',
    '<a href="https://evil.example/7">bank<span style="display:none">ing news</span>.exam<span style="font-size:0">x y</span>ple</a>',
    /says bank\.example/,
  ],
  ['by a style sheet', '<a class="put" href="https://evil.example/8">&nbsp;</a>', /can’t tell what the link says/],
  [
    'parted by a cell of a table',
    '<table cellspacing="0" cellpadding="0"><tr><td>bank.</td><td><a href="https://evil.example/12">example</a></td></tr></table>',
    /says bank\.example/,
  ],
  [
    'around what is cut away',
    '<a href="https://evil.example/13">bank<span style="position:absolute;clip:rect(0,0,0,0)">ing</span>.example</a>',
    /says bank\.example/,
  ],
  [
    'with a blank that is none',
    '<a href="https://evil.example/14" style="word-spacing:-4px">bank .example</a>',
    /can’t tell what the link says/,
  ],
  [
    'begun by the style of what it is in',
    '<b class="begun"><a href="https://evil.example/15">.example</a></b>',
    /can’t tell what the link says/,
  ],
  [
    'partly painted white',
    '<div style="position:relative"><a href="https://evil.example/17">evil.example/bank.example</a><div style="position:absolute;left:0;top:0;width:88px;height:20px;background:#fff"></div></div>',
    /can’t tell what the link says/,
  ],
  [
    'without its first letters',
    '<p class="headless"><a href="https://abank.example/18">abank.example</a></p>',
    /can’t tell what the link says/,
  ],
  [
    'in the colour of the paper',
    '<a href="https://evil.example/19">bank<span style="color:#fefefe;letter-spacing:-1px">ing</span>.example</a>',
    /can’t tell what the link says/,
  ],
  [
    'joined by places',
    '<div style="position:relative;height:20px"><a href="https://evil.example/20" style="position:absolute;left:40px;top:0">.example</a><b style="position:absolute;right:calc(100% - 40px);top:0;font-weight:400">bank</b></div>',
    /says bank\.example/,
  ],
  [
    'over a text',
    '<div style="position:relative">Your bank<a href="https://evil.example/9" style="position:absolute;inset:0"></a></div>',
    /covers other content/,
  ],
  [
    'over a button',
    '<div style="position:relative"><div style="padding:20px;background:#00f;color:#fff">Sign in</div><a href="https://evil.example/21" style="position:absolute;inset:0">&nbsp;</a></div>',
    /covers other content/,
  ],
  [
    'stretched over a text',
    '<div style="position:relative">Your account <a class="stretched" href="https://evil.example/10">x</a></div>',
    /covers other content/,
  ],
  [
    'pulled over a text',
    '<div>Statement</div><a href="https://evil.example/11" style="display:block;margin-top:-20px;height:20px;opacity:0">Read</a>',
    /covers other content/,
  ],
] as const

const HONEST = [
  ['View in browser', 'https://click.esp.example/t/1'],
  ['bank.example', 'https://www.bank.example/'],
] as const
/** Hidden preview text of a newsletter, and an address broken at the end of a line. */
const ALSO_HONEST = [
  '<div style="max-height:0;overflow:hidden">&#847;&zwnj; Offers &#847;&zwnj;</div><a href="https://quill.example/below">Below</a>',
  '<a href="https://www.quill.example/broken" style="display:block;width:60px;word-break:break-all">https://www.quill.example/broken</a>',
  '<img src="https://quill.example/p.png" style="float:left" width="60" height="40" alt="A"><p>At <a href="https://quill.example/float"><b>quill</b>.example</a></p>',
  '<table width="900"><tr><td style="font-size:0"><span style="font-size:16px">By <a href="https://quill.example/wide">quill.example.</a></span></td></tr></table>',
] as const

test('shows a link’s target and opens a deceptive link only after confirmation', async ({ linnet, platform }) => {
  const { page } = linnet
  const opened = await watchOpened(linnet)
  await platform.deliver({
    from: 'ada@quill.example',
    subject: 'Links of all kinds',
    text: 'Links',
    html: `<style>.begun::before { content: "bank" } .put::after { content: "bank" ".example" } .headless::first-letter { font-size: 0 } .stretched::after { content: ""; position: absolute; inset: 0 }</style>
      ${HONEST.map(([words, href]) => `<p title="https://other.example"><a href="${href}" title="bank.example">${words}</a></p>`).join('')}
      ${LIES.map(([name, html]) => `<div id="${name.replaceAll(' ', '-')}" style="margin:12px 0;line-height:20px">${html}</div>`).join('')}
      ${ALSO_HONEST.map((html) => `<div class="honest">${html}</div>`).join('')}
      <p><a href="mailto:ada@quill.example">Write to us</a></p>`,
  })
  await platform.deliver({
    from: 'ada@quill.example',
    subject: 'Links in a text',
    text: 'See https://bank.example@evil.example/a and https://quill.example/b',
    replyTo: 'collect@evil.example',
    headers: { 'Authentication-Results': 'mx.example; spf=pass; dkim=pass; dmarc=fail' },
  })
  await page.keyboard.press('F5')
  // Wait for all rows: each arrival moves the others from under the pointer.
  await expect(page.getByRole('option')).toHaveCount(2)
  await page.getByRole('option', { name: /Links of all kinds/ }).click()
  const body = page.frameLocator('iframe')

  const [honest, sameOwner] = HONEST.map(([words, href]) => ({
    link: body.getByRole('link', { name: words, exact: true }).first(),
    href,
  }))
  if (honest === undefined || sameOwner === undefined) throw new Error('no links')
  await expect(line(page)).toHaveCount(0)
  await honest.link.hover()
  await expect(line(page)).toHaveText('https://click.esp.example/t/1')
  await expect(line(page).locator('.host')).toHaveText('click.esp.example')
  await expect(page.locator('[data-link-announcer]')).toHaveText('')
  // The link's address covers only the line at the bottom, where no row or mail is drawn.
  const [box, main] = [await boxOf(line(page)), await boxOf(page.getByRole('main'))]
  expect(box.y).toBeGreaterThanOrEqual(main.y + main.height)
  for (const { link, href } of [honest, sameOwner]) {
    await link.click()
    await expect.poll(opened).toContain(href)
    await expect(question(page)).toHaveCount(0)
  }

  for (const name of ['below', 'broken', 'float', 'wide']) {
    await body.locator(`.honest a[href$="${name}"]`).click({ position: { x: 5, y: 5 } })
    await expect.poll(opened).toContainEqual(expect.stringMatching(`quill\\.example/${name}$`))
    await expect(question(page)).toHaveCount(0)
  }

  for (const [name, , reason] of LIES) {
    const holder = body.locator(`#${name.replaceAll(' ', '-')}`)
    // Click at the link's position, whatever lies there.
    if (name.includes('over')) await holder.click({ position: { x: 8, y: 8 } })
    else await holder.locator('a').click()
    await expect(question(page), name).toContainText(reason)
    await expect(question(page).getByRole('button', { name: 'Cancel' }), name).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(question(page)).toBeHidden()
  }
  expect((await opened()).filter((url) => url.includes('evil.example'))).toEqual([])

  await page.getByRole('option', { name: /Links in a text/ }).hover()
  await honest.link.focus()
  await expect(page.locator('[data-link-announcer]')).toHaveText('Goes to click.esp.example')
  for (const href of ['https://www.bank.example/', 'https://evil.example/1']) {
    await page.keyboard.press('Tab')
    await expect(line(page)).toHaveText(href.replace(/example\/$/, 'example'))
  }
  await page.keyboard.press('Enter')
  await expect(question(page)).toContainText('Goes to')
  expect(await findFaults(page, 'all')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(question(page)).toBeHidden()
  await expect(line(page)).toHaveText('https://evil.example/1')
  await page.keyboard.press('Enter')
  await question(page).getByRole('button', { name: 'Open link' }).press('Enter')
  await expect.poll(opened).toContain('https://evil.example/1')

  await body.getByRole('link', { name: 'Write to us' }).click()
  const message = page.getByRole('form', { name: 'New message' })
  await expect(message.getByText('ada@quill.example', { exact: true })).toBeVisible()
  await expect(message.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await message.getByRole('button', { name: 'Discard draft' }).click()
  await expect(message).toHaveCount(0)

  await page.getByRole('option', { name: /Links in a text/ }).click()
  const lying = page.getByRole('link', { name: 'https://bank.example@evil.example/a' })
  await lying.hover()
  await expect(line(page).locator('.host')).toHaveText('evil.example')
  await lying.click({ button: 'middle' })
  await expect(question(page)).toContainText('before the @')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'https://quill.example/b' }).click()
  await expect.poll(opened).toContain('https://quill.example/b')

  const about = page.getByRole('note', { name: 'About the sender' })
  await expect(about).toContainText('Your reply would go to collect@evil.example, at another domain.')
  await expect(page.getByTitle(FIRST_MESSAGE)).toHaveCount(0)
  await page.getByRole('button', { name: 'Domain not confirmed' }).press('Enter')
  const checks = page.getByRole('dialog', { name: 'Sender checks' })
  await expect(checks).toContainText(/SPF.*Passed.*DKIM.*Passed.*DMARC.*Failed/s)
  expect(await findFaults(page, 'all')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(checks).toBeHidden()
  await page.getByRole('option', { name: /Links of all kinds/ }).hover()
  await page.getByRole('option', { name: /Links of all kinds/ }).click()
  await expect(line(page)).toHaveCount(0)
  await expect(page.getByTitle(FIRST_MESSAGE)).toBeVisible()
  await expect(about).toHaveCount(0)
})

test('opens no deceptive link without a question, however it is drawn', async ({ linnet, platform }) => {
  const { page } = linnet
  const opened = await watchOpened(linnet)
  await platform.deliver({
    from: 'ada@quill.example',
    subject: 'Ways to deceive',
    html: DECEPTIVE_LINKS.map(
      ([, html], index) => `<div id="w${index}" style="margin:12px 0;min-height:24px">${html}</div>`,
    ).join(''),
  })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Ways to deceive/ }).click()
  const body = page.frameLocator('article iframe')
  for (const [index, [way]] of DECEPTIVE_LINKS.entries()) {
    const link = body.locator(`#w${index} a`).last()
    await link.scrollIntoViewIfNeeded()
    const box = await boxOf(link)
    await page.mouse.click(box.x + Math.min(box.width / 2, 12), box.y + Math.min(box.height / 2, 10))
    await expect(question(page), way).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(question(page)).toBeHidden()
  }
  expect(await opened()).toEqual([])
})

test('keeps mail in place when sender details arrive later', async ({ linnet, platform }) => {
  const { page } = linnet
  await platform.deliver({
    from: 'News <news@quill.example>',
    subject: 'News of the week',
    text: 'News',
    html: '<p>News</p>',
    headers: {
      'Authentication-Results': 'mx.example; spf=pass; dkim=pass; dmarc=pass',
      'List-Unsubscribe': '<mailto:leave@quill.example>',
    },
  })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /News of the week/ }).waitFor()
  // Record the iframe's top in each frame.
  await page.evaluate(() => {
    const tops = new Set<number>()
    const watch = (): void => {
      const frame = document.querySelector('article iframe')
      if (frame !== null) tops.add(frame.getBoundingClientRect().top)
      requestAnimationFrame(watch)
    }
    watch()
    Object.assign(globalThis, { tops })
  })
  await page.getByRole('option', { name: /News of the week/ }).click()
  const mail = page.getByRole('article')
  await expect(mail.getByTitle(FIRST_MESSAGE)).toBeVisible()
  await expect(mail.getByRole('button', { name: 'Domain confirmed' })).toBeVisible()
  await expect(mail.getByRole('button', { name: 'Unsubscribe', exact: true })).toBeVisible()
  expect(await page.evaluate(() => [...(globalThis as unknown as { tops: Set<number> }).tops])).toHaveLength(1)
})

const leavesWithItsLinks = async (page: Page, platform: Platform): Promise<void> => {
  const rope = 'https://rope.example/'
  await deliverAll(page, platform, [
    { from: 'ada@quay.example', subject: 'A text', text: `See ${rope} for it.` },
    { from: 'ada@quay.example', subject: 'A page', text: '', html: `<p>See <a href="${rope}">the rope</a>.</p>` },
    { from: 'ada@quay.example', subject: 'Without a link', text: 'Nothing to see.' },
  ])
  const open = async (subject: string): Promise<void> => {
    await page.getByRole('option', { name: new RegExp(subject) }).click()
    await expect(page.getByRole('heading', { level: 1, name: subject })).toBeVisible()
  }
  await open('A text')
  await page.getByRole('article').getByRole('link', { name: rope }).focus()
  await expect(line(page).locator('.host')).toHaveText('rope.example')
  await page.keyboard.press('k')
  await expect(line(page)).toHaveCount(0)
  await open('A page')
  await page.frameLocator('article iframe').getByRole('link', { name: 'the rope' }).focus()
  await expect(line(page).locator('.host')).toHaveText('rope.example')
  await page.keyboard.press('k')
  await expect(line(page)).toHaveCount(0)
}

/** Honest links whose text touches its neighbours in the source, on the screen, or in neither. */
const TOGETHER = [
  ['beside each other', '<a href="https://quill.com/1">quill.com</a><a href="https://pier.com/">pier.com</a>'],
  [
    'below each other',
    '<a href="https://quill.com/2" style="display:block">quill.com</a><a href="https://pier.com/" style="display:block">pier.com</a>',
  ],
  ['with room between', '<span style="margin-right:8px">Website</span><a href="https://quill.com/3">quill.com</a>'],
  [
    'with padding',
    '<b style="padding:0 9px">Web</b><a href="https://quill.com/4" style="padding:0 9px">quill.com</a><b>com</b>',
  ],
  [
    'in cells',
    '<table cellspacing="0" cellpadding="0"><tr><td><a href="https://quill.com/5">quill.com</a></td><td><a href="https://pier.com/">pier.com</a></td></tr></table>',
  ],
  [
    'in a row',
    '<div style="display:flex;gap:12px"><span>Shop</span><a href="https://quill.com/6">quill.com</a><span>com</span></div>',
  ],
  ['below a word', '<span style="display:block">Website</span><a href="https://quill.com/7">quill.com</a>'],
  [
    'beside a floating word',
    '<span style="float:left;margin-right:20px">Website</span><a href="https://quill.com/8">quill.com</a>',
  ],
] as const

/** The same arrangements, with text that disagrees with the target. */
const TOGETHER_LIES = [
  '<a href="https://evil.co/1">evil.co</a>m',
  'pay<a href="https://evil.com/2">pal.com</a>',
  '<a href="https://evil.com/3">bank</a><a href="https://evil.com/3">.com</a>',
  '<span style="display:inline-block">bank.</span><a href="https://evil.example/4" style="display:inline-block">com</a>',
] as const

const opensHonestOnes = async (
  page: Page,
  platform: Platform,
  opened: () => Promise<readonly string[]>,
): Promise<void> => {
  await platform.deliver({
    from: 'ada@quill.example',
    subject: 'Together',
    html: [...TOGETHER.map(([, html]) => html), ...TOGETHER_LIES]
      .map((html, index) => `<div id="n${index}" style="clear:both;margin:12px 0">${html}</div>`)
      .join(''),
  })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Together/ }).click()
  const body = page.frameLocator('iframe')
  for (const [index, [name]] of TOGETHER.entries()) {
    await body.locator(`#n${index} a[href*="quill.com"]`).click()
    await expect.poll(opened, name).toContain(`https://quill.com/${index + 1}`)
    await expect(question(page), name).toHaveCount(0)
  }
  for (const index of TOGETHER_LIES.keys()) {
    await body
      .locator(`#n${TOGETHER.length + index} a`)
      .first()
      .click()
    await expect(question(page)).toContainText(/The link text says/)
    await page.keyboard.press('Escape')
    await expect(question(page)).toBeHidden()
  }
}

const PARTS = '<p>A line of it.</p>'.repeat(60)

const leadsWithinAMail = async ({ page, electron }: Linnet, platform: Platform): Promise<void> => {
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
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Contents/ }).click()
  const mail = page.getByRole('article').frameLocator('iframe')
  const asked = page.getByRole('dialog', { name: /\?$/ })
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
  await expect(asked).toContainText('says bank.example, but the link goes to evil.example')
  await expect(asked.getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Escape')

  await mail.getByRole('link', { name: 'Call us' }).click()
  await expect(asked).toContainText(/Number\s*\+49301234567/)
  if (electron === null) {
    await expect(asked).toContainText('can’t call or text from a browser')
    await expect(asked.getByRole('button', { name: 'Call number' })).toHaveCount(0)
  }
  await page.keyboard.press('Escape')
  await mail.getByRole('link', { name: '+49 30 1234567' }).click()
  await expect(asked).toContainText('The link text says +49 30 1234567, but the number is +4990099999.')
  await page.keyboard.press('Escape')
  await mail.getByRole('link', { name: 'Text us' }).click()
  await expect(page.getByRole('dialog', { name: 'Text this number?' })).toContainText(/Recipient\s*\+491234/)
  await page.keyboard.press('Escape')
  await expect(mail.getByText('A code')).toBeVisible()
  await expect(mail.getByRole('link', { name: 'A code' })).toHaveCount(0)
}

test(
  'offers links while their mail is shown, jumps within it and opens honest ones directly',
  { tag: '@window' },
  async ({ linnet, platform }) => {
    const { page } = linnet
    const opened = await watchOpened(linnet, /\/\/(?:quill|pier|evil)\.co/)
    await test.step('mail can close while one of its links has the focus', () => leavesWithItsLinks(page, platform))
    await test.step('honest links open even if their text touches other words', () =>
      opensHonestOnes(page, platform, opened))
    await test.step('links and image maps jump within a mail, and numbers need confirmation', () =>
      leadsWithinAMail(linnet, platform))
  },
)
