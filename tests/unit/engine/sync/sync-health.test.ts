import { describe, expect, it } from 'vitest'
import { SignInWanted } from '../../../../src/engine/api/sign-in.ts'
import { healthOf } from '../../../../src/engine/sync/sync-health.ts'
import type { Problem, ProblemCode } from '../../../../src/shared/result.ts'

const failing = (...codes: readonly ProblemCode[]): ReadonlyMap<string, Problem> =>
  new Map(codes.map((code, index) => [`work ${index}`, { code, message: code }]))

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
    expect(healthOf('unreachable', failing('unreachable'))).toEqual({ connection: 'offline', problem: null })
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
    const problem: Problem = { code: 'unreachable', message: 'Not trusted.', details: { isUntrusted: true } }
    expect(healthOf('unreachable', new Map([['threads', problem]]))).toEqual({ connection: 'offline', problem })
  })
})
