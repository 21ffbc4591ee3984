import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, test, type Linnet } from './linnet.ts'

test.skip(({ hostKind }) => hostKind !== 'electron', 'Pages in a browser can’t drag out files.')

const NOTES = Buffer.from('Grüße vom Hafen\nHigh water at 14:20\n')

/** Records the files that windows drag, by the window's place, instead of starting the system's drag. */
const noteDrags = async ({ electron }: Linnet): Promise<() => Promise<readonly (readonly [number, string])[]>> => {
  await electron?.evaluate(({ BrowserWindow }) => {
    const held = globalThis as { dragged?: unknown[] }
    held.dragged = []
    for (const [index, { webContents }] of BrowserWindow.getAllWindows().entries()) {
      webContents.startDrag = ({ file, icon }) => {
        if (typeof icon !== 'string' && !icon.isEmpty()) held.dragged?.push([index, file])
      }
    }
  })
  return async () => (await electron?.evaluate(() => (globalThis as { dragged?: never[] }).dragged)) ?? []
}

/** Presses on an element and moves, without releasing. */
const pull = async (page: Page, what: Locator): Promise<void> => {
  const { x, y, width, height } = (await what.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(x + width / 3, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width / 3 + 8, y + height / 2 + 8)
  await page.mouse.move(x + width / 3 + 40, y + height / 2 + 60)
}

test('drags attachments and messages out as files', async ({ linnet, platform, dataDirectory }) => {
  const { page, close } = linnet
  await platform.deliver({
    from: '"Ada Quill" <ada@quill.example>',
    subject: 'Papers of the harbour',
    text: 'Attached.',
    attachments: [
      { filename: '../../etc/tide\u202etxt.notes.txt', content: NOTES },
      { filename: 'empty.txt', content: Buffer.alloc(0) },
      { filename: 'invoice.pdf.exe', content: Buffer.from('MZ and the rest of a program') },
    ],
  })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Papers of the harbour/ }).click()
  const article = page.getByRole('article', { name: /Message from Ada Quill/ })
  const files = article.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
  await expect(files).toHaveCount(3)
  const drags = await noteDrags(linnet)
  const folder = join(dataDirectory, 'dragged')
  const release = async (): Promise<void> => {
    await page.mouse.move(700, 20)
    await page.mouse.up()
  }
  const last = async (count: number): Promise<string> => {
    await expect.poll(async () => (await drags()).length).toBe(count)
    return (await drags()).at(-1)?.[1] ?? ''
  }

  await test.step('an attachment, downloaded first, under a safe name in a private folder', async () => {
    await pull(page, files.nth(0))
    const file = await last(1)
    await release()
    expect(relative(folder, file)).toMatch(/^[0-9a-f-]{36}\/etc tide txt\.notes\.txt$/)
    expect(await readFile(file)).toEqual(NOTES)
    expect((await stat(dirname(file))).mode & 0o77).toBe(0)
    expect((await stat(file)).mode & 0o177).toBe(0)
  })

  await test.step('an empty attachment', async () => {
    await pull(page, files.nth(1))
    const file = await last(2)
    await release()
    expect(basename(file)).toBe('empty.txt')
    expect(await readFile(file)).toEqual(Buffer.alloc(0))
  })

  await test.step('the message, by its head', async () => {
    await pull(page, article.getByRole('button', { name: /Ada Quill.*ada@quill\.example/ }))
    const file = await last(3)
    await release()
    expect(basename(file)).toBe('Papers of the harbour.eml')
    expect(await readFile(file, 'utf8')).toContain('Subject: Papers of the harbour')
  })

  await test.step('not a program: Linnet asks whether to save it', async () => {
    await pull(page, files.nth(2))
    const question = page.getByRole('dialog', { name: 'Save invoice.pdf.exe?' })
    await expect(question).toBeVisible()
    await release()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await drags()).toHaveLength(3)
  })

  await test.step('a click with a slight move still opens the attachment', async () => {
    const { x = 0, y = 0 } = (await files.nth(0).boundingBox()) ?? {}
    await page.mouse.move(x + 60, y + 20)
    await page.mouse.down()
    await page.mouse.move(x + 66, y + 24)
    await page.mouse.up()
    await expect(page.getByRole('dialog', { name: /Preview of/ })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  expect(await readdir(folder)).not.toEqual([])
  await close()
  expect(existsSync(folder)).toBe(false)
})
