import { describe, expect, it } from 'vitest'
import { detectCharset } from '../../../src/renderer/features/attachments/detect-charset.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const wide = (text: string, isLittle: boolean): Uint8Array =>
  Uint8Array.from({ length: text.length * 2 }, (_, at) => {
    const unit = text.charCodeAt(at >> 1)
    return (at % 2 === 0) === isLittle ? unit & 0xff : unit >> 8
  })
const decode = (bytes: Uint8Array, contentType: string | null): string =>
  new TextDecoder(detectCharset(bytes, contentType)).decode(bytes)

describe('attachment text', () => {
  it.each<readonly [string, Uint8Array, string | null, string]>([
    ['UTF-8', utf8('Grüße 注文'), 'text/plain; charset=iso-8859-1', 'Grüße 注文'],
    ['UTF-8 with a mark', utf8('\ufeffGrüße'), null, 'Grüße'],
    ['UTF-16 with a mark', wide('\ufeffGrüße 注文', true), 'text/plain; charset=utf-8', 'Grüße 注文'],
    ['UTF-16, the other way round', wide('\ufeffGrüße 注文', false), null, 'Grüße 注文'],
    [
      'UTF-16 whose mark was left out',
      wide('Dear all,\r\nhigh water at 14:20', true),
      null,
      'Dear all,\r\nhigh water at 14:20',
    ],
    ['the same, the other way round', wide('Dear all', false), 'text/plain', 'Dear all'],
    ['the declared type', Uint8Array.from([0xcf, 0xf0, 0xe8]), 'text/plain; charset="windows-1251"', 'При'],
    ['the declared type of plain ASCII', utf8('\x1b$B4A;z\x1b(B'), 'text/plain; charset=ISO-2022-JP', '漢字'],
    ['Windows-1252 by default', Uint8Array.from([0x47, 0x72, 0xfc, 0xdf, 0x65]), null, 'Grüße'],
    ['Windows-1252 despite a wrong type', Uint8Array.from([0x47, 0x72, 0xfc]), 'text/plain; charset=utf-8', 'Grü'],
    ['an unknown encoding', utf8('plain'), 'text/plain; charset=x-unknown', 'plain'],
    ['plain ASCII despite a wrong type', utf8('plain'), 'text/plain; charset=utf-16', 'plain'],
    ['nothing', new Uint8Array(), null, ''],
  ])('decodes the text by its encoding: %s', (_, bytes, contentType, text) =>
    expect(decode(bytes, contentType)).toBe(text),
  )

  it('stays UTF-8 if the first chunk ends inside a character', () => {
    expect(detectCharset(utf8('Grüße 注').subarray(0, -1), null)).toBe('utf-8')
  })
})
