import { describe, expect, it } from 'vitest'
import { parsePictureMetadata } from '../../../../src/engine/store/picture-metadata.ts'
import { drawAvif, drawBmp, drawGif, drawIcon, drawJpeg, drawPng, drawWebp } from '../../../support/drawn-pictures.ts'

const DRAWN = [
  ['image/png', drawPng(31, 17)],
  ['image/gif', drawGif(31, 17)],
  ['image/jpeg', drawJpeg(31, 17)],
  ['image/webp', drawWebp.extended(31, 17)],
  ['image/webp', drawWebp.lossy(31, 17)],
  ['image/webp', drawWebp.lossless(31, 17)],
  ['image/avif', drawAvif(31, 17)],
  ['image/bmp', drawBmp(31, 17)],
  ['image/x-icon', drawIcon(drawPng(31, 17))],
] as const

describe('a picture', () => {
  it.each(DRAWN)('is identified and measured by its bytes: %s', (type, bytes) => {
    expect(parsePictureMetadata(bytes)).toEqual({ type, width: 31, height: 17 })
  })

  it('is as large as its decoded data, whatever crop its file declares', () => {
    const clap = Buffer.concat([Buffer.from('\0\0\0\x28clap', 'latin1'), Buffer.alloc(32, 0xff)])
    expect(parsePictureMetadata(drawAvif(60_000, 60_000, clap))).toMatchObject({ width: 60_000, height: 60_000 })
    expect(parsePictureMetadata(drawIcon(drawPng(1, 1, [30_000, 30_000])))).toMatchObject({ width: 30_000 })
    expect(parsePictureMetadata(drawBmp(9, -17))).toMatchObject({ width: 9, height: 17 })
  })

  it.each([
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['a drawing behind a declaration', '<?xml version="1.0"?><!-- GIF89a --><svg/>'],
    ['a page', '<!doctype html><img src="x">'],
    ['a document', '%PDF-1.7'],
    ['nothing', ''],
    ['a beginning alone', '\x89PNG\r\n\x1a\n'],
    ['a picture without an extent', 'GIF89a\0\0\0\0'],
    ['a JPEG without a frame', '\xff\xd8\xff\xfe\x00\x04ab'],
    ['a film', '\0\0\0\x14ftypisom\0\0\0\0isom'],
  ])('is not %s', (_name, text) => {
    expect(parsePictureMetadata(Buffer.from(text, 'latin1'))).toBeNull()
  })

  it('is read quickly even if built to be slow', () => {
    for (const bytes of [
      Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(8 * 1024 * 1024, 0xff)]),
      Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(8 * 1024 * 1024)]),
      Buffer.concat([Buffer.from('\0\0\0\x0cftypavif', 'latin1'), Buffer.from('\0\0\0\x08free'.repeat(1_000_000))]),
    ]) {
      const start = performance.now()
      expect(parsePictureMetadata(bytes)).toBeNull()
      expect(performance.now() - start).toBeLessThan(5_000)
    }
  })
})
