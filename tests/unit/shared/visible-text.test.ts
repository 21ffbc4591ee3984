import { describe, expect, it } from 'vitest'
import { formatSubject } from '../../../src/renderer/features/threads/correspondent.ts'
import { toDisplayName } from '../../../src/shared/address.ts'
import { stripHiddenCharacters, toVisibleText } from '../../../src/shared/visible-text.ts'

describe('visible text of untrusted input', () => {
  it('reveals characters that reorder or hide text', () => {
    expect(toVisibleText('invoice_\u202efdp.exe')).toBe('invoice_\ufffdfdp.exe')
    expect(toVisibleText('pay\u200bpal \u2066x\u2069 \u0000\u001b[31m')).toBe(
      'pay\ufffdpal \ufffdx\ufffd \ufffd\ufffd[31m',
    )
    expect(toVisibleText('pay\u00adpal\u200e')).toBe('pay\ufffdpal\ufffd')
  })

  it('reveals characters hidden near joining scripts, and tag characters', () => {
    expect(toVisibleText('pay\u200dpal \u{1f600}')).toBe('pay\ufffdpal \u{1f600}')
    expect(toVisibleText('pay\u200cpal \u05d0')).toBe('pay\ufffdpal \u05d0')
    expect(toVisibleText('ok\u{e0065}\u{e0076}')).toBe('ok\ufffd\ufffd')
    expect(toVisibleText('a\ufe00b\u{e0100}c\u17b4d\u{1d173}e')).toBe('a\ufffdb\ufffdc\ufffdd\ufffde')
  })

  it('limits accents per letter', () => {
    expect(toVisibleText(`H${'\u0301'.repeat(500)}i`)).toBe(`H${'\u0301'.repeat(8)}i`)
  })

  it('is one line with single spaces', () => {
    expect(toVisibleText(' a\u00a0\u2003\u3000b\r\n\tc\u2800\u3164d ')).toBe('a b c d')
  })

  it('keeps joiners that scripts and emoji need', () => {
    for (const text of [
      '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
      '\u{1f469}\u200d\u{1f4bb}',
      '\u0915\u094d\u200d\u0937',
      '\u0d28\u0d4d\u200d',
      '1\ufe0f\u20e3',
      '\u21a9\ufe0e \u2708\ufe0f',
      '\u2764\ufe0f\u200d\u{1f525}',
      '\u{1f3f3}\ufe0f\u200d\u{1f308}',
      '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    ]) {
      expect(toVisibleText(text)).toBe(text)
    }
  })

  it('hides no data in selectors, joiners or marks', () => {
    for (const [hiding, seen] of [
      // Direction marks and soft hyphens
      ['pay\u200epal \u{1f600}', 'pay\ufffdpal \u{1f600}'],
      ['pay\u00adpal \u2764\ufe0f', 'pay\ufffdpal \u2764\ufe0f'],
      ['\u05d0\u200f\u200e\u05d1\u200f!', '\u05d0\u05d1!'],
      // Tags in a flag other than the three valid ones
      ['\u{1f3f4}\u{e0068}\u{e0069}\u{e007f}', `\u{1f3f4}${'\ufffd'.repeat(3)}`],
      // Variation selectors
      ['\u845b\u{e0100}\u57ce\ufe00\ufe01', '\u845b\u57ce'],
      ['1\ufe0f2\ufe0e3', '123'],
      ['\u{1f600}\ufe0f\ufe0f\ufe01 a\ufe0f', '\u{1f600} a'],
      ['\u2764\ufe0f\ufe0f\ufe0e', '\u2764\ufe0f'],
      // Joiners
      ['\u{1f600}\u200d \u{1f600}\u200d\u{1f601}', '\u{1f600} \u{1f600}\u{1f601}'],
      ['\u{1f600}\u200db', '\u{1f600}b'],
      ['1\u200d2', '1\ufffd2'],
      ['\u0645\u200c\u200d\u06cc\u200c a', '\u0645\ufffd\u06cc a'],
      ['\u0645\u200c\u0915', '\u0645\u0915'],
      ['\u05d0\u200d\u05d1', '\u05d0\u05d1'],
      // Invisible symbols
      ['a\u{1d159}\u{13441}\u{16fe4}b', 'a b'],
      ['a\ufff9b\uffffc\u{13430}d\ud800', 'a\ufffdb\ufffdc\ufffdd\ufffd'],
    ] as const) {
      expect(toVisibleText(hiding)).toBe(seen)
      expect(stripHiddenCharacters(hiding)).not.toMatch(
        /\u00ad|[\u200b-\u200f]|[\ufe00-\ufe0d]|[\u{e0000}-\u{e01ef}]|\ufe0f\ufe0f/u,
      )
    }
  })

  it('normalises joined emoji', () => {
    const heart = '\u2764\ufe0f\u200d\u{1f525}'
    expect(toVisibleText('\u2764\u200d\u{1f525}')).toBe(heart)
    expect(toVisibleText(`${heart}\u200d\u{1f600}`)).toBe('\u2764\ufe0f\u{1f525}\u{1f600}')
  })

  it('has a bounded length', () => {
    expect(toVisibleText('x'.repeat(1_000_000))).toBe(`${'x'.repeat(1000)}…`)
    expect(toVisibleText('\u{1f600}'.repeat(2000)).isWellFormed()).toBe(true)
  })

  it('is used for subjects and names', () => {
    expect(formatSubject('Invoice \u202egnp.exe')).toBe('Invoice \ufffdgnp.exe')
    expect(formatSubject('\u00a0\u3000')).toBe('(no subject)')
    expect(toDisplayName('\u202eknaB <x@evil.example>')).toBe('\ufffdknaB')
  })
})
