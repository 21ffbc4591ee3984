import type { Page } from '@playwright/test'
import { drawPng } from '../support/drawn-pictures.ts'
import { expect, test } from './linnet.ts'

/** A PDF made of these objects, numbered from 1, with its trailer. */
const pdf = (trailer: string, ...objects: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...objects.flatMap((object, index) => [
      Buffer.from(`${index + 1} 0 obj`),
      Buffer.from(object),
      Buffer.from('endobj\n'),
    ]),
    Buffer.from(`trailer<</Root 1 0 R${trailer}>>\n`),
  ])
const stream = (about: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<<${about}/Length ${content.length}>>stream\n`), content, Buffer.from('\nendstream ')])
const CATALOG = '<</Type/Catalog/Pages 2 0 R>>'
const pages = (kids: string, count: number): string => `<</Type/Pages/Kids[${kids}]/Count ${count}>>`

/** Red from edge to edge, so that tests can see it was drawn. */
const RED = stream('', Buffer.from('1 0 0 rg 0 0 2000 2000 re f'))
const MANY = 10_000

/** A scanned page of 32×32 points in JBIG2 that declares itself black and has no other data. */
const BLACK_SCAN = Buffer.from([
  ...[0, 0, 0, 0, 0x30, 0, 1, 0, 0, 0, 19],
  ...[0, 0, 0, 32, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0x04, 0, 0],
])

const FILES = {
  'none.pdf': pdf('', CATALOG, pages('', 0)),
  'locked.pdf': pdf(
    `/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${'11'.repeat(32)}>/U<${'22'.repeat(32)}>>>`,
    CATALOG,
    pages('3 0 R', 1),
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>',
  ),
  'cut.pdf': Buffer.from('%PDF-1.7\n1 0 obj<</Type/Cat'),
  // A PDF with a script that runs on opening, a submitted form, a link, and an embedded file.
  'active.pdf': pdf(
    '',
    '<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.launchURL\\("https://hostile.example/js"\\))>>/AA<</WC<</S/URI/URI(https://hostile.example/aa)>>>>/AcroForm<</Fields[5 0 R]/XFA(<x/>)>>/Names<</EmbeddedFiles<</Names[(a.exe) 6 0 R]>>>>>>',
    pages('3 0 R', 1),
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Annots[5 0 R]/AA<</O<</S/URI/URI(https://hostile.example/open)>>>>>>',
    RED,
    '<</Type/Annot/Subtype/Widget/FT/Btn/T(b)/Rect[0 0 200 200]/A<</S/SubmitForm/F(https://hostile.example/form)>>>>',
    '<</Type/Filespec/F(https://hostile.example/file)/EF<</F 4 0 R>>>>',
  ),
  // A PDF whose first page is a mile long, followed by thousands more.
  'long.pdf': pdf(
    '',
    CATALOG,
    pages(Array.from({ length: MANY }, (_, index) => `${index + 4} 0 R`).join(' '), MANY),
    RED,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 4500000]/Contents 3 0 R>>',
    ...Array.from({ length: MANY - 1 }, () => '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 20]/Contents 3 0 R>>'),
  ),
  'large-picture.pdf': pdf(
    '',
    CATALOG,
    pages('3 0 R', 1),
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>',
    stream('', Buffer.from('200 0 0 200 0 0 cm /I Do')),
    stream(
      '/Type/XObject/Subtype/Image/Width 100000/Height 100000/BitsPerComponent 1/ColorSpace/DeviceGray',
      Buffer.alloc(9),
    ),
  ),
  'scan.pdf': pdf(
    '',
    CATALOG,
    pages('3 0 R', 1),
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>',
    stream('', Buffer.from('1 0 0 rg 200 0 0 200 0 0 cm /I Do')),
    stream(
      '/Type/XObject/Subtype/Image/Width 32/Height 32/BitsPerComponent 1/ImageMask true/Filter/JBIG2Decode',
      BLACK_SCAN,
    ),
  ),
  'wall.png': drawPng(2, 2, [100_000, 100_000]),
  'cut.png': drawPng(40, 40).subarray(0, 20),
  'wide.txt': Buffer.from('High water at 14:20, Grüße', 'utf16le'),
  'line.txt': Buffer.alloc(3_000_000, 'one line without an end '),
} as const

const preview = (page: Page, name: string) => page.getByRole('dialog', { name: `Preview of ${name}` })

const redness = (page: Page, number: number): Promise<number> =>
  page
    .getByRole('img', { name: `Page ${number}`, exact: true })
    .locator('canvas')
    .evaluate((canvas: HTMLCanvasElement) => {
      const points = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
      let red = 0
      for (let at = 0; at < points.length; at += 4) if (points[at] === 255 && points[at + 1] === 0) red += 1
      return red / (points.length / 4)
    })

test('previews malicious attachments or explains why not, without a request or a crash', async ({
  linnet,
  platform,
}) => {
  const { page } = linnet
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await platform.deliver({
    from: '"Ada Quill" <ada@quill.example>',
    subject: 'Papers that were made',
    text: 'Attached.',
    attachments: Object.entries(FILES).map(([filename, content]) => ({ filename, content })),
  })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Papers that were made/ }).click()
  await page.getByRole('button', { name: 'Open none.pdf' }).click()
  const next = async (name: keyof typeof FILES) => {
    await page.getByRole('button', { name: 'Next attachment' }).click()
    return preview(page, name)
  }
  await expect(preview(page, 'none.pdf').getByText(/This PDF (?:has no pages|is damaged)/)).toBeVisible()
  await expect((await next('locked.pdf')).getByText('This PDF needs a password.')).toBeVisible()
  await expect((await next('cut.pdf')).getByText('This PDF is damaged')).toBeVisible()
  await expect((await next('active.pdf')).getByText('Page 1 of 1')).toBeVisible()
  await expect.poll(() => redness(page, 1)).toBeGreaterThan(0.9)
  await expect(page.getByRole('dialog').locator('a, input, form, iframe')).toHaveCount(0)

  const long = await next('long.pdf')
  await expect(long.getByText('Page 1 of 10,000')).toBeVisible()
  expect(await long.getByRole('img', { name: /^Page/ }).count()).toBeLessThan(200)
  const region = long.getByRole('region', { name: 'Pages of long.pdf' })
  await region.focus()
  await page.keyboard.press('End')
  await expect.poll(() => redness(page, 10_000)).toBeGreaterThan(0.9)
  await expect(long.getByText('of 10,000')).not.toHaveText('Page 1 of 10,000')
  await long.getByRole('button', { name: 'Zoom out' }).click()
  await expect(long.getByText('75%')).toBeVisible()
  await expect.poll(() => redness(page, 10_000)).toBeGreaterThan(0.9)
  const large = await next('large-picture.pdf')
  await expect(large.getByText('Parts of this PDF are not shown.')).toBeVisible()
  // Decoded by a script that ships with Linnet, because WebAssembly is blocked (S12).
  await expect((await next('scan.pdf')).getByText('Page 1 of 1')).toBeVisible()
  await expect.poll(() => redness(page, 1)).toBeGreaterThan(0.9)
  await expect((await next('wall.png')).getByText('This picture is too large to show')).toBeVisible()
  await expect((await next('cut.png')).getByText('This picture is damaged')).toBeVisible()
  await expect((await next('wide.txt')).getByText('High water at 14:20, Grüße')).toBeVisible()
  const line = await next('line.txt')
  await expect(line.getByText('one line without an end').first()).toBeVisible()
  await line.getByRole('button', { name: 'Show more' }).click()
  await expect(line.locator('pre')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Open none.pdf' })).toBeFocused()
  // To a parser, a custom scheme has no origin.
  const own = page.url().split('/').slice(0, 3).join('/')
  expect(asked.filter((url) => !url.startsWith(own) && !/^(?:data|blob|about):/.test(url))).toEqual([])
})
