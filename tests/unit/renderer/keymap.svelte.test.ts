import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { COMMANDS } from '../../../src/renderer/app/commands.ts'
import { Keymap, PATIENCE } from '../../../src/renderer/kernel/keymap.svelte.ts'
import { keyCaps, nameChord, nameKey } from '../../../src/renderer/kernel/name-key.ts'
import { createPreferences } from './support/preferences.ts'

const openKeymap = (preferences = createPreferences().preferences): Keymap =>
  new Keymap(COMMANDS, preferences, 'Control')

const command = (id: string) => {
  const found = COMMANDS.find((each) => each.id === id)
  if (found === undefined) throw new Error(`There is no command ${id}.`)
  return found
}

/** The commands that a row of strokes gives, 100 ms apart; null is a stroke that belongs to the system. */
const strike = (...chords: readonly (string | null)[]): readonly string[] => {
  const keymap = openKeymap()
  return chords.flatMap((chord, index) => keymap.strike(chord, index * 100).at(-1)?.id ?? [])
}

/** With `g` before them they lead to the first inboxes of all accounts. */
const INBOX_NUMBERS = Array.from({ length: 9 }, (_none, index) => String(index + 1))

describe('keys', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('run the command that they are bound to', () => {
    expect(strike('j', 'k', '!', 'I', '?')).toEqual([
      'list.next',
      'list.previous',
      'thread.spam',
      'thread.read',
      'commands.keys',
    ])
  })

  it('make a sequence when they are struck soon after each other', () => {
    expect(strike('g', 'i')).toEqual(['go.inbox'])
    expect(strike('g', 'c', 'e')).toEqual(['go.contacts', 'thread.archive'])
  })

  it('start anew when more than a second has passed', () => {
    const keymap = openKeymap()
    keymap.strike('g', 0)
    expect(keymap.strike('i', PATIENCE + 1)).toEqual([])
    keymap.strike('g', 5000)
    expect(keymap.strike('i', 5000 + PATIENCE).map(({ id }) => id)).toEqual(['go.inbox'])
  })

  it('show the beginning of a sequence and what may follow until a second has passed', () => {
    const keymap = openKeymap()
    expect(keymap.pending).toBeNull()
    keymap.strike('g', 0)
    expect(keymap.pending).toEqual({
      struck: 'g',
      next: ['r', 'd', 'w', 'o', 'i', 'a', 't', 's', 'h', 'm', 'n', 'c', '0', ...INBOX_NUMBERS],
    })
    vi.advanceTimersByTime(PATIENCE - 1)
    expect(keymap.pending).not.toBeNull()
    vi.advanceTimersByTime(1)
    expect(keymap.pending).toBeNull()
    keymap.strike('g', 0)
    keymap.strike('j', 100)
    expect(keymap.pending).toBeNull()
  })

  it('still do their own work after the beginning of a sequence that they do not continue', () => {
    expect(strike('g', 'j')).toEqual(['list.next'])
    expect(strike('g', 'g', 't')).toEqual(['go.sent'])
  })

  it('forget a sequence at a stroke that belongs to the system', () => {
    expect(strike('g', null, 'i')).toEqual([])
  })

  it('are named once each, so that no sequence hides behind its own beginning', () => {
    const keys = COMMANDS.flatMap((each) => each.keys)
    for (const key of keys) {
      expect(keys.filter((other) => other !== key && other.startsWith(`${key} `))).toEqual([])
    }
    expect(new Set(COMMANDS.map(({ id }) => id)).size).toBe(COMMANDS.length)
  })

  it('are those that a person has chosen, also after a restart, and those that Linnet brings again when asked', () => {
    const { preferences, open } = createPreferences()
    const keymap = openKeymap(preferences)
    keymap.choose(command('thread.archive'), ['y', 'g y'])
    expect(keymap.strike('e', 0)).toEqual([])
    const restarted = openKeymap(open(preferences.values))
    expect(restarted.isChosen(command('thread.archive'))).toBe(true)
    expect(restarted.strike('y', 0).map(({ id }) => id)).toEqual(['thread.archive'])
    restarted.strike('g', 100)
    expect(restarted.strike('y', 200).map(({ id }) => id)).toEqual(['thread.archive'])
    restarted.choose(command('thread.archive'), ['e'])
    expect(restarted.isChosen(command('thread.archive'))).toBe(false)
    restarted.choose(command('thread.spam'), [])
    expect(restarted.strike('!', 0)).toEqual([])
    restarted.restoreAll()
    expect(restarted.strike('!', 0).map(({ id }) => id)).toEqual(['thread.spam'])
  })

  it('conflict where they are another command’s, begin with its keys, or are their beginning', () => {
    const keymap = openKeymap()
    const others = (id: string, keys: string): readonly string[] =>
      keymap.othersWith(command(id), keys).map((other) => other.id)
    expect(others('thread.archive', 'j')).toEqual(['list.next'])
    expect(others('thread.archive', 'j j')).toEqual(['list.next'])
    expect(others('thread.archive', 'g')).toEqual([
      ...[
        'go.rules',
        'go.drafts',
        'go.waiting',
        'go.outbox',
        'go.inbox',
        'go.archive',
        'go.sent',
        'go.starred',
        'go.snoozed',
      ],
      ...['go.mine', 'go.nobodys', 'go.contacts'],
      'go.allInboxes',
      ...INBOX_NUMBERS.map((number) => `go.inbox.${number}`),
    ])
    expect(others('thread.archive', 'e')).toEqual([])
    expect(others('thread.archive', 'y')).toEqual([])
    // Brought for both, in different circumstances.
    expect(others('list.open', 'Enter')).toEqual([])
  })
})

describe('keys that another command has', () => {
  it('are taken from it, its others stay, and both are given back when all are restored', () => {
    const keymap = openKeymap()
    keymap.take(command('thread.archive'), 'u')
    expect(keymap.keysOf(command('thread.archive'))).toEqual(['u'])
    expect(keymap.keysOf(command('list.back'))).toEqual(['Escape'])
    keymap.take(command('thread.archive'), 'g')
    expect(keymap.keysOf(command('go.inbox'))).toEqual([])
    keymap.restoreAll()
    expect(keymap.keysOf(command('go.inbox'))).toEqual(['g i'])
    expect(keymap.keysOf(command('list.back'))).toEqual(['Escape', 'u'])
  })
})

describe('how keys are written', () => {
  it('is as they stand on a keyboard', () => {
    const caps = (keys: string) => keyCaps(keys, 'Control')
    expect([caps('g i'), caps('U'), caps('Escape'), caps('+')]).toEqual([['g', 'i'], ['Shift', 'U'], ['Esc'], ['+']])
    expect([caps('Mod+k'), caps('Mod+Shift+z'), caps('Shift+Space')]).toEqual([
      ['Ctrl', 'K'],
      ['Ctrl', 'Shift', 'Z'],
      ['Shift', 'Space'],
    ])
    expect([keyCaps('Mod+,', 'Meta'), caps('Mod++')]).toEqual([
      ['⌘', ','],
      ['Ctrl', '+'],
    ])
  })
})

describe('the name of a chord', () => {
  const none = { ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, getModifierState: () => false }

  it('has the key that stands for commands on this system, and belongs to the system with any other', () => {
    const k = { ...none, key: 'k', code: 'KeyK' }
    expect(nameChord({ ...k, ctrlKey: true }, 'Control')).toBe('Mod+k')
    expect(nameChord({ ...k, metaKey: true }, 'Control')).toBeNull()
    expect(nameChord({ ...k, metaKey: true }, 'Meta')).toBe('Mod+k')
    expect(nameChord({ ...k, ctrlKey: true }, 'Meta')).toBeNull()
    expect(nameChord({ ...k, altKey: true }, 'Control')).toBeNull()
    const left = { ...none, key: 'ArrowLeft', code: 'ArrowLeft', altKey: true }
    expect(nameChord(left, 'Control')).toBe('Alt+ArrowLeft')
    expect(nameChord(left, 'Meta')).toBeNull()
    expect(nameChord({ ...left, shiftKey: true }, 'Control')).toBeNull()
    expect(nameChord({ ...k, ctrlKey: true, altKey: true }, 'Control')).toBeNull()
    expect(nameChord({ ...k, key: 'K', ctrlKey: true, shiftKey: true }, 'Control')).toBe('Mod+Shift+k')
    expect(nameChord({ ...none, key: 'л', code: 'KeyK', ctrlKey: true }, 'Control')).toBe('Mod+k')
    expect(nameChord({ ...none, key: ',', code: 'Comma', ctrlKey: true }, 'Control')).toBe('Mod+,')
  })
})

describe('the name of a key', () => {
  const name = (key: string, code: string, shiftKey = false): string => nameKey({ key, code, shiftKey })

  it('follows Shift alone: Caps Lock makes no "back" a "mark as unread"', () => {
    expect(name('U', 'KeyU')).toBe('u')
    expect(name('u', 'KeyU', true)).toBe('U')
    expect(strike(name('U', 'KeyU'), name('u', 'KeyU', true))).toEqual(['list.back', 'thread.unread'])
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
