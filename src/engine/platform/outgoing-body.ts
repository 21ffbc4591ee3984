import { Readable } from 'node:stream'

/** A file to upload, streamed: many megabytes must never be a single string. */
export interface OutgoingFile {
  readonly filename: string
  readonly contentType: string
  /** Content ID for an inline image, referenced as `cid:` in the text. */
  readonly contentId: string | null
  readonly size: number
  /** Starts at the beginning on each call. */
  readonly read: () => AsyncIterable<Uint8Array>
}

/** Takes minutes on a slow connection: not resent within a request, and the user confirms the third attempt. */
export const LARGE_BODY_BYTES = 1_000_000

/** A request body: one string, or a stream if it has files. */
export interface RequestBody {
  readonly length: number
  readonly open: () => string | Readable
}

/** The file changed on disk since it was added. */
export class FileChangedError extends Error {
  constructor(filename: string) {
    super(`The file ${filename} has changed since it was added.`)
    this.name = 'FileChangedError'
  }
}

const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4

/** Base64 of chunks of any length. @throws FileChangedError if the total differs from `size` */
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
  if (count !== size) throw new FileChangedError(filename)
  if (rest.byteLength > 0) yield Buffer.from(rest.toString('base64'), 'latin1')
}

/** JSON without the closing bracket, with a comma if it has fields. */
const toOpenJson = (object: object): string => {
  const text = JSON.stringify(object).slice(0, -1)
  return text === '{' ? text : `${text},`
}

/** A JSON body. Files become base64 `attachments` (platform.md 20.3). Identical on every attempt. */
export const createJsonBody = (body: unknown, files: readonly OutgoingFile[] = []): RequestBody => {
  if (files.length === 0) {
    const text = JSON.stringify(body)
    return { length: Buffer.byteLength(text), open: () => text }
  }
  const heads = files.map(({ filename, contentType, contentId }, index) => {
    const head = { filename, content_type: contentType, ...(contentId !== null && { content_id: contentId }) }
    return `${index === 0 ? '' : ','}${toOpenJson(head)}"content":"`
  })
  const start = `${toOpenJson(body as object)}"attachments":[`
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

/** A stream, so that progress shows whether the body was sent. */
export const createBytesBody = (bytes: Uint8Array): RequestBody => ({
  length: bytes.byteLength,
  open: () => Readable.from([bytes], { objectMode: false }),
})
