import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../../../src/engine/writing/sending-refusal.ts'
import { neverTookEffect, toRefusal, toUnreachable } from '../../../../src/engine/api/platform-problem.ts'

describe('what the platform refuses', () => {
  it.each([
    [401, { statusCode: 401, message: 'API key is invalid', name: 'validation_error' }],
    [400, { statusCode: 400, message: 'API key is invalid', name: 'invalid_api_key' }],
    [403, { statusCode: 403, message: 'API key is not active', name: 'restricted_api_key' }],
    [401, { statusCode: 401, message: 'Missing API key in the authorization header', name: 'missing_api_key' }],
    [403, { statusCode: 403, message: 'This key is suspended', name: 'suspended_api_key' }],
  ])('is the key, whatever the status: %i %j', (status, body) =>
    expect(toRefusal(status, body).problem.code).toBe('key_rejected'),
  )

  it('says plainly what a sending key can do', () => {
    const body = {
      statusCode: 401,
      name: 'restricted_api_key',
      message: 'This API key is restricted to only send emails',
    }
    expect(toRefusal(401, body).problem).toMatchObject({
      code: 'key_restricted',
      message: 'This key can only send mail. Linnet needs one with full access.',
    })
  })

  it('says what to do where a sign-in lacks a scope (D6)', () => {
    const { problem } = toRefusal(403, { name: 'invalid_permission', message: 'Missing scope' })
    expect(problem).toMatchObject({
      code: 'key_restricted',
      message: 'Linnet is not allowed to do this with your sign-in. Sign in again and allow full access.',
    })
  })

  it.each([413, 414, 415, 422])('is final with status %i, also in a web page (D6)', (status) => {
    const page = toRefusal(status, undefined)
    expect([page.isInJson, page.isFinal]).toEqual([false, true])
    expect(refusalOf(page)).toMatchObject({ field: 'message' })
  })

  it('is not final in a web page with another status', () => {
    expect([400, 403, 451].map((status) => toRefusal(status, undefined).isFinal)).toEqual([false, false, false])
    expect(toRefusal(400, { message: 'No.' }).isFinal).toBe(true)
  })

  it('says plainly that something is too large, and that the account is blocked', () => {
    expect(toRefusal(413, undefined).problem.message).toBe('This is too large for the platform.')
    expect(toRefusal(451, { message: 'Blocked' }).problem.message).toContain('has blocked this account')
  })

  it.each([
    [404, 'not_found'],
    [429, 'rate_limited'],
    [500, 'platform_failed'],
    [503, 'platform_failed'],
    [409, 'refused'],
    [422, 'refused'],
    [403, 'refused'],
  ])('%i is something that a person can do something about: %s', (status, code) =>
    expect(toRefusal(status, { name: 'some_error', message: 'Some words.' }).problem.code).toBe(code),
  )

  it.each(['resource_locked', 'concurrent_idempotent_requests'])('passes by itself where it is %s', (name) => {
    const refusal = toRefusal(409, { statusCode: 409, message: 'Try again shortly.', name })
    expect(refusal.problem.code).toBe('platform_failed')
    expect(neverTookEffect(refusal)).toBe(true)
    expect(neverTookEffect(toRefusal(409, { name: 'invalid_idempotent_request' }))).toBe(false)
  })

  it.each([null, undefined, 'words', [], { message: 7 }])('may come with any body: %j', (body) =>
    expect(toRefusal(500, body)).toMatchObject({ status: 500, errorName: null }),
  )
})

describe('what gets no answer', () => {
  it.each([
    ['ENOTFOUND', 'This address does not exist, or you are offline.'],
    ['ECONNREFUSED', 'Nothing answers at this address. Check it, or try again later.'],
    ['UND_ERR_HEADERS_TIMEOUT', 'The platform takes too long to answer. Try again later.'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'This address has no secure connection. Check the platform address.'],
    ['UND_ERR_SOCKET', 'The platform cannot be reached. Check your connection.'],
  ])('is told apart: %s', (code, message) =>
    expect(toUnreachable(Object.assign(new Error('x'), { code })).problem).toMatchObject({
      code: 'unreachable',
      message,
    }),
  )
  it('speaks of the platform’s address only where a person typed it', () => {
    const thrown = Object.assign(new Error('x'), { code: 'EPROTO' })
    expect(toUnreachable(thrown, false).problem.message).toBe('This address has no secure connection.')
  })
})
