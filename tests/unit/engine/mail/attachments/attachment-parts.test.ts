import { describe, expect, it } from 'vitest'
import { findAttachmentPart, type AttachmentPart } from '../../../../../src/engine/sync/attachment-parts.ts'

const part = (
  filename: string | null,
  text: string,
  contentId: string | null = null,
  more: Partial<AttachmentPart> = {},
): AttachmentPart => ({
  filename,
  contentId,
  contentLocation: null,
  contentType: 'text/plain',
  isNested: false,
  bytes: new TextEncoder().encode(text),
  ...more,
})
const textOf = (found: AttachmentPart | null): string | null =>
  found === null ? null : new TextDecoder().decode(found.bytes)

describe('an attachment among the parts of the raw message', () => {
  it('is found by name and size, among more parts in another order', () => {
    const parts = [part('logo.png', 'logo'), part('b.txt', 'second'), part('a.txt', 'first')]
    const list = [
      { filename: 'a.txt', size: 5 },
      { filename: 'b.txt', size: 6 },
    ]
    expect(textOf(findAttachmentPart(list, 0, parts))).toBe('first')
    expect(textOf(findAttachmentPart(list, 1, parts))).toBe('second')
  })

  it('is the one in the same position among identical ones', () => {
    const parts = [part('a.txt', 'one'), part('a.txt', 'two'), part('a.txt', 'six')]
    const list = parts.map(() => ({ filename: 'a.txt', size: 3 }))
    expect(list.map((_, place) => textOf(findAttachmentPart(list, place, parts)))).toEqual(['one', 'two', 'six'])
  })

  it('is found by content ID in any spelling, before its name', () => {
    const parts = [part('image.png', 'left', '<l@x>'), part('image.png', 'right', '<r@x>')]
    expect(textOf(findAttachmentPart([{ filename: 'image.png', size: null, contentId: 'r@x' }], 0, parts))).toBe(
      'right',
    )
  })

  it('is found by name, size or position alone if nothing else is known', () => {
    const parts = [part('a.txt', 'a'), part(null, 'bb')]
    expect(textOf(findAttachmentPart([{ filename: 'a.txt', size: 99 }], 0, parts))).toBe('a')
    expect(textOf(findAttachmentPart([{ filename: null, size: 2 }], 0, parts))).toBe('bb')
    const nameless = [
      { filename: null, size: null },
      { filename: null, size: null },
    ]
    expect(textOf(findAttachmentPart(nameless, 1, parts))).toBe('bb')
    expect(findAttachmentPart(nameless.slice(1), 0, parts)).toBeNull()
    expect(findAttachmentPart(nameless, 2, parts)).toBeNull()
  })

  it.each([
    ['its size', { filename: null, size: 265 }, part('inner.txt', 'inner file')],
    ['its name', { filename: 'a.pdf', size: null }, part('b.pdf', 'bytes')],
    ['its name, though the size is the same', { filename: 'a.pdf', size: 5 }, part('b.pdf', 'bytes')],
    [
      'its type',
      { filename: null, size: null, contentType: 'message/rfc822' },
      part(null, 'bytes', null, { contentType: 'text/plain' }),
    ],
    ['its letter', { filename: null, size: null }, part('inner.txt', 'inner file', null, { isNested: true })],
  ])('is never another one, told apart by %s', (_, wanted, other) => {
    expect(findAttachmentPart([wanted], 0, [other])).toBeNull()
  })
})
