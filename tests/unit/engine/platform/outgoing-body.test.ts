import { describe, expect, it } from 'vitest'
import { FileChangedError, createJsonBody, type OutgoingFile } from '../../../../src/engine/platform/outgoing-body.ts'

/** A file read in chunks whose length base64 doesn't divide evenly. */
const file = (bytes: Buffer, piece: number, size = bytes.byteLength): OutgoingFile => ({
  filename: 'Bücher "2".pdf',
  contentType: 'application/pdf',
  contentId: null,
  size,
  read: async function* () {
    for (let at = 0; at < bytes.byteLength; at += piece) yield await Promise.resolve(bytes.subarray(at, at + piece))
  },
})

const textOf = async (body: unknown, files: readonly OutgoingFile[]): Promise<string> => {
  const { open, length } = createJsonBody(body, files)
  const opened = open()
  const chunks: Buffer[] = []
  if (typeof opened === 'string') chunks.push(Buffer.from(opened))
  else for await (const chunk of opened) chunks.push(chunk as Buffer)
  const all = Buffer.concat(chunks)
  expect(all.byteLength).toBe(length)
  return all.toString()
}

describe('a request with files', () => {
  it.each([1, 2, 3, 7, 1_000])('carries their bytes, read %i at a time, and its length', async (piece) => {
    const bytes = Buffer.from(Array.from({ length: 100 }, (_, at) => (at * 37) % 256))
    const text = await textOf({ subject: 'Lüneburg' }, [
      file(bytes, piece),
      { ...file(Buffer.from('a'), 1), contentId: 'one@linnet' },
    ])
    const body = JSON.parse(text) as { readonly attachments: readonly { readonly content: string }[] }
    expect(body).toMatchObject({
      subject: 'Lüneburg',
      attachments: [
        { filename: 'Bücher "2".pdf', content_type: 'application/pdf', content: bytes.toString('base64') },
        { content_id: 'one@linnet', content: 'YQ==' },
      ],
    })
    expect(body.attachments[0]).not.toHaveProperty('content_id')
  })

  it('is identical on every attempt', async () => {
    const files = [file(Buffer.alloc(1_000, 7), 64)]
    expect(await textOf({ to: ['a@example.com'] }, files)).toBe(await textOf({ to: ['a@example.com'] }, files))
  })

  it('is a separate body without other fields', async () => {
    expect(JSON.parse(await textOf({}, [file(Buffer.from('x'), 1)]))).toMatchObject({
      attachments: [{ content: 'eA==' }],
    })
  })

  it('fails if a file has changed since it was added', async () => {
    await expect(textOf({ subject: '' }, [file(Buffer.from('short'), 2, 6)])).rejects.toThrow(FileChangedError)
  })
})
