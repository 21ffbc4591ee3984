import { describe, expect, it } from 'vitest'
import { subjectOf } from '../../../src/renderer/features/threads/correspondent.ts'
import { displayName } from '../../../src/renderer/ui/address.ts'
import { visibleText } from '../../../src/renderer/ui/visible-text.ts'

describe('what a stranger writes into a line', () => {
  it('shows what would turn or hide a part of it', () => {
    expect(visibleText('invoice_\u202efdp.exe')).toBe('invoice_\ufffdfdp.exe')
    expect(visibleText('pay\u200bpal \u2066x\u2069 \u0000\u001b[31m')).toBe(
      'pay\ufffdpal \ufffdx\ufffd \ufffd\ufffd[31m',
    )
    expect(visibleText('pay\u00adpal\u200e')).toBe('pay\ufffdpal\ufffd')
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
