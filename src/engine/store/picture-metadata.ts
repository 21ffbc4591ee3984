export interface PictureMetadata {
  readonly type: PictureType
  /** In pixels. */
  readonly width: number
  readonly height: number
}

/**
 * Raster formats that every browser supports. SVG is excluded because it is a document. The bytes decide, not the type
 * that a server declares.
 */
export const PICTURE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/x-icon',
] as const
export type PictureType = (typeof PICTURE_TYPES)[number]

interface Size {
  readonly width: number
  readonly height: number
}

/** Reads outside the bytes return 0 instead of throwing. */
const reader = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const within = (at: number, size: number): boolean => at >= 0 && at + size <= bytes.byteLength
  return {
    size: bytes.byteLength,
    u8: (at: number): number => bytes[at] ?? 0,
    u16: (at: number): number => (within(at, 2) ? view.getUint16(at) : 0),
    u32: (at: number): number => (within(at, 4) ? view.getUint32(at) : 0),
    u16le: (at: number): number => (within(at, 2) ? view.getUint16(at, true) : 0),
    u24le: (at: number): number => (within(at, 3) ? view.getUint16(at, true) + 65_536 * view.getUint8(at + 2) : 0),
    u32le: (at: number): number => (within(at, 4) ? view.getUint32(at, true) : 0),
    i32le: (at: number): number => (within(at, 4) ? view.getInt32(at, true) : 0),
    text: (at: number, length: number): string => String.fromCharCode(...bytes.subarray(at, at + length)),
  }
}
type Reader = ReturnType<typeof reader>

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n'

const pngSize = (of: Reader, start = 0): Size | null =>
  of.text(start, 8) === PNG_SIGNATURE && of.text(start + 12, 4) === 'IHDR'
    ? { width: of.u32(start + 16), height: of.u32(start + 20) }
    : null

const gifSize = (of: Reader): Size | null =>
  /^GIF8[79]a$/.test(of.text(0, 6)) ? { width: of.u16le(6), height: of.u16le(8) } : null

/** Frame header markers; the others in this range are tables. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Markers without a payload. */
const hasNoPayload = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

const jpegSize = (of: Reader): Size | null => {
  if (of.u16(0) !== 0xffd8) return null
  for (let at = 2; at + 4 <= of.size;) {
    if (of.u8(at) !== 0xff) return null
    const marker = of.u8(at + 1)
    if (marker === 0xff) at += 1
    else if (hasNoPayload(marker)) at += 2
    else if (isFrameHeader(marker)) return { height: of.u16(at + 5), width: of.u16(at + 7) }
    else at += 2 + Math.max(2, of.u16(at + 2))
  }
  return null
}

const webpSize = (of: Reader): Size | null => {
  if (of.text(0, 4) !== 'RIFF' || of.text(8, 4) !== 'WEBP') return null
  const kind = of.text(12, 4)
  if (kind === 'VP8X') return { width: 1 + of.u24le(24), height: 1 + of.u24le(27) }
  if (kind === 'VP8 ') return { width: of.u16le(26) & 0x3fff, height: of.u16le(28) & 0x3fff }
  if (kind !== 'VP8L' || of.u8(20) !== 0x2f) return null
  const bits = of.u32le(21)
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
}

const bmpSize = (of: Reader): Size | null => {
  if (of.text(0, 2) !== 'BM') return null
  const header = of.u32le(14)
  if (header === 12) return { width: of.u16le(18), height: of.u16le(20) }
  // Negative height means top-down rows.
  return header >= 40 && header <= 124 ? { width: Math.abs(of.i32le(18)), height: Math.abs(of.i32le(22)) } : null
}

const largest = (sizes: readonly Size[]): Size | null =>
  sizes.reduce<Size | null>(
    (most, size) => (most === null || size.width * size.height > most.width * most.height ? size : most),
    null,
  )

const MAX_IN_ICON = 64

/** Largest image in an icon, by its directory and embedded images. */
const icoSize = (of: Reader): Size | null => {
  const count = of.u16le(4)
  if (of.u32le(0) !== 0x0001_0000 || count === 0 || count > MAX_IN_ICON) return null
  const sizes = Array.from({ length: count }, (_, index): Size => {
    const entry = 6 + 16 * index
    const held = of.u32le(entry + 12)
    const png = pngSize(of, held)
    if (png !== null) return png
    // A bitmap without a file header, of double height for its mask.
    return { width: Math.abs(of.i32le(held + 4)), height: Math.abs(of.i32le(held + 8)) }
  })
  return largest(sizes)
}

/** Maximum boxes to read; images have a few dozen. */
const MAX_BOXES = 2_000

/** Sibling boxes (ISO/IEC 14496-12, 4.2) that fit into the range. */
const boxesIn = (of: Reader, from: number, to: number) => {
  const boxes: { readonly kind: string; readonly start: number; readonly end: number }[] = []
  for (let at = from; at + 8 <= to && boxes.length < MAX_BOXES;) {
    const size = of.u32(at)
    // 64-bit and open-ended boxes hold the image data; the boxes wanted here are small.
    const [header, end] = size === 1 ? [16, at + of.u32(at + 12)] : [8, size === 0 ? to : at + size]
    if (end < at + header || end > to) break
    boxes.push({ kind: of.text(at + 4, 4), start: at + header, end })
    at = end
  }
  return boxes
}

/** Largest size in an AVIF: crops and rotations don't reduce decoding. */
const avifSize = (of: Reader): Size | null => {
  const boxes = boxesIn(of, 0, of.size)
  const brands = boxes[0]?.kind === 'ftyp' ? of.text(boxes[0].start, Math.min(256, boxes[0].end - boxes[0].start)) : ''
  if (!/^(?:.{4})*avif/s.test(brands)) return null
  const within = (kind: string, skip: number) => (outer: { readonly start: number; readonly end: number }) =>
    boxesIn(of, outer.start + skip, outer.end).filter((box) => box.kind === kind)
  const sizes = boxes
    .filter(({ kind }) => kind === 'meta')
    // `meta` starts with its version.
    .flatMap(within('iprp', 4))
    .flatMap(within('ipco', 0))
    .flatMap(within('ispe', 0))
    .map(({ start }): Size => ({ width: of.u32(start + 4), height: of.u32(start + 8) }))
  return largest(sizes)
}

const READERS: readonly (readonly [PictureType, (of: Reader) => Size | null])[] = [
  ['image/png', pngSize],
  ['image/jpeg', jpegSize],
  ['image/gif', gifSize],
  ['image/webp', webpSize],
  ['image/avif', avifSize],
  ['image/bmp', bmpSize],
  ['image/x-icon', icoSize],
]

/** Reads format and dimensions without decoding, in bounded time even for malicious files; null for other data. */
export const parsePictureMetadata = (bytes: Uint8Array): PictureMetadata | null => {
  const of = reader(bytes)
  for (const [type, sizeOf] of READERS) {
    const size = sizeOf(of)
    if (size !== null) return size.width > 0 && size.height > 0 ? { type, ...size } : null
  }
  return null
}
