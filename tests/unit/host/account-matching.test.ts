import { describe, expect, it } from 'vitest'
import {
  formatBoundKey,
  parseBoundKey,
  matchAccount,
  type AccountCandidate,
} from '../../../src/host/account-matching.ts'

const inboxes = (...ids: readonly string[]) => ids.map((id) => ({ id, address: `${id}@mail.example` }))
const HERE = 'https://mail.example/'
const candidate = (id: string, ids: readonly string[], baseUrl: string | null = HERE): AccountCandidate => ({
  id,
  baseUrl,
  inboxes: inboxes(...ids),
})

describe('the owner of a key', () => {
  it.each([
    ['the account with an inbox in common', ['a', 'b'], [candidate('x', ['z']), candidate('y', ['b', 'c'])], 'y'],
    [
      'the one with the base URL, before a folder of which nothing is known',
      ['a'],
      [candidate('x', ['a'], null), candidate('y', ['a'])],
      'y',
    ],
  ] as const)('is %s', (_, ids, candidates, id) => {
    expect(matchAccount({ baseUrl: HERE, inboxes: inboxes(...ids) }, candidates)).toEqual({ kind: 'known', id })
  })

  it.each([
    ['the account has no inboxes', ['a'], [candidate('x', [])], ['x']],
    ['the key has no inboxes', [], [candidate('x', ['a']), candidate('y', [])], ['x', 'y']],
    ['nobody knows the base URL of the folder with the inbox', ['a'], [candidate('x', ['a'], null)], ['x']],
  ] as const)('is unsure if %s', (_, ids, candidates, expected) => {
    const recognition = matchAccount({ baseUrl: HERE, inboxes: inboxes(...ids) }, candidates)
    expect(recognition).toEqual({ kind: 'unsure', ids: expected })
  })

  it.each([
    ['nothing is here', ['a'], []],
    ['all inboxes are others', ['a'], [candidate('x', ['b'])]],
    ['the same inbox is on another platform', ['a'], [candidate('x', ['a'], 'https://other.example/')]],
    [
      'the folder of an unknown platform has no such inbox',
      [],
      [candidate('x', ['a'], null), candidate('y', [], null)],
    ],
  ] as const)('is a new account if %s', (_, ids, candidates) => {
    expect(matchAccount({ baseUrl: HERE, inboxes: inboxes(...ids) }, candidates)).toEqual({ kind: 'new' })
  })
})

describe('a sealed key', () => {
  it('is returned only for the server it was entered for', () => {
    expect(parseBoundKey(HERE, formatBoundKey(HERE, 're_key'))).toBe('re_key')
    expect(parseBoundKey('https://other.example/', formatBoundKey(HERE, 're_key'))).toBeNull()
    expect(parseBoundKey(`${HERE}x`, formatBoundKey(HERE, 're_key'))).toBeNull()
  })

  it('isn’t returned without its server', () => {
    expect(parseBoundKey(HERE, 're_key')).toBeNull()
  })
})
