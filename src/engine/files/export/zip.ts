/** A streamed zip (APPNOTE, 4.3 to 4.5), names in UTF-8. fflate lacks zip64, needed above 4 GB or 65,535 files. */

/** Central directory entry. */
export interface ZipEntry {
  readonly name: string
  /** CRC-32 of the unpacked content. */
  readonly crc: number
  readonly bytes: number
  readonly packedBytes: number
  /** 8: deflated; 0: stored. */
  readonly method: 0 | 8
  /** Offset in the archive. */
  readonly offset: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

const VERSION = 20
const VERSION_64 = 45
/** Bit 11: UTF-8 name. */
const FLAGS = 0x800
const MAX_16 = 0xffff
const MAX_32 = 0xffff_ffff
/** Made on Unix, mode 0644. */
const MADE_BY = (3 << 8) | VERSION_64
const MODE = 0o100_644 * 2 ** 16
const FIRST_YEAR = 1980

/** DOS date and time in UTC, since the format has no time zone. */
const dosTime = (at: number): readonly [time: number, date: number] => {
  const time = new Date(at)
  const year = time.getUTCFullYear()
  if (!(year >= FIRST_YEAR && year < FIRST_YEAR + 128)) return [0, (1 << 5) | 1]
  return [
    (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1),
    ((year - FIRST_YEAR) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate(),
  ]
}

const toInteger =
  (bytes: 2 | 4 | 8) =>
  (value: number): Buffer => {
    const buffer = Buffer.alloc(8)
    buffer.writeBigUInt64LE(BigInt(value))
    return buffer.subarray(0, bytes)
  }
const [u16, u32, u64] = [toInteger(2), toInteger(4), toInteger(8)]

/** Fields shared by a file's two records. */
const common = ({ crc, bytes, packedBytes, method, at }: ZipEntry): Buffer => {
  const [time, date] = dosTime(at)
  return Buffer.concat([u16(FLAGS), u16(method), u16(time), u16(date), u32(crc), u32(packedBytes), u32(bytes)])
}

/** Files are smaller than 4 GB. */
export const encodeLocalHeader = (file: ZipEntry): Buffer => {
  const name = Buffer.from(file.name)
  return Buffer.concat([u32(0x0403_4b50), u16(VERSION), common(file), u16(name.byteLength), u16(0), name])
}

const writeDirectoryRecord = (file: ZipEntry): Buffer => {
  const name = Buffer.from(file.name)
  const isFar = file.offset >= MAX_32
  const extra = isFar ? Buffer.concat([u16(1), u16(8), u64(file.offset)]) : Buffer.alloc(0)
  const lengths = [u16(name.byteLength), u16(extra.byteLength)]
  // No comment, first disk, not text.
  const rest = [u16(0), u16(0), u16(0), u32(MODE), u32(isFar ? MAX_32 : file.offset)]
  const versions = [u16(MADE_BY), u16(isFar ? VERSION_64 : VERSION)]
  return Buffer.concat([u32(0x0201_4b50), ...versions, common(file), ...lengths, ...rest, name, extra])
}

/** @param offset start of the directory */
export const encodeCentralDirectory = function* (files: Iterable<ZipEntry>, offset: number): Generator<Buffer> {
  let [count, bytes] = [0, 0]
  for (const file of files) {
    const record = writeDirectoryRecord(file)
    count += 1
    bytes += record.byteLength
    yield record
  }
  if (count >= MAX_16 || offset >= MAX_32 || bytes >= MAX_32) {
    const sizes = [u64(count), u64(count), u64(bytes), u64(offset)]
    const versions = [u16(MADE_BY), u16(VERSION_64)]
    const locator = [u32(0x0706_4b50), u32(0), u64(offset + bytes), u32(1)]
    yield Buffer.concat([u32(0x0606_4b50), u64(44), ...versions, u32(0), u32(0), ...sizes, ...locator])
  }
  const [count16, bytes32, offset32] = [Math.min(count, MAX_16), Math.min(bytes, MAX_32), Math.min(offset, MAX_32)]
  const sizes = [u16(count16), u16(count16), u32(bytes32), u32(offset32)]
  yield Buffer.concat([u32(0x0605_4b50), u16(0), u16(0), ...sizes, u16(0)])
}
