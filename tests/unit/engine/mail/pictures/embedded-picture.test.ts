import { describe, expect, it } from 'vitest'
import { decodeEmbeddedPicture } from '../../../../../src/engine/mail/pictures/fetch-picture.ts'
import { drawPng } from '../../../../support/drawn-pictures.ts'

const PNG = drawPng(4, 3)
const inBase64 = (type: string, content: Uint8Array | string): string =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`

describe('a picture embedded in HTML', () => {
  it('is identified by its bytes, in base64 or percent encoding', () => {
    const found = decodeEmbeddedPicture(inBase64('image/jpeg', PNG))
    expect(found?.type).toBe('image/png')
    expect(Buffer.from(found?.content ?? []).equals(PNG)).toBe(true)
    const spaced = inBase64('image/png', PNG).replace(',', ',\n ').replaceAll('=', '%3D')
    expect(Buffer.from(decodeEmbeddedPicture(spaced)?.content ?? []).equals(PNG)).toBe(true)
    const percent = [...PNG].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
    expect(Buffer.from(decodeEmbeddedPicture(`data:image/png,${percent}`)?.content ?? []).equals(PNG)).toBe(true)
  })

  it('is null for any other URL', () => {
    expect(decodeEmbeddedPicture('https://pier.example/a.png')).toBeNull()
    expect(decodeEmbeddedPicture('cid:a')).toBeNull()
  })

  it('is never a page, a drawing, a program or a picture of a billion pixels', () => {
    const huge = Buffer.from(PNG)
    huge.writeUInt32BE(100_000, 16)
    huge.writeUInt32BE(100_000, 20)
    for (const address of [
      inBase64('image/png', '<!doctype html><script>alert(1)</script>'),
      inBase64('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
      inBase64('image/png', Buffer.from('MZ\u0090\0')),
      inBase64('image/png', huge),
      inBase64('image/png', Buffer.concat([PNG, Buffer.alloc(9 * 1024 * 1024)])),
      'data:image/png;base64',
      'data:',
    ]) {
      expect(() => decodeEmbeddedPicture(address)).toThrow('This picture was not loaded')
    }
  })
})
