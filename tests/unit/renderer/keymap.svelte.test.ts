import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { COMMANDS } from '../../../src/renderer/app/commands.ts'
import { Keymap, SEQUENCE_TIMEOUT_MS } from '../../../src/renderer/kernel/keymap.svelte.ts'
import { toKeyCaps, nameChord, nameKey } from '../../../src/renderer/kernel/name-key.ts'
import { createPreferences } from './support/preferences.ts'

const openKeymap = (preferences = createPreferences().preferences): Keymap =>
  new Keymap(COMMANDS, preferences, 'Control')

const command = (id: string) => {
  const found = COMMANDS.find((each) => each.id === id)
  if (found === undefined) throw new Error(`There is no command ${id}.`)
  return found
}

/** The commands run by these chords, 100 ms apart; null is a system key. */
const press = (...chords: readonly (string | null)[]): readonly string[] => {
  const keymap = openKeymap()
  return chords.flatMap((chord, index) => keymap.press(chord, index * 100).at(-1)?.id ?? [])
}

/** After `g`, digits open the first inboxes of all accounts. */
const INBOX_NUMBERS = Array.from({ length: 9 }, (_none, index) => String(index + 1))

describe('keys', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('run the command they are bound to', () => {
    expect(press('j', 'k', '!', 'I', '?')).toEqual([
      'list.next',
      'list.previous',
      'thread.spam',
      'thread.read',
      'commands.keys',
    ])
  })

  it('form a sequence if struck within a second', () => {
    expect(press('g', 'i')).toEqual(['go.inbox'])
    expect(press('g', 'c', 'e')).toEqual(['go.contacts', 'thread.archive'])
  })

  it('start over after a second', () => {
    const keymap = openKeymap()
    keymap.press('g', 0)
    expect(keymap.press('i', SEQUENCE_TIMEOUT_MS + 1)).toEqual([])
    keymap.press('g', 5000)
    expect(keymap.press('i', 5000 + SEQUENCE_TIMEOUT_MS).map(({ id }) => id)).toEqual(['go.inbox'])
  })

  it('show a pending sequence and its continuations for a second', () => {
    const keymap = openKeymap()
    expect(keymap.pending).toBeNull()
    keymap.press('g', 0)
    expect(keymap.pending).toEqual({
      pressed: 'g',
      next: ['r', 'd', 'w', 'l', 'o', 'i', 'a', 't', 's', 'h', 'm', 'n', 'c', '0', ...INBOX_NUMBERS],
    })
    vi.advanceTimersByTime(SEQUENCE_TIMEOUT_MS - 1)
    expect(keymap.pending).not.toBeNull()
    vi.advanceTimersByTime(1)
    expect(keymap.pending).toBeNull()
    keymap.press('g', 0)
    keymap.press('j', 100)
    expect(keymap.pending).toBeNull()
  })

  it('run on their own if they don’t continue a pending sequence', () => {
    expect(press('g', 'j')).toEqual(['list.next'])
    expect(press('g', 'g', 't')).toEqual(['go.sent'])
  })

  it('drop a pending sequence on a system key', () => {
    expect(press('g', null, 'i')).toEqual([])
  })

  it('are unique, and none is a prefix of another', () => {
    const keys = COMMANDS.flatMap((each) => each.keys ?? [])
    for (const key of keys) {
      expect(keys.filter((other) => other !== key && other.startsWith(`${key} `))).toEqual([])
    }
    expect(new Set(COMMANDS.map(({ id }) => id)).size).toBe(COMMANDS.length)
  })

  it('can be customised, survive a restart, and can be restored', () => {
    const { preferences, open } = createPreferences()
    const keymap = openKeymap(preferences)
    keymap.choose(command('thread.archive'), ['y', 'g y'])
    expect(keymap.press('e', 0)).toEqual([])
    const restarted = openKeymap(open(preferences.values))
    expect(restarted.isChosen(command('thread.archive'))).toBe(true)
    expect(restarted.press('y', 0).map(({ id }) => id)).toEqual(['thread.archive'])
    restarted.press('g', 100)
    expect(restarted.press('y', 200).map(({ id }) => id)).toEqual(['thread.archive'])
    restarted.choose(command('thread.archive'), ['e'])
    expect(restarted.isChosen(command('thread.archive'))).toBe(false)
    restarted.choose(command('thread.spam'), [])
    expect(restarted.press('!', 0)).toEqual([])
    restarted.restoreAll()
    expect(restarted.press('!', 0).map(({ id }) => id)).toEqual(['thread.spam'])
  })

  it('conflict with equal keys, and if either is a prefix of the other', () => {
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
        'go.scheduled',
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
    // By default Enter is bound to both commands, under different conditions.
    expect(others('list.open', 'Enter')).toEqual([])
  })
})

describe('reassigned keys', () => {
  it('move to the new command alone, and return when all are restored', () => {
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

describe('key labels', () => {
  it('match the keyboard', () => {
    const caps = (keys: string) => toKeyCaps(keys, 'Control')
    expect([caps('g i'), caps('U'), caps('Escape'), caps('+')]).toEqual([['g', 'i'], ['Shift', 'U'], ['Esc'], ['+']])
    expect([caps('Mod+k'), caps('Mod+Shift+z'), caps('Shift+Space')]).toEqual([
      ['Ctrl', 'K'],
      ['Ctrl', 'Shift', 'Z'],
      ['Shift', 'Space'],
    ])
    expect([toKeyCaps('Mod+,', 'Meta'), caps('Mod++')]).toEqual([
      ['⌘', ','],
      ['Ctrl', '+'],
    ])
  })
})

describe('chord name', () => {
  const none = { ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, getModifierState: () => false }

  it('uses the platform’s command key, and is null with any other modifier', () => {
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

describe('key name', () => {
  const name = (key: string, code: string, shiftKey = false): string => nameKey({ key, code, shiftKey })

  it('follows Shift and ignores Caps Lock, which would turn "back" into "mark as unread"', () => {
    expect(name('U', 'KeyU')).toBe('u')
    expect(name('u', 'KeyU', true)).toBe('U')
    expect(press(name('U', 'KeyU'), name('u', 'KeyU', true))).toEqual(['list.back', 'thread.unread'])
  })

  it('comes from the position on non-Latin keyboards and the letter on Latin ones', () => {
    expect(name('о', 'KeyJ')).toBe('j')
    expect(name('О', 'KeyJ', true)).toBe('J')
    expect(name('q', 'KeyA')).toBe('q')
    // Thai and Hindi have keys for vowels and tones, and Arabic has two letters on one key.
    expect([name('\u0e48', 'KeyJ'), name('\u0e35', 'KeyU'), name('\u093e', 'KeyE')]).toEqual(['j', 'u', 'e'])
    expect(name('\u0644\u0627', 'KeyB')).toBe('b')
    expect(name('Dead', 'KeyE')).toBe('Dead')
  })

  it('separates Space from Shift+Space, and keeps symbols and named keys', () => {
    expect([name(' ', 'Space'), name(' ', 'Space', true)]).toEqual(['Space', 'Shift+Space'])
    expect([name('#', 'Digit3', true), name('Escape', 'Escape'), name('?', 'Slash', true)]).toEqual([
      '#',
      'Escape',
      '?',
    ])
  })
})
