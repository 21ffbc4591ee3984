import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AttachmentRisk, detectNameRisk } from '../../../shared/attachment-risk.ts'

const LOCAL_HEADER = Buffer.from('PK\u0003\u0004', 'latin1')
const DIRECTORY_HEADER = Buffer.from('PK\u0001\u0002', 'latin1')
/** Offsets of the name and its length in zip headers (APPNOTE 4.3.7, 4.3.12). */
const HEADERS = [
  { signature: LOCAL_HEADER, lengthAt: 26, nameAt: 30 },
  { signature: DIRECTORY_HEADER, lengthAt: 28, nameAt: 46 },
] as const
const MAX_FILES = 50_000
/** Bytes; no file system allows longer names. */
const LONGEST_NAME = 4_096
/** Files to check per turn of the event loop. */
const AT_ONCE = 500

/** Documents that are archives; programs inside them are harmless. */
const DOCUMENTS =
  /\.(?:doc|xls|ppt|vsd)[xt]$|\.(?:dot|xlt|pot|pps|sld)x$|\.(?:od[tspgf]|ot[tsp]|epub|pages|numbers|key|3mf)$/i
/** Macro storage of Office, Excel 4 and LibreOffice. */
const MACROS = /(?:^|\/)vbaProject\.bin$|^xl\/macrosheets\/|^(?:Basic|Scripts)\/./i

/** Signature of pre-2007 documents, and of their macros. */
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const COMPOUND_MACROS = Buffer.from('_VBA_PROJECT', 'utf16le')

/** Signature positions of a CD image (ISO 9660, 8.1) and a disk image's footer. */
const CD = { sign: 'CD001', at: 0x8001 } as const
const DISK_FOOTERS = ['koly', 'conectix'] as const
const FOOTER_BYTES = 512

/** Names from everything that looks like a header: programs trust different lists, and headers may be nested. */
const namesIn = function* (archive: Buffer): Generator<string> {
  let files = 0
  for (const { signature, lengthAt, nameAt } of HEADERS) {
    for (let at = archive.indexOf(signature); at !== -1; at = archive.indexOf(signature, at + signature.length)) {
      if (at + nameAt > archive.length || (files += 1) > MAX_FILES) break
      const length = Math.min(LONGEST_NAME, archive.readUInt16LE(at + lengthAt))
      yield archive.toString('utf8', at + nameAt, at + nameAt + length)
    }
  }
}

/** Ignores web pages: many harmless archives have them, and each opens without the files around it. */
const canRun = (path: string): boolean =>
  path.split(/[/\\]/).some((name) => {
    // Fast path for nearly all names: only the extension counts.
    const isPlain = /^[\w .()-]*\w$/.test(name)
    const dot = name.lastIndexOf('.')
    if (isPlain && dot === -1) return false
    const risk = detectNameRisk(isPlain ? name.slice(dot) : name)
    return risk !== null && risk !== 'page'
  })

const riskInArchive = async (filename: string, archive: Buffer): Promise<AttachmentRisk | null> => {
  const isDocument = DOCUMENTS.test(filename)
  let files = 0
  for (const name of namesIn(archive)) {
    if (isDocument ? MACROS.test(name) : canRun(name)) return isDocument ? 'macros' : 'archive'
    if ((files += 1) % AT_ONCE === 0) await nextTurn()
  }
  return null
}

const isDisk = (bytes: Buffer): boolean =>
  bytes.toString('latin1', CD.at, CD.at + CD.sign.length) === CD.sign ||
  DISK_FOOTERS.some((sign) => bytes.subarray(-FOOTER_BYTES).toString('latin1', 0, sign.length) === sign)

/**
 * Finds what a file's start doesn't reveal: executables in archives, macros and disk images. Skips nested archives and
 * formats other than zip. Yields to other work.
 */
export const detectContentRisk = async (
  filename: string | null,
  content: Uint8Array,
): Promise<AttachmentRisk | null> => {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const name = filename ?? ''
  if (bytes.subarray(0, 2).toString('latin1') === 'PK' || /\.zipx?$/i.test(name)) return riskInArchive(name, bytes)
  if (bytes.subarray(0, COMPOUND.length).equals(COMPOUND)) return bytes.includes(COMPOUND_MACROS) ? 'macros' : null
  return isDisk(bytes) ? 'disk' : null
}
