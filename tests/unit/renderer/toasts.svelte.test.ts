// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { ToastManager } from '../../../src/renderer/kernel/toast-manager.svelte.ts'

const UNDO = { name: 'Undo', run: () => undefined } as const
const problem = (message: string) => ({ code: 'internal', message }) as const

it('shows one toast at a time, replacing the previous one', () => {
  const toasts = new ToastManager()
  const first = toasts.show('Archived “Ropes”', UNDO)
  toasts.show('Archived “Paint”', UNDO)
  expect(toasts.toasts.map(({ text }) => text)).toEqual(['Archived “Paint”'])
  toasts.reword(first, 'What is gone is not said again')
  toasts.dismiss(first)
  expect(toasts.shown?.text).toBe('Archived “Paint”')
})

it('queues problems until dismissed, whatever else is shown', () => {
  const toasts = new ToastManager()
  toasts.problem(problem('The disk is full.'))
  toasts.problem(problem('The file is gone.'))
  toasts.problem(problem('The disk is full.'))
  expect([toasts.shown?.text, toasts.shown?.duration, toasts.toasts.length]).toEqual(['The file is gone.', null, 2])
  const said = toasts.show('Archived “Ropes”', UNDO)
  expect(toasts.shown?.text).toBe('Archived “Ropes”')
  toasts.dismiss(said)
  for (const text of ['The file is gone.', 'The disk is full.']) {
    expect(toasts.shown?.text).toBe(text)
    toasts.dismiss(toasts.shown?.id ?? 0)
  }
  expect(toasts.shown).toBeNull()
})
