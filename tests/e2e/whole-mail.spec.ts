import type { Locator, Page } from '@playwright/test'
import { runByPalette } from '../support/screens.ts'
import { deliverAll, expect, test } from './linnet.ts'

const SENDER = 'Heron <news@heron.example>'
const LINES = `${Array.from({ length: 60 }, (_, line) => `<p>Line ${line} of a long letter</p>`).join('')}<p>The very end.</p>`
const PICTURE = 'https://heron.example/hero.png'

/** Each would cut its text off in a browser. */
const CUT: Readonly<Record<string, string>> = {
  'the height of the screen': `<div style="height:100vh;overflow:hidden">${LINES}</div>`,
  'a style sheet': `<style>.a { max-height: 80px !important; min-height: 0; overflow: hidden }</style><div class="a">${LINES}</div>`,
  'a line clamp': `<div style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden">${LINES}</div>`,
  'a ratio': `<div style="aspect-ratio:4/1;overflow:clip">${LINES}</div>`,
  containment: `<div style="contain:strict;height:60px">${LINES}</div><p>After it</p>`,
  'a list that scrolls': `<div style="height:80px;overflow-y:scroll">${LINES}</div>`,
  'one line': `<div style="width:120px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">${'word '.repeat(30)} The very end.</div>`,
}

const mailIn = (page: Page): Locator =>
  page.getByRole('article').locator('iframe').contentFrame().locator('#linnet-mail')

const open = async (page: Page, subject: string): Promise<Locator> => {
  await page.getByRole('option', { name: new RegExp(subject) }).click()
  await expect(page.getByRole('heading', { level: 1, name: subject })).toBeVisible()
  return mailIn(page)
}

/** True if the words lie within every box around them, and at their place. */
const isWhole = (mail: Locator, words: string): Promise<boolean> =>
  mail.evaluate((root, text) => {
    const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    while (walker.nextNode() !== null) {
      const node = walker.currentNode
      const from = node.nodeValue?.indexOf(text) ?? -1
      if (from === -1) continue
      const range = root.ownerDocument.createRange()
      range.setStart(node, from)
      range.setEnd(node, from + text.length)
      const { bottom, right, width } = range.getBoundingClientRect()
      for (let box = node.parentElement; box !== null; box = box.parentElement) {
        const edge = box.getBoundingClientRect()
        const isCutting = getComputedStyle(box).overflowY !== 'visible'
        if (isCutting && (edge.bottom + 1 < bottom || edge.right + 1 < right)) return false
      }
      return width > 0
    }
    return false
  }, words)

/** The lowest contrast of an ink with the paper. */
const inkOf = (mail: Locator, words: string): Promise<string> =>
  mail.getByText(words).evaluate((element) => getComputedStyle(element).color)

test('shows and prints all of a message, whatever its styles cut off', async ({ linnet, platform }) => {
  const { page } = linnet
  test.skip(linnet.electron !== null, 'Electron draws with the same engine.')
  await deliverAll(page, platform, [
    ...Object.entries(CUT).map(([by, html]) => ({ from: SENDER, subject: `Cut by ${by}`, text: '', html })),
    {
      from: SENDER,
      subject: 'Preview text',
      text: '',
      html: '<div style="max-height:0;overflow:hidden">Seen by no one</div><div style="height:1px;overflow:hidden">Nor this</div><p>Hello</p>',
    },
  ])
  for (const by of Object.keys(CUT)) {
    const mail = await open(page, `Cut by ${by}`)
    await expect.poll(() => isWhole(mail, 'The very end.'), by).toBe(true)
  }
  await test.step('preview text stays hidden', async () => {
    const mail = await open(page, 'Preview text')
    await expect.poll(() => isWhole(mail, 'Hello')).toBe(true)
    expect(await isWhole(mail, 'Seen by no one')).toBe(false)
    expect(await isWhole(mail, 'Nor this')).toBe(false)
  })
  await test.step('on paper', async () => {
    await page.evaluate(() => {
      const stopPrinting = ({ target }: Event): void => {
        if (target instanceof HTMLIFrameElement && target.contentWindow !== null)
          target.contentWindow.print = () => undefined
      }
      document.addEventListener('load', stopPrinting, true)
    })
    for (const by of Object.keys(CUT)) {
      await open(page, `Cut by ${by}`)
      await runByPalette(page, 'Print thread')
      const printed = page.locator('iframe[title="Print"]').contentFrame()
      await expect(printed.getByRole('heading', { level: 1 })).toHaveText(`Cut by ${by}`)
      expect(await isWhole(printed.locator('#linnet-mail'), 'The very end.'), by).toBe(true)
    }
  })
})

test('gives words on a blocked picture an ink that can be read', async ({ linnet, platform }) => {
  const { page } = linnet
  test.skip(linnet.electron !== null, 'Electron draws with the same engine.')
  await deliverAll(page, platform, [
    {
      from: SENDER,
      subject: 'White words',
      text: '',
      html: `<style>.hero { background: url(${PICTURE}) }</style><div class="hero"><h1 style="color:#fff">On a picture</h1></div>
      <table bgcolor="black"><tr><td style="color:#fff">On black</td></tr></table><p style="color:#999">In grey</p>
      <div style="background:linear-gradient(rgba(0,0,0,.4),rgba(0,0,0,.4)),url(${PICTURE})"><p style="color:#fff">On a shade</p></div>
      <p style="color:#fff">Hidden by its colour</p>`,
    },
  ])
  const mail = await open(page, 'White words')
  await expect.poll(() => inkOf(mail, 'On a picture')).toBe('rgb(25, 25, 25)')
  expect(await inkOf(mail, 'On black')).toBe('rgb(255, 255, 255)')
  expect(await inkOf(mail, 'In grey')).toBe('rgb(115, 115, 115)')
  expect(await inkOf(mail, 'On a shade')).toBe('rgb(38, 38, 38)')
  expect(await inkOf(mail, 'Hidden by its colour')).toBe('rgb(255, 255, 255)')
})
