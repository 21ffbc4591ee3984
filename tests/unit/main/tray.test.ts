import { expect, it, vi } from 'vitest'
import { createTray } from '../../../src/main/open-tray.ts'

const open = (make?: () => never) => {
  const log: unknown[] = []
  const menus: { readonly label?: string | undefined; readonly click?: unknown }[][] = []
  const done: string[] = []
  const tray = createTray({
    make:
      make ??
      (() => ({
        setToolTip: (words: string) => void log.push(words),
        destroy: () => void log.push('gone'),
        on: vi.fn(),
        setMenu: (items) => void menus.push(items),
      })),
    open: () => void done.push('open'),
    newMessage: () => void done.push('new'),
    quit: () => void done.push('quit'),
    failed: (thrown) => void log.push(thrown),
  })
  const choose = (label: string): void =>
    (menus.at(-1)?.find((item) => item.label === label)?.click as (() => void) | undefined)?.()
  return { tray, log, done, choose, labels: () => menus.at(-1)?.flatMap(({ label }) => label ?? []) }
}

it('shows the tray icon while it is wanted, with the unread count', () => {
  const { tray, log, labels } = open()
  tray.showUnread(3)
  expect(tray.isShown()).toBe(false)
  tray.follow(true)
  tray.follow(true)
  expect(tray.isShown()).toBe(true)
  expect(labels()).toEqual(['3 unread threads', 'Open Linnet', 'New message', 'Quit'])
  tray.showUnread(1)
  tray.showUnread(1)
  tray.showUnread(0)
  expect(labels()).toEqual(['Open Linnet', 'New message', 'Quit'])
  tray.follow(false)
  expect(tray.isShown()).toBe(false)
  expect(log).toEqual(['Linnet: 3 unread threads', 'Linnet: 1 unread thread', 'Linnet', 'gone'])
})

it('opens Linnet, starts a message and quits from its menu', () => {
  const { tray, done, choose } = open()
  tray.follow(true)
  for (const label of ['Open Linnet', 'New message', 'Quit']) choose(label)
  expect(done).toEqual(['open', 'new', 'quit'])
})

it('is absent without system support, so that closing the last window quits', () => {
  const { tray, log } = open(() => {
    throw new Error('no tray')
  })
  tray.follow(true)
  expect(tray.isShown()).toBe(false)
  expect(log).toEqual([new Error('no tray')])
})
