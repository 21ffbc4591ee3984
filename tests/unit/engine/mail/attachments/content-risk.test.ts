import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { detectContentRisk } from '../../../../../src/engine/mail/attachments/content-risk.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const zip = (...names: readonly string[]): Uint8Array =>
  zipSync(Object.fromEntries(names.map((name) => [name, bytes('what is in it')])))
const old = (inside: string): Uint8Array =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(inside, 'utf16le')])
const disk = (text: string, at: number, length: number): Uint8Array => {
  const image = Buffer.alloc(length)
  image.write(text, at, 'latin1')
  return image
}

describe('risks deep inside a file', () => {
  it.each<readonly [string, string, Uint8Array, string | null]>([
    ['an archive with a program', 'papers.zip', zip('a/readme.txt', 'a/setup.exe'), 'archive'],
    ['one with a script behind a document’s name', 'papers.zip', zip('invoice.pdf.js'), 'archive'],
    ['one with a shortcut, whatever it is called', 'papers.dat', zip('readme.lnk'), 'archive'],
    ['one with a folder that is a program', 'papers.zip', zip('Viewer.app/Contents/Info.plist'), 'archive'],
    ['one with a disk image', 'papers.zip', zip('disk.iso'), 'archive'],
    ['one behind other bytes', 'papers.zip', Buffer.concat([bytes('other bytes'), zip('setup.exe')]), 'archive'],
    [
      'one in an archive that is not packed',
      'papers.zip',
      zipSync({ 'in.zip': [zip('setup.exe'), { level: 0 }] }),
      'archive',
    ],
    ['papers and a web page', 'papers.zip', zip('a.pdf', 'b.txt', 'c.html', 'bin/d.png'), null],
    ['an empty archive', 'papers.zip', zip(), null],
    [
      'a document with macros that says it has none',
      'sums.xlsx',
      zip('[Content_Types].xml', 'xl/vbaProject.bin'),
      'macros',
    ],
    ['one with macros of an older kind', 'sums.xlsx', zip('xl/macrosheets/sheet1.xml'), 'macros'],
    ['one of LibreOffice with macros', 'sums.ods', zip('mimetype', 'Basic/Standard/Module1.xml'), 'macros'],
    [
      'one with what is called a program and is none',
      'sums.xlsx',
      zip('xl/printerSettings/printerSettings1.bin'),
      null,
    ],
    ['an old document with macros', 'letter.doc', old('_VBA_PROJECT'), 'macros'],
    ['an old document', 'letter.doc', old('WordDocument'), null],
    ['the image of a CD', 'film.dat', disk('CD001', 0x8001, 40_000), 'disk'],
    ['the image of a disk of a Mac', 'film.dat', disk('koly', 4_000 - 512, 4_000), 'disk'],
    ['words', 'notes.txt', bytes('PackageKit and others'), null],
    ['nothing', 'notes.txt', bytes(''), null],
  ])('%s', async (_, filename, content, risk) => expect(await detectContentRisk(filename, content)).toBe(risk))

  it('are searched to the end of truncated or hostile files', async () => {
    const archive = zip('a/readme.txt', 'a/setup.exe')
    for (let length = 0; length < archive.byteLength; length += 1) {
      expect([null, 'archive']).toContain(await detectContentRisk('papers.zip', archive.subarray(0, length)))
    }
    expect(await detectContentRisk('papers.zip', Buffer.from('PK\u0003\u0004'.repeat(4_000), 'latin1'))).toBeNull()
  })
})
