import { describe, expect, it } from 'vitest'
import { toUnreachableError, UnreachableError } from '../../../../src/engine/platform/platform-problem.ts'
import { CaptivePortalError } from '../../../../src/engine/platform/captive-portal.ts'
import { ProxyError } from '../../../../src/engine/platform/proxy-problem.ts'
import { Connection, deriveSyncHealth } from '../../../../src/engine/sync/connection.ts'
import { createProblem, type Problem, type ProblemCode } from '../../../../src/shared/result.ts'

const failing = (...codes: readonly ProblemCode[]): ReadonlyMap<string, Problem> =>
  new Map(codes.map((code, index) => [`work ${index}`, { code, message: code }]))

const cutOff = (details: Problem['details']): UnreachableError =>
  new UnreachableError({ code: 'unreachable', message: 'Not reached.', details }, false, null)

describe('sync health', () => {
  it('names what the user can fix, in whatever order it came', () => {
    expect(deriveSyncHealth('reached', failing('platform_failed', 'storage_failed', 'key_rejected'))).toMatchObject({
      connection: 'refused',
      problem: { code: 'key_rejected' },
    })
    expect(deriveSyncHealth('reached', failing('platform_failed', 'storage_failed')).problem).toMatchObject({
      code: 'storage_failed',
    })
  })

  it('is good without failures, and offline only by the connection', () => {
    expect(deriveSyncHealth('reached', new Map())).toEqual({ connection: 'online', problem: null })
    expect(deriveSyncHealth(cutOff({}), failing('unreachable'))).toEqual({ connection: 'offline', problem: null })
  })

  it('is offline behind a captive network, before any transient error', () => {
    const page = 'http://10.0.0.1/login'
    const signIn = new CaptivePortalError(page, true)
    const { problem } = signIn
    const offline = { connection: 'offline', signInPage: page }
    expect(deriveSyncHealth(signIn, failing('unreachable', 'platform_failed'))).toEqual({ ...offline, problem })
    expect(deriveSyncHealth(signIn, failing('storage_failed'))).toMatchObject({
      ...offline,
      problem: { code: 'storage_failed' },
    })
  })

  it('explains being offline if the user can fix it', () => {
    const cut = cutOff({ needsPerson: true })
    const { problem } = cut
    expect(deriveSyncHealth(cut, failing('unreachable'))).toEqual({ connection: 'offline', problem })
    expect(deriveSyncHealth('reached', new Map([['threads', problem]]))).toEqual({
      connection: 'online',
      problem: null,
    })
  })

  it('reports a rejected key, even if an older request fails late', () => {
    const connection = new Connection({ changed: () => undefined, onOnline: () => undefined, report: () => undefined })
    connection.reach('reached')
    connection.fail('read', cutOff({}))
    connection.fail('watch', createProblem('key_rejected', 'Your sign-in has ended.'))
    expect(connection.health()).toMatchObject({ connection: 'refused', problem: { code: 'key_rejected' } })
  })

  it('names the proxy that wants another login', () => {
    const way = (login: string) => toUnreachableError(new ProxyError(`http://${login}p.example:8080`, 'asks', null))
    expect([way(''), way('mara:s3cret@')].map((cut) => deriveSyncHealth(cut, new Map()))).toMatchObject([
      {
        problem: { message: 'The proxy http://p.example:8080 requires a name and password.' },
        proxyNeedingLogin: { address: 'http://p.example:8080', name: null },
      },
      {
        problem: { message: 'The proxy http://p.example:8080 did not accept this name and password.' },
        proxyNeedingLogin: { address: 'http://p.example:8080', name: 'mara' },
      },
    ])
    expect(JSON.stringify(deriveSyncHealth(way('mara:s3cret@'), new Map()))).not.toContain('s3cret')
  })

  it.each(['dead', 'refused'] as const)('names the proxy that keeps it offline if that is %s', (kind) => {
    const cut = toUnreachableError(new ProxyError('http://p.example:8080', kind, null))
    expect(deriveSyncHealth(cut, new Map())).toEqual({
      connection: 'offline',
      problem: expect.objectContaining({ message: cut.message }) as Problem,
    })
    expect(cut.message).toContain('The proxy http://p.example:8080 ')
  })
})
