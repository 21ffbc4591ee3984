import { describe, expect, it } from 'vitest'
import { subjectOf } from '../../../src/renderer/features/threads/correspondent.ts'
import { displayName } from '../../../src/shared/address.ts'
import { visibleText } from '../../../src/shared/visible-text.ts'

describe('what a stranger writes into a line', () => {
  it('shows what would turn or hide a part of it', () => {
    expect(visibleText('invoice_\u202efdp.exe')).toBe('invoice_\ufffdfdp.exe')
    expect(visibleText('pay\u200bpal \u2066x\u2069 \u0000\u001b[31m')).toBe(
      'pay\ufffdpal \ufffdx\ufffd \ufffd\ufffd[31m',
    )
    expect(visibleText('pay\u00adpal\u200e')).toBe('pay\ufffdpal\ufffd')
  })

  it('shows what hides beside letters that have a use for joiners, too, and texts made of tags', () => {
    expect(visibleText('pay\u200dpal \u{1f600}')).toBe('pay\ufffdpal \u{1f600}')
    expect(visibleText('pay\u200cpal \u05d0')).toBe('pay\ufffdpal \u05d0')
    expect(visibleText('ok\u{e0065}\u{e0076}')).toBe('ok\ufffd\ufffd')
    expect(visibleText('a\ufe00b\u{e0100}c\u17b4d\u{1d173}e')).toBe('a\ufffdb\ufffdc\ufffdd\ufffde')
  })

  it('puts no more accents on a letter than a language does', () => {
    expect(visibleText(`H${'\u0301'.repeat(500)}i`)).toBe(`H${'\u0301'.repeat(8)}i`)
  })

  it('is one line with single spaces, whatever its blanks are', () => {
    expect(visibleText(' a\u00a0\u2003\u3000b\r\n\tc\u2800\u3164d ')).toBe('a b c d')
  })

  it('keeps what scripts and emoji are joined with', () => {
    for (const text of [
      '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
      '\u05d0\u200f!',
      '\u{1f469}\u200d\u{1f4bb}',
      '\u0915\u094d\u200d\u0937',
      '\u845b\u{e0100}\u57ce \u8fbb\ufe00',
      '\u2764\ufe0f\u200d\u{1f525}',
      '\u{1f3f3}\ufe0f\u200d\u{1f308}',
      '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    ]) {
      expect(visibleText(text)).toBe(text)
    }
  })

  it('has no length of its own', () => {
    expect(visibleText('x'.repeat(1_000_000))).toBe(`${'x'.repeat(1000)}…`)
    expect(visibleText('\u{1f600}'.repeat(2000)).isWellFormed()).toBe(true)
  })

  it('is made visible in subjects and names', () => {
    expect(subjectOf('Invoice \u202egnp.exe')).toBe('Invoice \ufffdgnp.exe')
    expect(subjectOf('\u00a0\u3000')).toBe('(no subject)')
    expect(displayName('\u202eknaB <x@evil.example>')).toBe('\ufffdknaB')
  })
})
