import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { selectImportantHeaders, toPlatformHeaders } from '../../../src/renderer/features/source/important-headers.ts'
import { splitIntoBlocks } from '../../../src/renderer/features/source/message-source-manager.svelte.ts'

const MAX_LENGTH = 32_000

describe('source blocks', () => {
  it('cover the source in order, in bounded sizes', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom('\n', 'a', '🙂\n'),
            fc.integer({ min: 1, max: 40_000 }).map((n) => '🙂'.repeat(n)),
          ),
        ),
        (parts) => {
          const text = parts.join('')
          const blocks = splitIntoBlocks(text)
          expect(blocks.join('') === text).toBe(true)
          expect(blocks.every((block) => block.isWellFormed() && block.length <= MAX_LENGTH)).toBe(true)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('end at line ends, unless a line is longer than a block', () => {
    const blocks = splitIntoBlocks(`${'x'.repeat(76)}\n`.repeat(2_000))
    expect(blocks.every((block) => block.endsWith('\n'))).toBe(true)
    expect(blocks).toHaveLength(5)
    expect(splitIntoBlocks(`a\n${'y'.repeat(70_000)}\nb`).map(({ length }) => length)).toEqual([
      2,
      MAX_LENGTH,
      MAX_LENGTH,
      6_002,
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
