import { describe, expect, it } from 'vitest'
import { lookOf } from '../../../../src/engine/attachments/attachment-look.ts'
import { drawAvif, drawBmp, drawGif, drawIcon, drawJpeg, drawPng, drawWebp } from '../../../support/drawn-pictures.ts'

const look = (bytes: Uint8Array, filename: string | null = 'file', contentType: string | null = null) =>
  lookOf({ filename, contentType }, bytes)
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le')

describe('as what an attachment is shown', () => {
  it.each<readonly [string, Buffer, string]>([
    ['PNG', drawPng(2, 2), 'image/png'],
    ['JPEG', drawJpeg(4_000, 3_000), 'image/jpeg'],
    ['GIF', drawGif(20, 20), 'image/gif'],
    ['WebP', drawWebp.lossy(20, 20), 'image/webp'],
    ['AVIF', drawAvif(20, 20), 'image/avif'],
    ['BMP', drawBmp(20, 20), 'image/bmp'],
    ['an icon', drawIcon(drawPng(16, 16)), 'image/x-icon'],
    ['a camera’s largest', drawJpeg(12_000, 9_000), 'image/jpeg'],
  ])('a picture by its bytes, whatever its name says: %s', (_, bytes, type) => {
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
  ])('a picture that would take the memory is never drawn: %s', (_, bytes) => {
    expect(look(bytes)).toBe('huge picture')
  })

  it('a picture that cannot be measured is not drawn either', () => {
    expect(look(drawPng(2, 2).subarray(0, 12))).toBe('broken picture')
    expect(look(drawPng(2, 2, [0, 5]))).toBe('broken picture')
    expect(look(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(50)]), 'a.jpg')).toBe(
      'broken picture',
    )
  })

  it('text in two bytes a sign is text, with a mark or without', () => {
    expect(look(wide('\ufeffDear all'), 'a.txt')).toBe('text')
    expect(look(wide('Dear all, high water'), 'a.txt')).toBe('text')
    expect(look(wide('Dear all, high water').swap16(), 'a.csv')).toBe('text')
  })

  it('bytes that are no text are not shown as such, whatever they are called', () => {
    expect(look(Buffer.from([1, 2, 3, 4, 0, 0, 0, 9]), 'a.txt', 'text/plain')).toBeNull()
    expect(look(Buffer.alloc(5_000), 'a.txt', 'text/plain')).toBeNull()
    expect(look(Buffer.from('MZ is a program'), 'a.txt', 'text/plain')).toBeNull()
    expect(look(Buffer.from('PK\u0003\u0004'), 'a.zip')).toBeNull()
  })

  it('a PDF is one although other bytes stand before it', () => {
    expect(look(Buffer.concat([Buffer.from('\r\nbefore '), Buffer.from('%PDF-1.7')]), 'a.dat')).toBe('pdf')
  })
})
