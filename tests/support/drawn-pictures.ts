/** Small pictures of every format, valid only in their headers; only the PNGs have real pixels. */
import { crc32, deflateSync } from 'node:zlib'

const be = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}
const le = (value: number, bytes: number): Buffer => be(value, bytes).reverse()

const chunk = (name: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  return Buffer.concat([be(data.length, 4), named, be(crc32(named), 4)])
}

/** A PNG of one colour that a browser can draw. @param claimed the size in its header, if different */
export const drawPng = (
  width: number,
  height: number,
  claimed: readonly [number, number] = [width, height],
): Buffer => {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x4a)])
  const header = Buffer.concat([be(claimed[0], 4), be(claimed[1], 4), Buffer.from([8, 2, 0, 0, 0])])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export const drawGif = (width: number, height: number): Buffer =>
  Buffer.concat([Buffer.from('GIF89a', 'latin1'), le(width, 2), le(height, 2), Buffer.alloc(8)])

/** A JPEG with a table before its frame header. */
export const drawJpeg = (width: number, height: number): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10]),
    Buffer.alloc(14),
    Buffer.from([0xff, 0xff, 0xc2, 0x00, 0x11, 0x08]),
    be(height, 2),
    be(width, 2),
    Buffer.alloc(10),
  ])

const riff = (kind: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('RIFF', 'latin1'),
    le(data.length + 12, 4),
    Buffer.from(`WEBP${kind}`, 'latin1'),
    le(data.length, 4),
    data,
  ])
export const drawWebp = {
  extended: (width: number, height: number): Buffer =>
    riff('VP8X', Buffer.concat([Buffer.alloc(4), le(width - 1, 3), le(height - 1, 3)])),
  lossy: (width: number, height: number): Buffer =>
    riff('VP8 ', Buffer.concat([Buffer.alloc(3), Buffer.from([0x9d, 0x01, 0x2a]), le(width, 2), le(height, 2)])),
  lossless: (width: number, height: number): Buffer =>
    riff('VP8L', Buffer.concat([Buffer.from([0x2f]), le(((height - 1) * 0x4000 + (width - 1)) >>> 0, 4)])),
} as const

const box = (kind: string, ...parts: readonly Buffer[]): Buffer => {
  const data = Buffer.concat(parts)
  return Buffer.concat([be(data.length + 8, 4), Buffer.from(kind, 'latin1'), data])
}
/** @param clap the crop box of the file */
export const drawAvif = (width: number, height: number, clap: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([
    box('ftyp', Buffer.from('avif\0\0\0\0avifmif1', 'latin1')),
    box(
      'meta',
      Buffer.alloc(4),
      box('hdlr', Buffer.alloc(24)),
      box('iprp', box('ipco', box('ispe', Buffer.alloc(4), be(width, 4), be(height, 4)), clap)),
    ),
  ])

export const drawBmp = (width: number, height: number): Buffer =>
  Buffer.concat([
    Buffer.from('BM', 'latin1'),
    Buffer.alloc(12),
    le(40, 4),
    le(width, 4),
    le(height >>> 0, 4),
    Buffer.alloc(8),
  ])

/** An icon that holds one PNG, described as its directory allows. */
export const drawIcon = (png: Buffer): Buffer =>
  Buffer.concat([le(0, 2), le(1, 2), le(1, 2), Buffer.alloc(8), le(png.length, 4), le(22, 4), png])
