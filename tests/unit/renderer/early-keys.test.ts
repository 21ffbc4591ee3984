// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { EarlyKeys } from '../../../src/renderer/early-keys.ts'

it('replays early keys in order, at the focused element', () => {
  const seen: string[] = []
  const keys = new EarlyKeys(document, ({ key }) => void seen.push(key))
  const dispatch = (key: string, shiftKey = false) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true }))
  dispatch('j')
  dispatch('I', true)
  expect(seen).toEqual(['j', 'I'])
  const list = document.createElement('div')
  list.tabIndex = 0
  document.body.append(list)
  list.focus()
  const heard: unknown[] = []
  addEventListener('keydown', ({ key, shiftKey, target }) => heard.push([key, shiftKey, target]))
  keys.dispatch()
  expect(heard).toEqual([
    ['j', false, list],
    ['I', true, list],
  ])
  dispatch('k')
  keys.dispatch()
  expect(heard).toHaveLength(3)
})

it('types early characters into the field that the first key focused', () => {
  const keys = new EarlyKeys(document, () => undefined)
  const dispatch = (key: string, held: KeyboardEventInit = {}) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...held }))
  for (const key of ['/', 'f', 'o', 'Shift', 'G', '🌫', 'ArrowLeft', 'Enter']) dispatch(key)
  dispatch('a', { ctrlKey: true })
  const field = document.createElement('input')
  document.body.append(field)
  field.value = 'old '
  const written: unknown[] = []
  field.addEventListener('input', () => void written.push(field.value))
  const leadIn = (event: KeyboardEvent): void => {
    if (event.key !== '/') return
    event.preventDefault()
    field.focus()
    field.setSelectionRange(4, 4)
  }
  addEventListener('keydown', leadIn)
  keys.dispatch()
  removeEventListener('keydown', leadIn)
  expect(written).toEqual(['old f', 'old fo', 'old foG', 'old foG🌫'])
})
