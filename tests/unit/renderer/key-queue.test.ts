// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Commands, type Command, type CommandContext } from '../../../src/renderer/kernel/commands.ts'
import { Keymap } from '../../../src/renderer/kernel/keymap.svelte.ts'
import { listenForKeys } from '../../../src/renderer/kernel/listen-for-keys.ts'
import type { LoadingPart } from '../../../src/renderer/kernel/screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { createPreferences } from './support/preferences.ts'

// Don't fake all timers: jsdom's frame interval is shared by the files of a worker and would stay fake.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
afterEach(() => {
  document.body.replaceChildren()
  vi.useRealTimers()
})
const ending = endAfterEach()

const press = (keys: string, on: Element = document.body): void => {
  for (const key of keys.split(' ')) {
    on.dispatchEvent(new KeyboardEvent('keydown', { key, code: '', bubbles: true, cancelable: true }))
  }
}

/** A window whose mail keeps loading until `arrive()`. */
const open = (loadingPart: LoadingPart) => {
  const window = { loadingPart, hasMail: loadingPart === null, ran: [] as string[] }
  const command = (
    id: string,
    group: Command['group'],
    keys: readonly string[],
    rest: Partial<Command> = {},
  ): Command => ({
    ...{ id, name: id, words: '', group, keys },
    run: () => window.ran.push(id),
    ...rest,
  })
  const all = [
    command('next', 'Threads', ['j'], { when: () => true }),
    command('archive', 'Actions', ['e'], { when: () => true }),
    command('reply', 'Actions', ['r'], { when: () => window.hasMail }),
    command('all', 'Selection', ['* a'], { when: () => true }),
    command('reply all', 'Actions', ['a'], { when: () => window.hasMail }),
    command('back', 'Threads', ['Escape'], { when: () => true }),
    command('write', 'Writing', ['c']),
    command('inbox', 'Go to', ['g i'], {
      run: () => {
        window.ran.push('inbox')
        window.loadingPart = 'list'
      },
    }),
  ]
  const keymap = new Keymap(all, createPreferences().preferences, 'Control')
  const context = { navigator: window, keymap } as unknown as CommandContext
  listenForKeys(new Commands(all, context), ending.signal)
  const arrive = (): void => {
    Object.assign(window, { loadingPart: null, hasMail: true })
    vi.advanceTimersByTime(100)
  }
  return { window, arrive }
}

describe('keys pressed while mail loads', () => {
  it('run in order once it has loaded, with all later keys', () => {
    const { window, arrive } = open('list')
    press('j e r c j')
    vi.advanceTimersByTime(100)
    expect(window.ran).toEqual([])
    arrive()
    expect(window.ran).toEqual(['next', 'archive', 'reply', 'write', 'next'])
  })

  it('wait for a list that earlier keys opened', () => {
    const { window, arrive } = open(null)
    press('g i j e')
    expect(window.ran).toEqual(['inbox'])
    arrive()
    expect(window.ran).toEqual(['inbox', 'next', 'archive'])
  })

  it('wait for an opening thread only if they need it', () => {
    const { window, arrive } = open('mail')
    press('e r')
    expect(window.ran).toEqual(['archive'])
    arrive()
    expect(window.ran).toEqual(['archive', 'reply'])
  })

  it('wait a second at most, then do what they can', () => {
    const { window } = open('list')
    press('e r j')
    vi.advanceTimersByTime(900)
    expect(window.ran).toEqual([])
    vi.advanceTimersByTime(200)
    expect(window.ran).toEqual(['archive', 'next'])
  })

  it('are dropped by Esc, which still runs, and by the pointer', () => {
    const { window, arrive } = open('list')
    press('e j Escape')
    expect(window.ran).toEqual(['back'])
    press('e')
    document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
    arrive()
    expect(window.ran).toEqual(['back'])
  })

  it('don’t hold back a later chord, which the browser can’t run afterwards', () => {
    const { window, arrive } = open('list')
    press('j')
    const copy = new KeyboardEvent('keydown', { key: 'c', ctrlKey: true, bubbles: true, cancelable: true })
    document.body.dispatchEvent(copy)
    expect(copy.defaultPrevented).toBe(false)
    arrive()
    expect(window.ran).toEqual(['next'])
  })

  it('run at once if they need no mail, including complete sequences', () => {
    const { window, arrive } = open('list')
    press('c * a')
    expect(window.ran).toEqual(['write', 'all'])
    arrive()
    expect(window.ran).toEqual(['write', 'all'])
  })

  it('go to the list if it has focus, which sees none of them earlier', () => {
    const { arrive } = open('list')
    document.body.innerHTML = '<main><div role="listbox" tabindex="0"></div></main>'
    const list = document.querySelector<HTMLElement>('[role="listbox"]')
    const heard: string[] = []
    list?.addEventListener('keydown', ({ key }) => heard.push(key))
    list?.focus()
    if (list !== null) press('ArrowDown Enter', list)
    expect(heard).toEqual([])
    arrive()
    expect(heard).toEqual(['ArrowDown', 'Enter'])
  })

  it('become text if a text field has focus by then', () => {
    const { arrive } = open('list')
    document.body.innerHTML = '<textarea></textarea>'
    const typed: unknown[] = []
    Object.assign(document, { execCommand: (...command: unknown[]) => typed.push(command) > 0 })
    press('r h i')
    document.querySelector('textarea')?.focus()
    arrive()
    expect(typed).toEqual(['r', 'h', 'i'].map((letter) => ['insertText', false, letter]))
  })
})

it('holds keys after one that opens a menu until the menu has focus', () => {
  open(null)
  const button = document.createElement('button')
  button.setAttribute('aria-haspopup', 'menu')
  button.setAttribute('aria-expanded', 'false')
  const menu = document.createElement('div')
  menu.tabIndex = -1
  document.body.append(button, menu)
  const heard: string[] = []
  button.addEventListener('keydown', ({ key }) => heard.push(`button ${key}`))
  menu.addEventListener('keydown', ({ key }) => heard.push(`menu ${key}`))
  button.focus()
  press('Enter', button)
  button.setAttribute('aria-expanded', 'true')
  press('Home Enter', button)
  vi.advanceTimersByTime(50)
  expect(heard).toEqual(['button Enter'])
  menu.focus()
  vi.advanceTimersByTime(100)
  expect(heard).toEqual(['button Enter', 'menu Home', 'menu Enter'])
})
