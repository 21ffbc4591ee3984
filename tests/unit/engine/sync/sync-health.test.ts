import { describe, expect, it } from 'vitest'
import { healthOf } from '../../../../src/engine/sync/sync-health.ts'
import type { Problem, ProblemCode } from '../../../../src/shared/result.ts'

const failing = (...codes: readonly ProblemCode[]): ReadonlyMap<string, Problem> =>
  new Map(codes.map((code, index) => [`work ${index}`, { code, message: code }]))

describe('how the sync goes', () => {
  it('names what a person can do something about, in whatever order it came', () => {
    expect(healthOf(true, failing('platform_failed', 'storage_failed', 'key_rejected'))).toMatchObject({
      connection: 'refused',
      problem: { code: 'key_rejected' },
    })
    expect(healthOf(true, failing('platform_failed', 'storage_failed')).problem).toMatchObject({
      code: 'storage_failed',
    })
  })

  it('is well where nothing failed, and says being offline by the connection alone', () => {
    expect(healthOf(true, new Map())).toEqual({ connection: 'online', problem: null })
    expect(healthOf(false, failing('unreachable'))).toEqual({ connection: 'offline', problem: null })
  })
})
