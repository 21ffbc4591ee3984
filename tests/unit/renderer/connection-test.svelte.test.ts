// @vitest-environment jsdom
import type { Component } from 'svelte'
import { expect, it, vi } from 'vitest'
import ConnectionTestDialog from '../../../src/renderer/features/accounts/ConnectionTestDialog.svelte'
import type { ConnectionStep } from '../../../src/shared/connection-test.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

const STEPS: readonly ConnectionStep[] = [
  { name: 'way', state: 'well', words: 'Linnet connects directly.' },
  { name: 'line', state: 'wrong', words: 'No server responds at this address.' },
  { name: 'key', state: 'untried', words: 'Not tried.' },
]

/** The dialog, with connection tests that finish on demand. */
const open = async () => {
  const ends: ((steps: readonly ConnectionStep[] | ProblemError) => void)[] = []
  const runs: string[] = []
  const window = await openWindow(inbox(null), ending.signal, {
    'network.test': ({ run }) => {
      runs.push(run)
      return new Promise((resolve, reject) => {
        ends.push((end) => (end instanceof ProblemError ? reject(end) : resolve(end)))
      })
    },
  })
  const onClose = vi.fn()
  const props = { tested: { accountId: 'fixture' }, address: 'https://api.example', isOpen: true, onClose }
  const View: Component = (internals) => ConnectionTestDialog(internals, props)
  const { settle } = await renderScreen(window, View, ending.signal)
  const dialog = (): HTMLElement => document.querySelector<HTMLElement>('[role="dialog"]') ?? document.body
  const press = async (name: string): Promise<void> => {
    const button = [...dialog().querySelectorAll('button')].find(({ textContent }) => textContent.trim() === name)
    button?.click()
    await settle()
  }
  await until(() => runs.length === 1)
  return {
    ...{ runs, onClose, press },
    tell: async (run: string | undefined, steps: readonly ConnectionStep[]) => {
      window.emit({ name: 'network.tested', payload: { run: run ?? '', steps } })
      await settle()
    },
    end: async (index: number, steps: readonly ConnectionStep[] | ProblemError) => {
      ends[index]?.(steps)
      await new Promise((resolve) => setTimeout(resolve))
      await settle()
    },
    items: () =>
      [...dialog().querySelectorAll('li')].map(({ textContent }) => textContent.replaceAll(/\s+/g, ' ').trim()),
    said: () => dialog().querySelector('[role="status"]')?.textContent,
    list: () => dialog().querySelector('ol'),
    alert: () => dialog().querySelector('[role="alert"]')?.textContent.trim(),
  }
}

it('lists and announces each step of a connection test as it arrives', async () => {
  const { runs, tell, end, items, said, list } = await open()
  expect([items(), said()]).toEqual([[], 'Testing…'])
  expect(list()?.getAttribute('aria-live')).toBe('polite')
  await tell(runs[0], STEPS.slice(0, 1))
  expect(items()).toEqual(['Route OK. Linnet connects directly.'])
  const first = list()?.firstElementChild
  await end(0, STEPS)
  expect(items()).toEqual([
    'Route OK. Linnet connects directly.',
    'Connection Failed. No server responds at this address.',
    'API key Skipped. Not tried.',
  ])
  // The element stays, so screen readers don't repeat it.
  expect(list()?.firstElementChild).toBe(first)
  expect(said()).toBe('Failed: Connection')
})

it('repeats a test and ignores the steps of other runs', async () => {
  const { runs, tell, end, press, items, said } = await open()
  await end(0, STEPS)
  await press('Test again')
  expect([runs.length, items(), said()]).toEqual([2, [], 'Testing…'])
  await tell(runs[0], STEPS)
  expect(items()).toEqual([])
  // Only one test runs at a time.
  await press('Test again')
  expect(runs).toHaveLength(2)
  await end(1, STEPS.slice(0, 1))
  expect(said()).toBe('Everything works.')
})

it('says why a connection test could not run', async () => {
  const { end, items, said, alert } = await open()
  await end(0, new ProblemError({ code: 'no_account', message: 'This account is not open.' }))
  expect([items(), said(), alert()]).toEqual([[], '', 'This account is not open.'])
})

it('copies the steps with their results, and closes on “Done”', async () => {
  const writeText = vi.fn(() => Promise.resolve())
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
  const { end, press, onClose } = await open()
  await end(0, STEPS)
  await press('Copy results')
  expect(writeText).toHaveBeenCalledWith(
    'Route: OK. Linnet connects directly.\nConnection: Failed. No server responds at this address.\nAPI key: Skipped. Not tried.',
  )
  await press('Done')
  expect(onClose).toHaveBeenCalledOnce()
})
