import { describe, expect, it } from 'vitest'
import { indexInBackground } from '../../../../../src/engine/store/search-index/index-in-background.ts'

describe('background indexing', () => {
  it('notifies once pending mail is indexed, not after each short step', async () => {
    const ending = new AbortController()
    let left = 5
    const told: number[] = []
    await indexInBackground(
      {
        indexSome: () => {
          left -= 1
          return left > 0
        },
      },
      () => {
        told.push(left)
        ending.abort()
      },
      (thrown) => {
        throw thrown
      },
      ending.signal,
    )
    expect(told).toEqual([0])
  })
})
