import { describe, expect, it } from 'vitest'
import { detectCharset } from '../../../src/renderer/features/attachments/detect-charset.ts'

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values)

describe('text attachment', () => {
  it('is decoded by its byte order mark, then as UTF-8 if valid, then by its type', () => {
    expect(detectCharset(bytes(0xff, 0xfe, 0x41, 0), 'text/plain; charset=utf-8')).toBe('utf-16le')
    expect(detectCharset(bytes(0xfe, 0xff, 0, 0x41), null)).toBe('utf-16be')
    // Half a byte order mark doesn't count.
    expect(detectCharset(bytes(0xff, 0x41), null)).toBe('windows-1252')
    expect(detectCharset(bytes(0xfe, 0x41), null)).toBe('windows-1252')
    expect(detectCharset(new TextEncoder().encode('Fähre'), 'text/plain; charset=iso-8859-1')).toBe('utf-8')
    // The text is cut inside a character.
    expect(detectCharset(new TextEncoder().encode('Fä').subarray(0, 2), null)).toBe('utf-8')
    expect(detectCharset(bytes(0xe4, 0x20), 'text/plain; charset="koi8-r"')).toBe('koi8-r')
    expect(detectCharset(bytes(0xe4, 0x20), 'text/plain; charset=utf-8')).toBe('windows-1252')
    expect(detectCharset(bytes(0xe4, 0x20), 'text/plain; charset=klingon')).toBe('windows-1252')
    expect(detectCharset(bytes(), null)).toBe('utf-8')
  })
})
