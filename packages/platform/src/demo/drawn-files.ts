import { crc32, deflateSync } from 'node:zlib'

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** Red, green and blue, 0 to 255 each. */
export type RgbColor = readonly [number, number, number]

/** A PNG image (8-bit RGB); `paint` returns the colour of each pixel. */
export function createPng(width: number, height: number, paint: (x: number, y: number) => RgbColor): Uint8Array {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
  }
  // Each row starts with its filter type: none.
  const rowLength = 1 + width * 3
  const pixels = Buffer.alloc(rowLength * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) pixels.set(paint(x, y), y * rowLength + 1 + x * 3)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Codes of Windows-1252, the encoding of the PDF's font, that differ from Latin-1. */
const windowsCodes: Readonly<Record<string, string>> = { '€': '\x80', '’': '\x92', '–': '\x96' }

/** Number of 11-point Helvetica characters that fit between the margins. */
const lineLength = 88

const wrapText = (text: string): readonly string[] =>
  text.split(' ').reduce<readonly string[]>((lines, word) => {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= lineLength) return [...lines, word]
    return [...lines.slice(0, -1), `${last} ${word}`]
  }, [])

/** A one-page PDF (A4, Helvetica) of Western paragraphs; the first is the heading. */
export function createPdf(paragraphs: readonly string[]): Uint8Array {
  const shown = paragraphs.flatMap(wrapText).map((line, index) => {
    const escaped = line
      .replaceAll(/[€’–]/g, (character) => windowsCodes[character] ?? character)
      .replaceAll(/[\\()]/g, (character) => `\\${character}`)
    return `/F1 ${index === 0 ? 20 : 11} Tf (${escaped}) Tj 0 -${index === 0 ? 32 : 17} Td`
  })
  const content = `BT 56 770 Td\n${shown.join('\n')}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`)
  const header = '%PDF-1.4\n'
  const offsets = objects.map((_object, index) => header.length + objects.slice(0, index).join('').length)
  const body = header + objects.join('')
  const table = ['0000000000 65535 f ', ...offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n `)]
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n${table.join('\n')}\ntrailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  )
}

/** A ZIP archive without compression, with entries dated 1 January 1980. */
export function createZip(entries: readonly { readonly name: string; readonly content: string }[]): Uint8Array {
  const files = entries.map(({ name, content }) => {
    const [path, data] = [Buffer.from(name), Buffer.from(content)]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x0800, 2)
    common.writeUInt16LE(0x21, 8)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(path.length, 22)
    return { path, common, local: Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, path, data]) }
  })
  const directory = Buffer.concat(
    files.map(({ path, common }, index) => {
      const tail = Buffer.alloc(14)
      tail.writeUInt32LE(
        files.slice(0, index).reduce((sum, { local }) => sum + local.length, 0),
        10,
      )
      return Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, path])
    }),
  )
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(
    files.reduce((sum, { local }) => sum + local.length, 0),
    16,
  )
  return Buffer.concat([...files.map(({ local }) => local), directory, end])
}
