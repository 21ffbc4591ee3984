import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { encodeCentralDirectory, encodeLocalHeader, type ZipEntry } from '../../../../src/engine/files/export/zip.ts'
import { hasPython, runPython } from '../../../support/python.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const AT = Date.UTC(2026, 10, 2, 9, 5, 8)

const fileOf = (name: string, content: Buffer, offset: number, isPacked = true): readonly [ZipEntry, Buffer] => {
  const packed = isPacked ? deflateRawSync(content) : content
  const sizes = { crc: crc32(content), bytes: content.byteLength, packedBytes: packed.byteLength }
  return [{ name, ...sizes, method: isPacked ? 8 : 0, offset, at: AT }, packed]
}

const zip = (files: readonly (readonly [string, Buffer])[], start = 0): Buffer => {
  const pieces: Buffer[] = []
  const listed: ZipEntry[] = []
  let offset = start
  for (const [index, [name, content]] of files.entries()) {
    const [file, packed] = fileOf(name, content, offset, index % 2 === 0)
    listed.push(file)
    pieces.push(encodeLocalHeader(file), packed)
    offset += encodeLocalHeader(file).byteLength + packed.byteLength
  }
  return Buffer.concat([...pieces, ...encodeCentralDirectory(listed, offset)])
}

const READ = `import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    print(json.dumps({'bad': z.testzip(), 'count': len(z.infolist()), 'first': z.infolist()[0].filename,
      'at': z.infolist()[0].date_time, 'last': z.read(z.infolist()[-1]).decode('latin1')}))`

describe('a zip archive', () => {
  const files = [
    ['Größe/😀 one.eml', Buffer.from('Subject: one\r\n\r\nHello\r\n')],
    ['two.eml', Buffer.alloc(0)],
    ['three.eml', Buffer.alloc(100_000, 'x')],
  ] as const

  it('holds its files, compressed and stored', () => {
    const read = unzipSync(zip(files))
    expect(Object.entries(read).map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual(
      files.map(([name, bytes]) => [name, bytes.toString()]),
    )
  })

  it('may be empty', () => expect(unzipSync(zip([]))).toEqual({}))

  it.runIf(hasPython)("is read by Python's zipfile module, with times", () => {
    const path = join(temporaryDirectory(), 'mail.zip')
    writeFileSync(path, zip(files))
    const at = [2026, 11, 2, 9, 5, 8]
    expect(runPython(READ, path)).toMatchObject({ bad: null, at, first: 'Größe/😀 one.eml', count: 3 })
  })

  it.runIf(hasPython)('may have more than 65,535 files', () => {
    const path = join(temporaryDirectory(), 'mail.zip')
    const many = Array.from({ length: 65_536 }, (_, index) => [`${index}.eml`, Buffer.from(`${index}`)] as const)
    writeFileSync(path, zip(many))
    expect(runPython(READ, path)).toMatchObject({ bad: null, count: 65_536, last: '65535' })
  })

  it.runIf(hasPython)('may be larger than 4 GB', () => {
    const path = join(temporaryDirectory(), 'mail.zip')
    const far = 2 ** 32 + 1_000
    const file = openSync(path, 'w')
    const [first, packed] = fileOf('first.eml', Buffer.from('first'), 0)
    const [last, lastPacked] = fileOf('last.eml', Buffer.from('last one'), far)
    writeSync(file, Buffer.concat([encodeLocalHeader(first), packed]))
    // A sparse hole, which takes no disk space.
    ftruncateSync(file, far)
    const end = Buffer.concat([encodeLocalHeader(last), lastPacked])
    const directory = Buffer.concat([...encodeCentralDirectory([first, last], far + end.byteLength)])
    writeSync(file, Buffer.concat([end, directory]), 0, end.byteLength + directory.byteLength, far)
    closeSync(file)
    expect(runPython(READ, path)).toMatchObject({ bad: null, count: 2, first: 'first.eml', last: 'last one' })
  })
})
