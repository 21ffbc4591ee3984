import { describe, expect, it } from 'vitest'
import { nameKey, NO_KEYS, readKey, type KeyPress } from '../../../src/renderer/app/key-sequence.ts'
import { keyCaps, SHORTCUTS } from '../../../src/renderer/app/shortcuts.ts'

/** The commands that a row of key presses gives. */
const strike = (...presses: readonly (Partial<KeyPress> & { readonly key: string })[]): readonly string[] => {
  let memory = NO_KEYS
  return presses.flatMap((press, index) => {
    const read = readKey(SHORTCUTS, memory, { modified: false, at: index * 100, ...press })
    memory = read.memory
    return read.command ?? []
  })
}

describe('keys', () => {
  it('run the command that they are bound to', () => {
    expect(strike({ key: 'j' }, { key: 'k' }, { key: '#' }, { key: 'I' }, { key: '?' })).toEqual([
      'next',
      'previous',
      'trash',
      'markRead',
      'help',
    ])
  })

  it('make a sequence when they are struck soon after each other', () => {
    expect(strike({ key: 'g' }, { key: 'i' })).toEqual(['goInbox'])
    expect(strike({ key: 'g' }, { key: 'c' }, { key: 'e' })).toEqual(['goContacts', 'archive'])
  })

  it('start anew when too much time has passed', () => {
    expect(strike({ key: 'g', at: 0 }, { key: 'i', at: 5000 })).toEqual([])
    expect(strike({ key: 'g', at: 0 }, { key: 'e', at: 5000 })).toEqual(['archive'])
  })

  it('still do their own work after the beginning of a sequence that they do not continue', () => {
    expect(strike({ key: 'g' }, { key: 'j' })).toEqual(['next'])
    expect(strike({ key: 'g' }, { key: 'g' }, { key: 't' })).toEqual(['goSent'])
  })

  it('belong to the system while Control, Alt or Command is held', () => {
    expect(strike({ key: 'e', modified: true })).toEqual([])
    expect(strike({ key: 'g' }, { key: 'i', modified: true }, { key: 'i' })).toEqual([])
  })

  it('are each bound once, so that no shortcut hides another', () => {
    const keys = SHORTCUTS.flatMap((shortcut) => [...shortcut.keys])
    expect(new Set(keys).size).toBe(keys.length)
    for (const key of keys) {
      expect(keys.filter((other) => other !== key && other.startsWith(`${key} `))).toEqual([])
    }
  })

  it('are written as they stand on a keyboard', () => {
    expect(keyCaps('g i')).toEqual(['g', 'i'])
    expect(keyCaps('U')).toEqual(['Shift', 'U'])
    expect(keyCaps('Escape')).toEqual(['Esc'])
  })
})

describe('the name of a key', () => {
  const name = (key: string, code: string, shiftKey = false): string => nameKey({ key, code, shiftKey })

  it('follows Shift alone: Caps Lock makes no "back" a "mark as unread"', () => {
    expect(name('U', 'KeyU')).toBe('u')
    expect(name('u', 'KeyU', true)).toBe('U')
    expect(strike({ key: name('U', 'KeyU') }, { key: name('u', 'KeyU', true) })).toEqual(['back', 'markUnread'])
  })

  it('is that of the place on a keyboard of another script, and of the letter on another Latin one', () => {
    expect(name('о', 'KeyJ')).toBe('j')
    expect(name('О', 'KeyJ', true)).toBe('J')
    expect(name('q', 'KeyA')).toBe('q')
    // Thai and Hindi have vowels and tones on keys of their own, Arabic has two letters on one.
    expect([name('\u0e48', 'KeyJ'), name('\u0e35', 'KeyU'), name('\u093e', 'KeyE')]).toEqual(['j', 'u', 'e'])
    expect(name('\u0644\u0627', 'KeyB')).toBe('b')
    expect(name('Dead', 'KeyE')).toBe('Dead')
  })

  it('tells Space and Shift with Space apart, and leaves signs and named keys as they are', () => {
    expect([name(' ', 'Space'), name(' ', 'Space', true)]).toEqual(['Space', 'Shift+Space'])
    expect([name('#', 'Digit3', true), name('Escape', 'Escape'), name('?', 'Slash', true)]).toEqual([
      '#',
      'Escape',
      '?',
    ])
  })
})
