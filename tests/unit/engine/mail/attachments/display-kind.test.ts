import { describe, expect, it } from 'vitest'
import { detectDisplayKind } from '../../../../../src/engine/mail/attachments/display-kind.ts'
import {
  drawAvif,
  drawBmp,
  drawGif,
  drawIcon,
  drawJpeg,
  drawPng,
  drawWebp,
} from '../../../../support/drawn-pictures.ts'

const look = (bytes: Uint8Array, filename: string | null = 'file', contentType: string | null = null) =>
  detectDisplayKind({ filename, contentType }, bytes)
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le')

describe('the preview type of an attachment', () => {
  it.each<readonly [string, Buffer, string]>([
    ['PNG', drawPng(2, 2), 'image/png'],
    ['JPEG', drawJpeg(4_000, 3_000), 'image/jpeg'],
    ['GIF', drawGif(20, 20), 'image/gif'],
    ['WebP', drawWebp.lossy(20, 20), 'image/webp'],
    ['AVIF', drawAvif(20, 20), 'image/avif'],
    ['BMP', drawBmp(20, 20), 'image/bmp'],
    ['an icon', drawIcon(drawPng(16, 16)), 'image/x-icon'],
    ['a camera’s largest', drawJpeg(12_000, 9_000), 'image/jpeg'],
  ])('recognises a picture by its bytes, whatever its name: %s', (_, bytes, type) => {
    expect(look(bytes, 'notes.txt', 'text/plain')).toBe(type)
  })

  it.each<readonly [string, Buffer]>([
    ['PNG', drawPng(2, 2, [100_000, 100_000])],
    ['JPEG', drawJpeg(65_000, 65_000)],
    ['GIF', drawGif(65_000, 65_000)],
    ['WebP', drawWebp.lossless(16_000, 16_000)],
    ['AVIF', drawAvif(100_000, 100_000)],
    ['BMP', drawBmp(100_000, 100_000)],
    ['an icon that holds a wall', drawIcon(drawPng(2, 2, [100_000, 100_000]))],
  ])('never draws a picture that would exhaust memory: %s', (_, bytes) => {
    expect(look(bytes)).toBe('huge picture')
  })

  it('doesn’t draw a picture it can’t measure', () => {
    expect(look(drawPng(2, 2).subarray(0, 12))).toBe('broken picture')
    expect(look(drawPng(2, 2, [0, 5]))).toBe('broken picture')
    expect(look(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(50)]), 'a.jpg')).toBe(
      'broken picture',
    )
  })

  it('reads UTF-16 text with or without a byte order mark', () => {
    expect(look(wide('\ufeffDear all'), 'a.txt')).toBe('text')
    expect(look(wide('Dear all, high water'), 'a.txt')).toBe('text')
    expect(look(wide('Dear all, high water').swap16(), 'a.csv')).toBe('text')
  })

  it('doesn’t show binary data as text, whatever its name', () => {
    expect(look(Buffer.from([1, 2, 3, 4, 0, 0, 0, 9]), 'a.txt', 'text/plain')).toBeNull()
    expect(look(Buffer.alloc(5_000), 'a.txt', 'text/plain')).toBeNull()
    expect(look(Buffer.from('MZ is a program'), 'a.txt', 'text/plain')).toBeNull()
    expect(look(Buffer.from('PK\u0003\u0004'), 'a.zip')).toBeNull()
  })

  it('recognises a PDF after leading bytes', () => {
    expect(look(Buffer.concat([Buffer.from('\r\nbefore '), Buffer.from('%PDF-1.7')]), 'a.dat')).toBe('pdf')
  })
})
