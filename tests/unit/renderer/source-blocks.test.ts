import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { selectImportantHeaders, toPlatformHeaders } from '../../../src/renderer/features/source/important-headers.ts'
import { splitIntoBlocks } from '../../../src/renderer/features/source/source-blocks.ts'

describe('source blocks', () => {
  it('cover the source in order, in bounded sizes', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom('\n', 'a', '🙂\n'),
            fc.integer({ min: 1, max: 5_000 }).map((n) => '🙂'.repeat(n)),
          ),
        ),
        (parts) => {
          const text = parts.join('')
          const blocks = splitIntoBlocks(text, 7)
          expect(blocks.map((block) => block.text).join('') === text).toBe(true)
          let at = 7
          for (const block of blocks) {
            expect([block.start, block.text.isWellFormed(), block.text.length <= 2_001]).toEqual([at, true, true])
            at += block.text.length
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  it('end at line ends, unless a line is longer than a block', () => {
    const line = `${'x'.repeat(76)}\n`
    const blocks = splitIntoBlocks(line.repeat(100), 0)
    expect(blocks.every(({ text }) => text.endsWith('\n'))).toBe(true)
    expect(blocks.length).toBeLessThan(10)
    expect(splitIntoBlocks(`a\n${'y'.repeat(5_000)}\nb`, 0).map(({ text }) => text.length)).toEqual([
      2, 2_000, 2_000, 1_002,
    ])
  })
})

describe('important headers', () => {
  const named = (...names: readonly string[]) =>
    names.map((name, index) => ({ name, value: String(index), decoded: null, isCut: false }))

  it('cover people, dates, route and authentication, in message order', () => {
    const headers = named('Received', 'X-Spam', 'received', 'SUBJECT', 'List-Id', 'To', 'DKIM-Signature', 'From')
    expect(selectImportantHeaders(headers).map(({ name }) => name)).toEqual([
      'From',
      'To',
      'SUBJECT',
      'Received',
      'received',
      'DKIM-Signature',
      'List-Id',
    ])
  })

  it('reveal hidden characters if they come from the platform', () => {
    expect(toPlatformHeaders({ subject: 'evil \u202egpj' })).toMatchObject([
      { name: 'subject', value: 'evil \ufffdgpj' },
    ])
  })

  it('are all headers if none is important', () => {
    expect(selectImportantHeaders(named('X-A', 'X-B'))).toHaveLength(2)
  })
})
