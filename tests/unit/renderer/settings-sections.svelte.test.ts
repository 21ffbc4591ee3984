// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest'
import { listSections, settingsItems } from '../../../src/renderer/features/settings/settings-sections.ts'
import SettingsView from '../../../src/renderer/features/settings/SettingsView.svelte'
import type { PaletteItem } from '../../../src/renderer/kernel/commands.ts'
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
Element.prototype.scrollIntoView = function scrollIntoView(this: Element): void {
  scrolled.call(this)
}

const HANDLERS: FixtureHandlers = {
  ...PLATFORM_ACCOUNT,
  'agent.get': () => ({ settings: null, freshness: { state: 'live', at: 0 }, isOffered: false }),
}

const drawSettings = async () => {
  const opened = await openWindow(inbox(null), ending.signal, HANDLERS)
  await opened.shell.account.load()
  opened.shell.route.go({ view: 'settings' })
  const { target, settle } = await renderScreen(opened, SettingsView, ending.signal)
  await until(() => target.querySelectorAll('fieldset').length > 10)
  const items: readonly PaletteItem[] = settingsItems(opened.commands.context)
  return { opened, target, settle, items }
}

const textOf = (element: Element | null | undefined): string =>
  (element?.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
/** The first two words: some labels end with a name that depends on the system. */
const startOf = (name: string): string => name.toLowerCase().split(' ').slice(0, 2).join(' ')

it.each(['a browser', 'the desktop'])('has a palette entry for each section and setting, in %s', async (place) => {
  if (place === 'the desktop') vi.stubGlobal('linnet', {})
  const { opened, target, items } = await drawSettings()
  const sections = listSections(opened.shell)
  expect(sections.length).toBeGreaterThan(15)
  for (const { id, title } of sections) {
    const names = items.filter((item) => item.id.startsWith(`settings ${id} `)).map(({ name }) => name)
    expect(names[0]).toBe(title)
    const section = target.querySelector(`section[aria-labelledby="${id}-heading"]`)
    const shown = textOf(section).toLowerCase()
    for (const name of names.slice(1)) expect([name, shown.includes(startOf(name))]).toEqual([name, true])
    // Rows of a list, such as one switch for each inbox, are values rather than settings.
    const controls = [...(section?.querySelectorAll('legend, [role="switch"] .label, #zoom-legend') ?? [])].filter(
      (each) => each.closest('.framed-rows, li, details') === null,
    )
    expect(names.map(startOf)).toEqual(expect.arrayContaining(controls.map((each) => startOf(textOf(each)))))
  }
})

it('shows the section of an entry, with the focus on its heading, again if chosen again', async () => {
  const { opened, target, settle, items } = await drawSettings()
  const item = items.find(({ name }) => name === 'Quiet hours')
  const heading = target.querySelector('#notifications-heading')
  for (const _time of [1, 2]) {
    target.querySelector('h1')?.focus()
    scrolled.mockClear()
    item?.go(opened.commands.context)
    await settle()
    expect(document.activeElement).toBe(heading)
    expect(scrolled.mock.contexts).toEqual([heading])
    expect(location.hash).toContain('#/settings/notifications')
  }
})

it('shows a section that the search hides', async () => {
  const { opened, target, settle, items } = await drawSettings()
  const field = target.querySelector('input')
  if (field !== null) field.value = 'signatures'
  field?.dispatchEvent(new Event('input', { bubbles: true }))
  await settle()
  const heading = target.querySelector('#privacy-heading')
  expect(heading?.parentElement?.hidden).toBe(true)
  items.find(({ name }) => name === 'Privacy')?.go(opened.commands.context)
  await settle()
  await until(() => document.activeElement === heading)
  expect(heading?.parentElement?.hidden).toBe(false)
})

it('ignores a section that does not exist', async () => {
  const { opened, target, settle } = await drawSettings()
  opened.shell.route.go({ view: 'settings', section: 'zzqx' })
  await settle()
  expect(target.querySelector('[aria-current]')?.textContent).toBe('Accounts')
})

it('shows the section of an address when it opens', async () => {
  const opened = await openWindow(inbox(null), ending.signal, HANDLERS)
  opened.run('go.rules')
  const { target } = await renderScreen(opened, SettingsView, ending.signal)
  expect(document.activeElement).toBe(target.querySelector('#rules-heading'))
})
