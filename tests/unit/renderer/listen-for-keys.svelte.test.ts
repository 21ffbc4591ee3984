// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest'
import { Commands, type Command, type CommandContext } from '../../../src/renderer/kernel/commands.ts'
import { MOVE_COMMANDS } from '../../../src/renderer/features/threads/commands.ts'
import { Keymap } from '../../../src/renderer/kernel/keymap.svelte.ts'
import { listenForKeys } from '../../../src/renderer/kernel/listen-for-keys.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { createPreferences } from './support/preferences.ts'

afterEach(() => document.body.replaceChildren())
const ending = endAfterEach()

type Entry = Partial<Command> & Pick<Command, 'id' | 'keys'>

const listenIn = (context: CommandContext, ...entries: readonly Entry[]): string[] => {
  const ran: string[] = []
  const all = entries.map((entry) => ({
    name: entry.id,
    words: '',
    group: 'Linnet' as const,
    run: () => ran.push(entry.id),
    ...entry,
  }))
  const keymap = new Keymap(all, createPreferences().preferences, 'Control')
  listenForKeys(new Commands(all, { ...context, keymap }), ending.signal)
  return ran
}

const listen = (...entries: readonly Entry[]): string[] => listenIn({} as CommandContext, ...entries)

const press = (init: KeyboardEventInit & { key: string }, on: Element = document.body): KeyboardEvent => {
  const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init })
  on.dispatchEvent(event)
  return event
}

const put = (markup: string): Element => {
  document.body.innerHTML = markup
  const [element] = document.body.querySelectorAll('[data-focus], body > *')
  if (element === undefined) throw new Error('there is an element')
  return element
}

describe('window shortcuts', () => {
  it('for lists work in the list, or beside it if empty, but nowhere else', () => {
    const ran = listen({ id: 'tab', keys: ['Tab'], inList: true }, { id: 'back', keys: ['Shift+Tab'], inList: true })
    const main = put('<main tabindex="-1" data-focus><h2 tabindex="-1"></h2><div role="listbox"></div></main>')
    const [list, head] = [main.querySelector('div') ?? main, main.querySelector('h2') ?? main]
    const isTaken = (on: Element, init: KeyboardEventInit = {}): boolean =>
      press({ key: 'Tab', ...init }, on).defaultPrevented
    expect([isTaken(list), isTaken(list, { shiftKey: true })]).toEqual([true, true])
    expect([isTaken(list, { ctrlKey: true }), isTaken(head), isTaken(main), isTaken(document.body)]).not.toContain(true)
    list.remove()
    expect([isTaken(head), isTaken(main), isTaken(document.body)]).toEqual([true, true, false])
    expect(ran).toEqual(['tab', 'back', 'tab', 'tab'])
  })

  it('accept AltGr symbols, but leave Control and Alt combinations to the browser', () => {
    const ran = listen({ id: 'trash', keys: ['#'] })
    const held = { key: '#', code: 'Digit3' }
    for (const init of [
      { ctrlKey: true, altKey: true, modifierAltGraph: true },
      { modifierAltGraph: true },
      { ctrlKey: true, altKey: true },
      { altKey: true },
      { metaKey: true, modifierAltGraph: true },
    ]) {
      press({ ...held, ...init })
    }
    expect(ran).toEqual(['trash', 'trash'])
  })

  it('do nothing in a text field, except Escape and commands that allow it', () => {
    const ran = listen(
      { id: 'archive', keys: ['e'] },
      { id: 'back', keys: ['Escape'] },
      { id: 'undo', keys: ['Mod+z'] },
      { id: 'palette', keys: ['Mod+k', 'y'], inText: true },
      { id: 'sync', keys: ['F5'], inText: true },
    )
    const field = put('<input type="text">')
    expect(press({ key: 'e', code: 'KeyE' }, field).defaultPrevented).toBe(false)
    press({ key: 'y', code: 'KeyY' }, field)
    press({ key: 'z', code: 'KeyZ', ctrlKey: true }, field)
    expect(ran).toEqual([])
    press({ key: 'Escape' }, field)
    expect(press({ key: 'k', code: 'KeyK', ctrlKey: true }, field).defaultPrevented).toBe(true)
    press({ key: 'F5', code: 'F5' }, field)
    expect(ran).toEqual(['back', 'palette', 'sync'])
  })

  it('ignore Delete on a focused link or button', () => {
    const trash = MOVE_COMMANDS.find(({ folder }) => folder === 'trash')
    const ran = listen({ id: 'trash', keys: trash?.keys ?? [] })
    for (const markup of ['<a href="#/">Label</a>', '<button>File</button>', '<input type="text">']) {
      expect(press({ key: 'Delete' }, put(markup)).defaultPrevented, markup).toBe(false)
    }
    expect(ran).toEqual([])
    press({ key: 'Delete' }, put('<main><div role="listbox" tabindex="0" data-focus></div></main>'))
    expect(ran).toEqual(['trash'])
  })

  it('do nothing during text composition or with an open dialog or menu', () => {
    const ran = listen({ id: 'archive', keys: ['e'] })
    press({ key: 'e', code: 'KeyE', isComposing: true })
    for (const role of ['dialog', 'alertdialog', 'menu']) {
      put(`<div role="${role}"></div>`)
      press({ key: 'e', code: 'KeyE' })
    }
    expect(ran).toEqual([])
    put('<div></div>')
    press({ key: 'e', code: 'KeyE' })
    expect(ran).toEqual(['archive'])
  })

  it('work again as soon as a dialog or menu starts to close, except the closing key', () => {
    const ran = listen({ id: 'archive', keys: ['e'] }, { id: 'back', keys: ['Escape'] })
    for (const role of ['dialog', 'alertdialog', 'menu']) {
      const overlay = put(`<div role="${role}" data-state="open"><input data-focus type="checkbox"></div>`)
      overlay.addEventListener('keydown', () => overlay.closest('[role]')?.setAttribute('data-state', 'closed'))
      press({ key: 'e', code: 'KeyE' })
      press({ key: 'Escape' }, overlay)
      expect(ran).toEqual([])
      press({ key: 'e', code: 'KeyE' })
      expect(ran.splice(0)).toEqual(['archive'])
    }
  })

  it('leave a key to a button that it would press', () => {
    const ran = listen({ id: 'open', keys: ['Enter'] }, { id: 'readOn', keys: ['Space'] })
    const button = put('<button type="button"></button>')
    press({ key: 'Enter' }, button)
    press({ key: ' ' }, button)
    expect(ran).toEqual([])
    const link = put('<a href="#/"></a>')
    press({ key: 'Enter' }, link)
    press({ key: ' ' }, link)
    expect(ran).toEqual(['readOn'])
  })

  it('run the first command that can act, or else leave the key to the browser', () => {
    let isEmpty = true
    const ran = listen(
      { id: 'widen', keys: ['Enter'], when: () => isEmpty },
      { id: 'open', keys: ['Enter'], when: () => !isEmpty },
      { id: 'never', keys: ['x'], when: () => false },
    )
    press({ key: 'Enter' })
    isEmpty = false
    press({ key: 'Enter' })
    expect(ran).toEqual(['widen', 'open'])
    expect(press({ key: 'x', code: 'KeyX' }).defaultPrevented).toBe(false)
  })

  it('show the message of a command that can’t act, unless another one can', () => {
    let isEmpty = true
    const said: string[] = []
    const shell = { toasts: { show: (text: string) => said.push(text) } } as unknown as CommandContext['shell']
    const ran = listenIn(
      { shell } as CommandContext,
      { id: 'undo', keys: ['z', 'y'], when: () => false, disabledReason: 'There is nothing.' },
      { id: 'zoom', keys: ['z'], when: () => !isEmpty },
    )
    expect(press({ key: 'z', code: 'KeyZ' }).defaultPrevented).toBe(true)
    expect(said).toEqual(['There is nothing.'])
    isEmpty = false
    press({ key: 'z', code: 'KeyZ' })
    press({ key: 'z', code: 'KeyZ' }, put('<input />'))
    expect([ran, said]).toEqual([['zoom'], ['There is nothing.']])
  })

  it('continue a sequence while a modifier is held', () => {
    const ran = listen({ id: 'starred', keys: ['g S'] })
    press({ key: 'g', code: 'KeyG' })
    press({ key: 'Shift', code: 'ShiftLeft', shiftKey: true })
    press({ key: 'S', code: 'KeyS', shiftKey: true })
    expect(ran).toEqual(['starred'])
  })
})
