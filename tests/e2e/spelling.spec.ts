import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Locator, Page } from '@playwright/test'
import { startDictionaries } from '../support/dictionaries.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, goTo, test, type Linnet } from './linnet.ts'

/** Keeps the desktop's menus instead of showing them: nobody is there to choose. */
const keepMenus = async (electron: ElectronApplication): Promise<void> =>
  electron.evaluate(({ Menu }) => {
    Menu.prototype.popup = function (this: Electron.Menu) {
      Object.assign(globalThis, { shownMenu: this })
    }
  })

const labelsOf = (electron: ElectronApplication): Promise<readonly string[]> =>
  electron.evaluate(() => {
    const { shownMenu } = globalThis as unknown as { readonly shownMenu?: Electron.Menu }
    return (shownMenu?.items ?? []).filter(({ type }) => type !== 'separator').map(({ label }) => label)
  })

const chooseIn = (electron: ElectronApplication, label: string): Promise<void> =>
  electron.evaluate((_, wanted) => {
    const { shownMenu } = globalThis as unknown as { readonly shownMenu?: Electron.Menu }
    shownMenu?.items.find((item) => item.label === wanted)?.click()
  }, label)

/** Screen position of a word in a field. */
const placeOf = async (field: Locator, word: string): Promise<{ readonly x: number; readonly y: number }> =>
  field.evaluate((element, wanted) => {
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
      // Words in a form field have no position, so measure their text.
      const { left, top } = element.getBoundingClientRect()
      const style = getComputedStyle(element)
      const canvas = document.createElement('canvas').getContext('2d')
      if (canvas === null) throw new Error('no canvas')
      canvas.font = style.font
      const before = canvas.measureText(element.value.slice(0, element.value.indexOf(wanted) + 2)).width
      return {
        x: left + Number.parseFloat(style.paddingLeft) + before,
        y: top + Number.parseFloat(style.paddingTop) + Number.parseFloat(style.fontSize) * 0.75,
      }
    }
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.textContent?.indexOf(wanted) ?? -1
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + wanted.length)
      const { left, top, width, height } = range.getBoundingClientRect()
      return { x: left + width / 2, y: top + height / 2 }
    }
    throw new Error(`“${wanted}” not found`)
  }, word)

const menuAt = async (
  page: Page,
  electron: ElectronApplication,
  field: Locator,
  word: string,
): Promise<readonly string[]> => {
  await electron.evaluate(() => Object.assign(globalThis, { shownMenu: undefined }))
  const { x, y } = await placeOf(field, word)
  await page.mouse.click(x, y, { button: 'right' })
  await expect.poll(() => labelsOf(electron)).toContain('Paste')
  return labelsOf(electron)
}

/** Words are checked a moment after they are typed. */
const expectMarked = (page: Page, electron: ElectronApplication, field: Locator, word: string): Promise<void> =>
  expect.poll(() => menuAt(page, electron, field, word), { timeout: 15_000 }).toContain('Add to dictionary')

const writeNew = async ({ page }: Linnet): Promise<Locator> => {
  await expect(page.getByRole('button', { name: 'New message' })).toBeEnabled()
  await page.keyboard.press('c')
  return page.getByRole('form', { name: 'New message' })
}

const requestsIn = (netLog: string): readonly string[] => {
  const { events } = JSON.parse(netLog) as { events: { params?: { url?: string; host?: string } }[] }
  return events.flatMap(({ params }) => [params?.url ?? [], params?.host ?? []].flat())
}

test.describe('on the desktop', () => {
  test.skip(({ hostKind }) => hostKind !== 'electron', 'Browsers check spelling themselves.')
  test.skip(process.platform !== 'linux', 'Other systems check spelling themselves.')

  test('marks, corrects and learns misspelt words without contacting anyone', async ({
    launch,
    platform,
    dataDirectory,
  }) => {
    const netLog = join(dataDirectory, 'net-log.json')
    const linnet = await launch({
      dataDirectory: join(dataDirectory, 'data'),
      env: {
        LINNET_BASE_URL: platform.baseUrl,
        LINNET_API_KEY: platform.apiKey,
        ...(await startDictionaries(dataDirectory)),
      },
      switches: [`--log-net-log=${netLog}`],
    })
    const { page, electron } = linnet
    if (electron === null) throw new Error('This test needs Electron.')
    await keepMenus(electron)
    const form = await writeNew(linnet)
    const message = form.getByRole('textbox', { name: 'Message' })
    await message.waitFor()
    await expectAccessible(page, 'a new message')
    await message.click()
    await page.keyboard.type('The harbuor is free at noon. The gantry, too.')

    await expectMarked(page, electron, message, 'harbuor')
    expect((await menuAt(page, electron, message, 'harbuor'))[0]).toBe('harbour')
    await chooseIn(electron, 'harbour')
    await expect(message).toContainText('The harbour is free at noon.')
    expect(await menuAt(page, electron, message, 'harbour')).not.toContain('Add to dictionary')

    // Addresses are not spell-checked.
    await message.press('ControlOrMeta+End')
    await page.keyboard.type(' At quay.example, ada@quay.example, https://quay.example/wharff and wharff. ')
    await expectMarked(page, electron, message, 'wharff.')
    for (const address of ['quay.example,', 'ada@quay', 'https:']) {
      expect(await menuAt(page, electron, message, address)).not.toContain('Add to dictionary')
    }

    // The draft itself has the corrected word, without the markup that keeps the check off addresses.
    const draft = async (): Promise<string> => {
      const { data } = (await platform.ask(`/inboxes/${platform.inboxId}/drafts`)) as { data: { id: string }[] }
      return data[0] === undefined
        ? ''
        : JSON.stringify(await platform.ask(`/inboxes/${platform.inboxId}/drafts/${data[0].id}`))
    }
    await expect.poll(draft, { timeout: 20_000 }).toMatch(/The harbour is free.*wharff\./)
    expect(await draft()).not.toContain('spellcheck')

    await expectMarked(page, electron, message, 'gantry')
    await chooseIn(electron, 'Add to dictionary')
    await expect
      .poll(() => menuAt(page, electron, message, 'gantry'), { timeout: 15_000 })
      .not.toContain('Add to dictionary')

    const subject = form.getByRole('textbox', { name: 'Subject' })
    await subject.click()
    await page.keyboard.type('The gantry harbuor is free')
    await expectMarked(page, electron, subject, 'harbuor')
    expect(await menuAt(page, electron, subject, 'gantry')).not.toContain('Add to dictionary')
    await menuAt(page, electron, subject, 'harbuor')
    await chooseIn(electron, 'harbour')
    await expect(subject).toHaveValue('The gantry harbour is free')

    await form.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Plain text' }).click()
    // Until the menu closes, this is the rich-text field, which has no value.
    const plain = form.getByRole('textbox', { name: 'Message' }).and(page.locator('textarea'))
    await expect(plain).toHaveValue(/The harbour is free/)
    await plain.press('ControlOrMeta+Home')
    await page.keyboard.type('noon harbuor ')
    await expectMarked(page, electron, plain, 'harbuor')
    await chooseIn(electron, 'harbour')
    await expect(plain).toHaveValue(/^noon harbour The harbour is free/)
    await expect(plain).toHaveAttribute('spellcheck', 'true')

    // Names are not spell-checked.
    await form.getByRole('combobox', { name: 'To', exact: true }).click()
    await page.keyboard.type('harbuor ')
    const to = form.getByRole('combobox', { name: 'To', exact: true })
    expect(await menuAt(page, electron, to, 'harbuor')).not.toContain('Add to dictionary')

    await goTo(page, '#/settings/spelling')
    await expect(page.getByText('Uses your system’s dictionaries: English (United States).')).toBeVisible()
    await page.getByRole('switch', { name: 'Check spelling' }).click()
    await expect(page.getByRole('switch', { name: 'Check spelling' })).not.toBeChecked()
    await expectAccessible(page, 'the settings')
    await goTo(page, '#/')
    await expect(plain).toHaveAttribute('spellcheck', 'false')
    await expect(subject).toHaveAttribute('spellcheck', 'false')
    await linnet.close()

    const strange = requestsIn(await readFile(netLog, 'utf8')).filter(
      (asked) => !/^(?:linnet|data|blob|devtools):/.test(asked),
    )
    expect(strange).toEqual([])
  })

  const hasDictionaries = async ({ page }: Linnet): Promise<boolean> => {
    const state = await page.evaluate(() =>
      (
        globalThis as unknown as { linnet: { call: (name: string, input: unknown, id: null) => Promise<unknown> } }
      ).linnet.call('spelling.state', {}, null),
    )
    return (state as { data: { languages: readonly string[] } }).data.languages.length > 0
  }

  test('fetches no dictionaries when none are installed', async ({ launch, dataDirectory, platform }) => {
    const empty = join(dataDirectory, 'empty')
    await mkdir(empty)
    const netLog = join(dataDirectory, 'net-log.json')
    const linnet = await launch({
      dataDirectory: join(dataDirectory, 'data'),
      env: { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey, DICPATH: empty },
      switches: [`--log-net-log=${netLog}`],
    })
    await test.step('Settings report missing dictionaries', async (step) => {
      await goTo(linnet.page, '#/settings/spelling')
      step.skip(await hasDictionaries(linnet), 'This computer has dictionaries.')
      await expect(linnet.page.getByText('No dictionaries are installed on this computer')).toBeVisible()
    })
    await test.step('Chromium’s own languages are never downloaded', async () => {
      const failed = await linnet.electron?.evaluate(
        ({ session }) =>
          new Promise<string>((resolve) => {
            session.defaultSession.on('spellcheck-dictionary-download-failure', (_event, language) => resolve(language))
            session.defaultSession.setSpellCheckerLanguages(['fr'])
          }),
      )
      expect(failed).toBe('fr')
      await linnet.close()
      // Chromium gives up on the local address before it connects: ERR_UNSAFE_PORT.
      const asked = await readFile(netLog, 'utf8')
      const strange = requestsIn(asked).filter(
        (each) => !/^(?:(?:linnet|data|blob|devtools):|(?:https:\/\/)?127\.0\.0\.1(?![\d.]))/.test(each),
      )
      expect(strange).toEqual([])
      expect(asked).toContain('"net_error":-312')
    })
  })
})
