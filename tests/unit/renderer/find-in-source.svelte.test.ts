import { describe, expect, it } from 'vitest'
import {
  SourceFinder,
  findLowerBound,
  MAX_MATCHES,
} from '../../../src/renderer/features/source/source-finder.svelte.ts'
import { until } from './support/until.ts'

const openFind = (...pieces: string[]) => {
  const source = { pieces, isWhole: true }
  const find = new SourceFinder(() => source)
  const search = async (query: string): Promise<readonly number[]> => {
    find.search(query)
    await until(() => !find.isSearching)
    return find.matches
  }
  return { find, search, pieces }
}

describe('find in source', () => {
  it('ignores case and takes punctuation literally', async () => {
    const { search } = openFind('Received: a.b\nreceived: (a+b)\n')
    expect(await search('RECEIVED')).toEqual([0, 14])
    expect(await search('a.b')).toEqual([10])
    expect(await search('(a+b)')).toEqual([24])
    expect(await search('[')).toEqual([])
    expect(await search('\\-/')).toEqual([])
  })

  it('finds a match that spans two parts, once', async () => {
    const { search } = openFind('aaDKI', 'M-Sig DKIM', '-Signature')
    expect(await search('dkim')).toEqual([2, 11])
    expect(await search('dkim-s')).toEqual([2, 11])
    expect(await search('aa')).toEqual([0])
    // The shortest match that a part boundary can split.
    expect(await search('im')).toEqual([4, 13])
  })

  it('steps through matches and wraps at both ends', async () => {
    const { find, search } = openFind('x x x')
    await search('x')
    expect(find.index).toBe(0)
    find.step(1)
    find.step(1)
    expect(find.index).toBe(2)
    find.step(1)
    expect(find.index).toBe(0)
    find.step(-1)
    expect(find.index).toBe(2)
  })

  it('continues in later parts and keeps the current match', async () => {
    const { find, search, pieces } = openFind('one two')
    await search('t')
    find.step(1)
    pieces.push(' three')
    find.continueSearch()
    await until(() => find.matches.length === 2)
    expect([find.matches, find.index]).toEqual([[4, 8], 0])
  })

  it('stops at the match limit', async () => {
    const { find, search } = openFind('e'.repeat(3 * MAX_MATCHES))
    expect(await search('e')).toHaveLength(MAX_MATCHES)
    expect(find.isCapped).toBe(true)
  })

  it('finds the first match at or after a position', () => {
    expect([0, 3, 4, 9, 10].map((value) => findLowerBound([3, 6, 9], value))).toEqual([0, 0, 1, 2, 3])
  })
})
