import { describe, expect, it } from 'vitest'
import { toUnreachable, Unreachable } from '../../../../src/engine/api/platform-problem.ts'
import { SignInWanted } from '../../../../src/engine/api/sign-in.ts'
import { ProxyProblem } from '../../../../src/engine/network/proxy-problem.ts'
import { healthOf } from '../../../../src/engine/sync/connection.ts'
import type { Problem, ProblemCode } from '../../../../src/shared/result.ts'

const failing = (...codes: readonly ProblemCode[]): ReadonlyMap<string, Problem> =>
  new Map(codes.map((code, index) => [`work ${index}`, { code, message: code }]))

const cutOff = (details: Problem['details']): Unreachable =>
  new Unreachable({ code: 'unreachable', message: 'Not reached.', details }, false, null)

describe('how the sync goes', () => {
  it('names what a person can do something about, in whatever order it came', () => {
    expect(healthOf('reached', failing('platform_failed', 'storage_failed', 'key_rejected'))).toMatchObject({
      connection: 'refused',
      problem: { code: 'key_rejected' },
    })
    expect(healthOf('reached', failing('platform_failed', 'storage_failed')).problem).toMatchObject({
      code: 'storage_failed',
    })
  })

  it('is well where nothing failed, and says being offline by the connection alone', () => {
    expect(healthOf('reached', new Map())).toEqual({ connection: 'online', problem: null })
    expect(healthOf(cutOff({}), failing('unreachable'))).toEqual({ connection: 'offline', problem: null })
  })

  it('is offline where the network wants a sign-in, and that is said before what passes by itself', () => {
    const page = 'http://10.0.0.1/login'
    const signIn = new SignInWanted(page, true)
    const { problem } = signIn
    const offline = { connection: 'offline', signInPage: page }
    expect(healthOf(signIn, failing('unreachable', 'platform_failed'))).toEqual({ ...offline, problem })
    expect(healthOf(signIn, failing('storage_failed'))).toMatchObject({
      ...offline,
      problem: { code: 'storage_failed' },
    })
  })

  it('says why it is offline where a person can do something about it', () => {
    const cut = cutOff({ needsPerson: true })
    const { problem } = cut
    expect(healthOf(cut, failing('unreachable'))).toEqual({ connection: 'offline', problem })
    expect(healthOf('reached', new Map([['threads', problem]]))).toEqual({ connection: 'online', problem: null })
  })

  it('names the proxy that wants another name and password', () => {
    const way = (login: string) => toUnreachable(new ProxyProblem(`http://${login}p.example:8080`, 'asks', null))
    expect([way(''), way('mara:s3cret@')].map((cut) => healthOf(cut, new Map()))).toMatchObject([
      {
        problem: { message: 'The proxy http://p.example:8080 wants a name and a password.' },
        askingProxy: { address: 'http://p.example:8080', name: null },
      },
      {
        problem: { message: 'The proxy http://p.example:8080 did not accept this name and password.' },
        askingProxy: { address: 'http://p.example:8080', name: 'mara' },
      },
    ])
    expect(JSON.stringify(healthOf(way('mara:s3cret@'), new Map()))).not.toContain('s3cret')
  })

  it.each(['dead', 'refused'] as const)('says which proxy keeps it offline where that is %s', (kind) => {
    const cut = toUnreachable(new ProxyProblem('http://p.example:8080', kind, null))
    expect(healthOf(cut, new Map())).toEqual({
      connection: 'offline',
      problem: expect.objectContaining({ message: cut.message }) as Problem,
    })
    expect(cut.message).toContain('The proxy http://p.example:8080 ')
  })
})
