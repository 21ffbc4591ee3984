import { describe, expect, it } from 'vitest'
import {
  boundKey,
  digestKey,
  firstVersionFolders,
  keyBoundTo,
  recogniseAccount,
  type Candidate,
} from '../../../src/host/recognise-account.ts'

const inboxes = (...ids: readonly string[]) => ids.map((id) => ({ id, address: `${id}@mail.example` }))
const HERE = 'https://mail.example/'
const candidate = (id: string, ids: readonly string[], baseUrl: string | null = HERE): Candidate => ({
  id,
  baseUrl,
  inboxes: inboxes(...ids),
})

describe('whose key it is', () => {
  it.each([
    ['the account with an inbox in common', ['a', 'b'], [candidate('x', ['z']), candidate('y', ['b', 'c'])], 'y'],
    [
      'the one with the base URL, before a folder of which nothing is known',
      ['a'],
      [candidate('x', ['a'], null), candidate('y', ['a'])],
      'y',
    ],
  ] as const)('is %s', (_, ids, candidates, id) => {
    expect(recogniseAccount({ baseUrl: HERE, inboxes: inboxes(...ids) }, candidates)).toEqual({ kind: 'known', id })
  })

  it.each([
    ['the account has no inboxes', ['a'], [candidate('x', [])], ['x']],
    ['the key has no inboxes', [], [candidate('x', ['a']), candidate('y', [])], ['x', 'y']],
    ['nobody knows the base URL of the folder with the inbox', ['a'], [candidate('x', ['a'], null)], ['x']],
  ] as const)('is unsure where %s', (_, ids, candidates, expected) => {
    const recognition = recogniseAccount({ baseUrl: HERE, inboxes: inboxes(...ids) }, candidates)
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
  ] as const)('is a new account’s where %s', (_, ids, candidates) => {
    expect(recogniseAccount({ baseUrl: HERE, inboxes: inboxes(...ids) }, candidates)).toEqual({ kind: 'new' })
  })
})

describe('a key that was sealed', () => {
  it('is given back for the server that it was entered for alone', () => {
    expect(keyBoundTo(HERE, boundKey(HERE, 're_key'), null)).toBe('re_key')
    expect(keyBoundTo('https://other.example/', boundKey(HERE, 're_key'), null)).toBeNull()
    expect(keyBoundTo(`${HERE}x`, boundKey(HERE, 're_key'), null)).toBeNull()
  })

  it('without its server is given back for the one of its digest, or where there is none', () => {
    expect(keyBoundTo(HERE, 're_key', null)).toBe('re_key')
    expect(keyBoundTo(HERE, 're_key', digestKey(HERE, 're_key'))).toBe('re_key')
    expect(keyBoundTo('https://other.example/', 're_key', digestKey(HERE, 're_key'))).toBeNull()
  })
})

describe('the folders of the first version', () => {
  it('are found however the base URL was spelt then and now', () => {
    const made = (typed: string): string => digestKey(typed, 're_key')
    for (const typed of ['https://mail.example', 'https://mail.example/', ' https://MAIL.example/ ']) {
      const names = firstVersionFolders(typed, HERE, 're_key')
      expect(names).toContain(made('https://mail.example'))
      expect(names).toContain(made('https://mail.example/'))
      expect(names).toContain(made(typed.trim()))
    }
    // As the first version wrote it: a folder made then has to be found for ever.
    expect(made('https://mail.example')).toBe('0fc4dd6b034e1f59e056c4070c3ecc89')
  })
})
