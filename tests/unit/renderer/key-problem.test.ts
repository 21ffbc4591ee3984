import { describe, expect, it } from 'vitest'
import { describeKeyProblem } from '../../../src/renderer/app/describe-status.ts'
import { describeAccount } from '../../../src/renderer/features/accounts/describe-account.ts'

const tried = { isKeyTested: true, isSignedIn: false, problem: null }
const signedIn = { ...tried, isSignedIn: true }

describe('API key banner', () => {
  it.each([
    ['online', null, tried, null],
    ['offline', null, tried, null],
    ['needsKey', null, tried, { words: 'Sign in or enter an API key to sync.', action: 'Connect' }],
    ['refused', 'Not accepted.', tried, { words: 'Not accepted.', action: 'Enter a new key' }],
    ['refused', 'It has ended.', signedIn, { words: 'It has ended.', action: 'Sign in again' }],
    [
      'offline',
      null,
      { ...tried, isKeyTested: false },
      { words: 'Your API key has not been verified yet: the platform cannot be reached.', action: null },
    ],
  ] as const)(
    'tells what to do while the connection is %s and the problem %j',
    (connection, problem, state, expected) => {
      expect(describeKeyProblem({ connection, problem }, state)).toEqual(expected)
    },
  )

  it('says why a stored key is missing', () => {
    const problem = { code: 'key_missing', message: 'The keychain does not give it back.' } as const
    expect(describeKeyProblem({ connection: 'needsKey', problem: null }, { ...tried, problem })?.words).toBe(
      'The keychain does not give it back.',
    )
  })
})

describe('account name', () => {
  it.each([
    [['ada@mail.example'], 'ada@mail.example'],
    [['ada@mail.example', 'bo@mail.example'], 'ada@mail.example and bo@mail.example'],
    [['a@m.example', 'b@m.example', 'c@m.example'], 'a@m.example, b@m.example and 1 more inbox'],
    [['a@m.example', 'b@m.example', 'c@m.example', 'd@m.example'], 'a@m.example, b@m.example and 2 more inboxes'],
    [[], 'Mail on api.example.com'],
  ])('lists its inboxes %j', (addresses, words) => {
    expect(describeAccount({ id: 'one', baseUrl: 'https://api.example.com/v1', addresses })).toBe(words)
  })

  it('is generic if nothing is known', () => {
    expect(describeAccount({ id: 'one', baseUrl: null, addresses: [] })).toBe('Mail without an inbox')
  })
})
