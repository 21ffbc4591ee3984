// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findSettings, listGroups, settingsItems } from '../../../src/renderer/features/settings/settings-sections.ts'
import SettingsView from '../../../src/renderer/features/settings/SettingsView.svelte'
import type { PaletteItem } from '../../../src/renderer/kernel/commands.ts'
import type { Route } from '../../../src/renderer/kernel/route.ts'
import { SETTINGS } from '../../../src/shared/preferences.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import type { FixtureHandlers } from './support/fixture-transport.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { PLATFORM_ACCOUNT } from './support/platform-account.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()
afterEach(() => {
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})
const scrolled = vi.fn<(this: Element) => void>()
const marked = vi.fn<(this: Element) => void>()
Object.assign(Element.prototype, {
  scrollIntoView(this: Element) {
    scrolled.call(this)
  },
  animate(this: Element) {
    marked.call(this)
  },
})

const HANDLERS: FixtureHandlers = {
  ...PLATFORM_ACCOUNT,
  'agent.get': () => ({ settings: null, freshness: { state: 'live', at: 0 }, isOffered: false }),
}

const openSettings = async (route: Route = { view: 'settings', section: 'accounts' }) => {
  const opened = await openWindow(inbox(null), ending.signal, HANDLERS)
  await opened.shell.account.load()
  opened.shell.route.go(route)
  const { target, settle } = await renderScreen(opened, SettingsView, ending.signal)
  await settle()
  const items: readonly PaletteItem[] = settingsItems(opened.commands.context)
  const element = (selector: string): HTMLElement => {
    const found = target.querySelector<HTMLElement>(selector)
    if (found === null) throw new Error(`there is no ${selector}`)
    return found
  }
  return {
    ...{ opened, target, settle, items, element },
    heading: () => textOf(element('h2')),
    link: (name: string) => [...target.querySelectorAll('nav a')].find((each) => textOf(each) === name) as HTMLElement,
    choose: (name: string) => items.find((item) => item.name === name)?.go(opened.commands.context),
    type: async (text: string) => {
      const field = element('input[type="search"]') as HTMLInputElement
      field.focus()
      field.value = text
      field.dispatchEvent(new Event('input', { bubbles: true }))
      await settle()
    },
    press: async (key: string) => {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      await settle()
    },
  }
}

const textOf = (element: Element | null | undefined): string =>
  (element?.textContent ?? '').replaceAll(/\s+/g, ' ').trim()

describe('page list', () => {
  it('has each page once, below its group', async () => {
    const { opened, target } = await openSettings()
    const groups = listGroups(opened.shell)
    expect([...target.querySelectorAll('nav ul')].map((list) => textOf(list.previousElementSibling))).toEqual(
      groups.map(({ group }) => group),
    )
    const titles = groups.map(({ sections }) => sections.map(({ title }) => title))
    expect([...target.querySelectorAll('nav ul')].map((list) => [...list.children].map(textOf))).toEqual(titles)
    expect([...target.querySelectorAll('optgroup')].map((list) => [...list.children].map(textOf))).toEqual(titles)
    expect(new Set(titles.flat()).size).toBe(titles.flat().length)
    expect(titles.flat().length).toBeGreaterThan(15)
  })

  it('has a page for the section of each preference', async () => {
    const { opened } = await openSettings()
    const ids = listGroups(opened.shell).flatMap(({ sections }) => sections.map(({ id }) => id))
    expect(ids).toEqual(expect.arrayContaining([...new Set(SETTINGS.map(({ section }) => section))]))
  })

  it('mounts only the open page', async () => {
    const { opened, target } = await openSettings({ view: 'settings', section: 'appearance' })
    expect(target.querySelectorAll('h2')).toHaveLength(1)
    const asked = opened.calls.map(({ name }) => name)
    for (const name of ['usage.get', 'agent.get', 'keeping.state', 'backup.state']) expect(asked).not.toContain(name)
  })

  it('shows pages by arrow keys, without leaving the list or adding to the history', async () => {
    const { opened, link, heading, press } = await openSettings()
    const { length } = history
    link('Accounts').focus()
    await press('ArrowDown')
    expect([heading(), document.activeElement]).toEqual(['Inboxes', link('Inboxes')])
    expect(link('Inboxes').tabIndex).toBe(0)
    expect(link('Accounts').tabIndex).toBe(-1)
    await press('End')
    expect(heading()).toBe('Help')
    await press('ArrowUp')
    expect(heading()).toBe('Network')
    expect(history.length).toBe(length)
    expect(opened.shell.route.current).toEqual({ view: 'settings', section: 'network' })
  })

  it('moves the focus into a page that is chosen', async () => {
    const { opened, link, element, heading, settle } = await openSettings()
    link('Privacy').focus()
    link('Privacy').click()
    await settle()
    expect([heading(), document.activeElement]).toEqual(['Privacy', element('h2')])
    expect(location.hash).toContain('#/settings/privacy')
    opened.run('go.back')
    await until(() => heading() === 'Accounts')
  })
})

describe('address', () => {
  it('without a page shows the last one, with the focus in the list', async () => {
    const first = await openSettings({ view: 'settings', section: 'rules' })
    first.opened.shell.route.go(inbox(null))
    document.body.replaceChildren()
    const { opened, heading, link } = await openSettings({ view: 'settings' })
    expect([heading(), document.activeElement]).toEqual(['Rules', link('Rules')])
    expect(opened.shell.route.current).toEqual({ view: 'settings', section: 'rules' })
  })

  it('of a page that does not exist shows the first', async () => {
    const { heading, link } = await openSettings({ view: 'settings', section: 'zzqx' })
    expect(heading()).toBe('Accounts')
    expect(link('Accounts').getAttribute('aria-current')).toBe('page')
  })

  it('of a page moves the focus to its heading', async () => {
    const { element, heading } = await openSettings({ view: 'settings', section: 'signatures' })
    expect([heading(), document.activeElement]).toEqual(['Signatures', element('h2')])
  })
})

describe('palette entries', () => {
  it.each(['a browser', 'the desktop'])('lead to each page and setting, and name all of them, in %s', async (place) => {
    if (place === 'the desktop') vi.stubGlobal('linnet', {})
    const { opened, target, settle, items, element, heading } = await openSettings()
    const pages = listGroups(opened.shell).flatMap(({ sections }) => sections)
    expect(items.length).toBeGreaterThan(pages.length + SETTINGS.length)
    for (const { id, title } of pages) {
      const [page, ...settings] = items.filter((item) => item.id.startsWith(`settings ${id} `))
      expect(page?.name).toBe(title)
      page?.go(opened.commands.context)
      await settle()
      expect(heading()).toBe(title)
      for (const setting of settings) {
        marked.mockClear()
        setting.go(opened.commands.context)
        const row = (): Element | null | undefined => document.activeElement?.closest('[data-setting]')
        await until(() => row() !== null && marked.mock.contexts[0] === row())
        expect([setting.name, location.hash]).toEqual([setting.name, expect.stringContaining(`#/settings/${id}/`)])
        expect(scrolled.mock.contexts.at(-1)).toBe(row())
      }
      // Rows of a list, such as one switch for each inbox, are values rather than settings.
      const controls = [
        ...element('.settings-page').querySelectorAll('[role="group"]:has([type="radio"]), [role="switch"]'),
      ].filter((each) => each.closest('.framed-rows, .framed, li') === null)
      expect(controls.map((each) => each.closest('[data-setting]') === null && textOf(each)).filter(Boolean)).toEqual(
        [],
      )
      const ids = [...target.querySelectorAll<HTMLElement>('[data-setting]')].map(({ dataset }) => dataset.setting)
      expect([title, ids.length]).toEqual([title, settings.length])
    }
  })

  it('mark a setting again if chosen again', async () => {
    const { choose, settle, element } = await openSettings()
    for (const _time of [1, 2]) {
      marked.mockClear()
      choose('Density')
      await until(() => marked.mock.contexts.length > 0)
      await settle()
      expect(marked.mock.contexts).toEqual([element('[data-setting="density"]')])
      expect(document.activeElement).toBe(element('[data-setting="density"] :checked'))
      element('h1').tabIndex = -1
      element('h1').focus()
    }
  })

  it('leave the focus alone if the user has moved on before the setting is loaded', async () => {
    let answer: (() => void) | undefined
    const { opened, choose, settle, element } = await openSettings()
    const waiting = new Promise<void>((resolve) => (answer = resolve))
    const call = opened.shell.backend.call.bind(opened.shell.backend)
    vi.spyOn(opened.shell.backend, 'call').mockImplementation(async (name, input) => {
      if (name === 'keeping.state') await waiting
      return call(name, input)
    })
    choose('Mail to store')
    await settle()
    element('input[type="search"]').focus()
    answer?.()
    await until(() => document.querySelector('[data-setting="period"]') !== null)
    await settle()
    expect(document.activeElement).toBe(element('input[type="search"]'))
  })
})

describe('search', () => {
  const namesOf = (target: Element): readonly string[] =>
    [...target.querySelectorAll('[aria-label="Settings found"] .medium')].map(textOf)

  it.each([
    ['mono', ['Plain text']],
    ['undo', ['Undo send']],
    ['night mode', ['Appearance']],
    ['tracking', ['Privacy']],
    ['text siz', ['Text size']],
    ['clear searches please', ['Clear recent searches']],
    ['zzqx', []],
  ])('finds by name, words and hint: %s', async (typed, names) => {
    const { opened } = await openSettings()
    expect(findSettings(opened.shell, typed).map(({ name }) => name)).toEqual(names)
  })

  it('shows the page of each setting, and opens the first on Enter', async () => {
    const { target, type, press, heading, element } = await openSettings()
    await type('quiet')
    expect(namesOf(target)).toEqual(['Quiet hours'])
    expect(textOf(element('[aria-label="Settings found"] a'))).toContain('Notifications')
    expect(textOf(element('[role="status"]'))).toBe('1 found')
    await press('Enter')
    await until(() => heading() === 'Notifications')
    expect(document.activeElement).toBe(element('[data-setting="quietHours"]'))
    expect(element('input[type="search"]')).toHaveProperty('value', '')
  })

  it('returns to the page on Escape, with what was typed there', async () => {
    const { target, type, press, element } = await openSettings({ view: 'settings', section: 'inboxes' })
    const field = element('.settings-page input') as HTMLInputElement
    field.value = 'inb_1'
    await type('zzqx')
    expect(element('.settings-page').hidden).toBe(true)
    expect(target.textContent).toContain('No setting matches.')
    await press('Escape')
    expect(element('.settings-page').hidden).toBe(false)
    expect(element('.settings-page input')).toBe(field)
    expect(field.value).toBe('inb_1')
  })

  it('moves through the results by arrow keys, and into the list of pages if empty', async () => {
    const { type, press, link } = await openSettings()
    await type('mail')
    await press('ArrowDown')
    const first = document.activeElement
    await press('ArrowDown')
    expect(first?.matches('[aria-label="Settings found"] li:first-child a')).toBe(true)
    expect(document.activeElement?.matches('[aria-label="Settings found"] li:nth-child(2) a')).toBe(true)
    await type('')
    await press('ArrowDown')
    expect(document.activeElement).toBe(link('Accounts'))
  })

  it('ends when a page is chosen', async () => {
    const { type, choose, settle, element, heading } = await openSettings()
    await type('signatures')
    choose('Privacy')
    await settle()
    await until(() => document.activeElement === element('h2'))
    expect([heading(), element('.settings-page').hidden]).toEqual(['Privacy', false])
  })
})

it('keeps Escape in a text field from closing the settings', async () => {
  const { element, press, opened } = await openSettings({ view: 'settings', section: 'inboxes' })
  element('.settings-page input').focus()
  await press('Escape')
  expect(document.activeElement).toBe(element('h2'))
  expect(opened.shell.route.current.view).toBe('settings')
})
