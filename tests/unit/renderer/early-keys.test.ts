// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { EarlyKeys } from '../../../src/renderer/early-keys.ts'

it('keys that were struck before the window could answer are struck again where the focus is, in their order', () => {
  const seen: string[] = []
  const keys = new EarlyKeys(document, ({ key }) => void seen.push(key))
  const strike = (key: string, shiftKey = false) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true }))
  strike('j')
  strike('I', true)
  expect(seen).toEqual(['j', 'I'])
  const list = document.createElement('div')
  list.tabIndex = 0
  document.body.append(list)
  list.focus()
  const heard: unknown[] = []
  addEventListener('keydown', ({ key, shiftKey, target }) => heard.push([key, shiftKey, target]))
  keys.strike()
  expect(heard).toEqual([
    ['j', false, list],
    ['I', true, list],
  ])
  // From here on the window hears them itself.
  strike('k')
  keys.strike()
  expect(heard).toHaveLength(3)
})
