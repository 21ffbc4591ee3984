import { Readable } from 'node:stream'

/** A file that goes with a request, read when its turn comes: many megabytes are never one text. */
export interface OutgoingFile {
  readonly filename: string
  readonly contentType: string
  /** Where it is a picture within the text: what the text's `cid:` names it by. */
  readonly contentId: string | null
  readonly size: number
  /** Its bytes, from the beginning each time that it is called. */
  readonly read: () => AsyncIterable<Uint8Array>
}

/**
 * A body of so many bytes is large: on a slow line it takes minutes. It never begins again by itself within a request, and whoever
 * sends it asks a person before its third try.
 */
export const LARGE_BODY = 1_000_000

/** The body of a request: its bytes, in pieces where files go with it, and how many they are. */
export interface RequestBody {
  readonly length: number
  readonly open: () => string | Readable
}

/** The file on the disk is not the one that was added. */
export class FileChanged extends Error {
  constructor(filename: string) {
    super(`The file ${filename} is not as it was when it was added.`)
    this.name = 'FileChanged'
  }
}

const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4

/** Base64 of bytes that come in pieces of any length. @throws FileChanged where they are not as many as was said */
async function* base64Of({ filename, size, read }: OutgoingFile): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let count = 0
  for await (const piece of read()) {
    count += piece.byteLength
    const bytes = rest.byteLength === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece])
    const whole = bytes.byteLength - (bytes.byteLength % 3)
    rest = bytes.subarray(whole)
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1')
  }
  if (count !== size) throw new FileChanged(filename)
  if (rest.byteLength > 0) yield Buffer.from(rest.toString('base64'), 'latin1')
}

/** An object's JSON without its last bracket, with a comma where something goes before what follows. */
const opened = (object: object): string => {
  const text = JSON.stringify(object).slice(0, -1)
  return text === '{' ? text : `${text},`
}

/**
 * A body as JSON. Files become its `attachments` with their bytes in base64 (platform facts 6.1), the same text at
 * every try.
 */
export const requestBody = (body: unknown, files: readonly OutgoingFile[] = []): RequestBody => {
  if (files.length === 0) {
    const text = JSON.stringify(body)
    return { length: Buffer.byteLength(text), open: () => text }
  }
  const heads = files.map(({ filename, contentType, contentId }, index) => {
    const head = { filename, content_type: contentType, ...(contentId !== null && { content_id: contentId }) }
    return `${index === 0 ? '' : ','}${opened(head)}"content":"`
  })
  const start = `${opened(body as object)}"attachments":[`
  const end = ']}'
  const afterFile = '"}'
  const length =
    [start, end, ...heads].reduce((sum, text) => sum + Buffer.byteLength(text), 0) +
    files.reduce((sum, { size }) => sum + base64Length(size) + afterFile.length, 0)
  const pieces = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(start)
    for (const [index, file] of files.entries()) {
      yield Buffer.from(heads[index] ?? '')
      yield* base64Of(file)
      yield Buffer.from(afterFile)
    }
    yield Buffer.from(end)
  }
  return { length, open: () => Readable.from(pieces(), { objectMode: false }) }
}

/** A body that was written already. */
export const formBody = (bytes: Uint8Array): RequestBody => ({
  length: bytes.byteLength,
  open: () => Readable.from([bytes], { objectMode: false }),
})
