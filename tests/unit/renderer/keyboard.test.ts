// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { listenForShortcuts } from '../../../src/renderer/app/keyboard.ts'

it('a sign that needs AltGr is that sign, and what is held with Control or Alt alone is the browser’s', () => {
  const ran: string[] = []
  const ending = new AbortController()
  listenForShortcuts((command) => ran.push(command), ending.signal)
  const held = { key: '#', code: 'Digit3', bubbles: true }
  for (const init of [
    { ctrlKey: true, altKey: true, modifierAltGraph: true },
    { modifierAltGraph: true },
    { ctrlKey: true, altKey: true },
    { altKey: true },
    { metaKey: true, modifierAltGraph: true },
  ]) {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { ...held, ...init }))
  }
  ending.abort()
  expect(ran).toEqual(['trash', 'trash'])
})
