import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectLineEnding, findChunkOffsets, toVisibleSource } from '../../../../src/engine/sync/visible-source.ts'

const show = (message: Uint8Array): string => {
  const cuts = findChunkOffsets(message)
  const usual = detectLineEnding(message)
  return cuts
    .slice(1)
    .map((end, index) => toVisibleSource(message, cuts[index] ?? 0, end, usual))
    .join('')
}

describe('the source of a message', () => {
  it.each([
    ['control characters', 'a\x00b\x1bc\x7f', 'a␀b␛c␡'],
    ['what turns the direction of writing', 'a\u202eb\u2066c', 'a⟨U+202E⟩b⟨U+2066⟩c'],
    ['what has no width', 'a\u200bb\ufeffc\u00add', 'a⟨U+200B⟩b⟨U+FEFF⟩c⟨U+00AD⟩d'],
    ['control characters beyond ASCII', 'a\u0085b\u009bc', 'a⟨U+0085⟩b⟨U+009B⟩c'],
    ['separators of lines', 'a\u2028b\u2029c', 'a⟨U+2028⟩b⟨U+2029⟩c'],
    ['tags', 'a\u{e0041}', 'a⟨U+E0041⟩'],
    ['more accents than a letter has', `a${'\u0301'.repeat(6)}`, `a${'\u0301'.repeat(4)}⟨U+0301⟩⟨U+0301⟩`],
    ['scripts, tabs and signs as they are', 'שלום\tمرحبا 日本 🙂', 'שלום\tمرحبا 日本 🙂'],
  ])('shows %s', (_, text, shown) => {
    expect(show(Buffer.from(text))).toBe(shown)
  })

  it('shows bytes that aren’t text by number, next to letters', () => {
    expect(show(Buffer.from([0x61, 0xe9, 0xc3, 0xa9, 0xed, 0xa0, 0x80, 0xf0, 0x9f]))).toBe(
      'a⟨0xE9⟩é⟨0xED⟩⟨0xA0⟩⟨0x80⟩⟨0xF0⟩⟨0x9F⟩',
    )
  })

  it('shows line endings that differ from the first one', () => {
    expect(show(Buffer.from('a\r\nb\nc\rd\r\n'))).toBe('a\nb␊\nc␍\nd\n')
    expect(show(Buffer.from('a\nb\r\nc\n'))).toBe('a\nb␍␊\nc\n')
    expect(show(Buffer.from('a\rb\r'))).toBe('a\nb\n')
  })

  it('has no chunk without bytes', () => {
    expect(findChunkOffsets(new Uint8Array())).toEqual([0])
  })

  it.each([
    ['lines', 'caf\u00e9 au lait\r\n'.repeat(60_000)],
    ['one line of characters of four bytes', `a${'🙂'.repeat(200_000)}`],
    ['one line of bytes that end no line', `${'\r'.repeat(262_143)}\r\nx${'y'.repeat(300_000)}`],
  ])('is the same in chunks as in one: %s', (_, text) => {
    const message = Buffer.from(text)
    const cuts = findChunkOffsets(message)
    expect(cuts.length).toBeGreaterThan(2)
    expect(show(message) === toVisibleSource(message, 0, message.byteLength, detectLineEnding(message))).toBe(true)
  })

  it('is split into chunks to its end, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 30_000 }),
        (unit, times) => {
          const message = Buffer.concat(Array.from({ length: Math.min(times, 20_000) }, () => unit))
          const cuts = findChunkOffsets(message)
          expect([cuts[0], cuts.at(-1)]).toEqual([0, message.byteLength])
          expect(cuts.every((cut, index) => index === 0 || cut > (cuts[index - 1] ?? 0))).toBe(true)
          expect(cuts.every((cut, index) => index === 0 || cut - (cuts[index - 1] ?? 0) <= 262_144)).toBe(true)
        },
      ),
      { numRuns: 50 },
    )
  })
})
