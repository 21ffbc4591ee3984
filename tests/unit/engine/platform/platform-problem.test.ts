import { describe, expect, it } from 'vitest'
import { toSendRefusal } from '../../../../src/engine/mail/writing/sending-refusal.ts'
import { neverTookEffect, toRefusal, toUnreachableError } from '../../../../src/engine/platform/platform-problem.ts'

describe('platform rejections', () => {
  it.each([
    [401, { statusCode: 401, message: 'API key is invalid', name: 'validation_error' }],
    [400, { statusCode: 400, message: 'API key is invalid', name: 'invalid_api_key' }],
    [403, { statusCode: 403, message: 'API key is not active', name: 'restricted_api_key' }],
    [401, { statusCode: 401, message: 'Missing API key in the authorization header', name: 'missing_api_key' }],
    [403, { statusCode: 403, message: 'This key is suspended', name: 'suspended_api_key' }],
  ])('blame the key, whatever the status: %i %j', (status, body) =>
    expect(toRefusal(status, body).problem.code).toBe('key_rejected'),
  )

  it('explain the limits of a sending key', () => {
    const body = {
      statusCode: 401,
      name: 'restricted_api_key',
      message: 'This API key is restricted to only send emails',
    }
    expect(toRefusal(401, body).problem).toMatchObject({
      code: 'key_restricted',
      message: 'This API key can only send mail. Linnet needs an API key with full access.',
    })
  })

  it('say what to do when a sign-in lacks a scope', () => {
    const { problem } = toRefusal(403, { name: 'invalid_permission', message: 'Missing scope' })
    expect(problem).toMatchObject({
      code: 'key_restricted',
      message: 'Linnet is not allowed to do this with your sign-in. Sign in again and allow full access.',
    })
  })

  it.each([413, 414, 415, 422])('are final with status %i, even as a web page', (status) => {
    const page = toRefusal(status, undefined)
    expect([page.isInJson, page.isFinal]).toEqual([false, true])
    expect(toSendRefusal(page)).toMatchObject({ field: 'message' })
  })

  it('aren’t final as a web page with another status', () => {
    expect([400, 403, 451].map((status) => toRefusal(status, undefined).isFinal)).toEqual([false, false, false])
    expect(toRefusal(400, { message: 'No.' }).isFinal).toBe(true)
  })

  it('explain that something is too large, or the account blocked', () => {
    expect(toRefusal(413, undefined).problem.message).toBe('The platform rejected this request as too large.')
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
  ])('map status %i to the code %s', (status, code) =>
    expect(toRefusal(status, { name: 'some_error', message: 'Some words.' }).problem.code).toBe(code),
  )

  it.each(['resource_locked', 'concurrent_idempotent_requests'])('are transient with the name %s', (name) => {
    const refusal = toRefusal(409, { statusCode: 409, message: 'Try again shortly.', name })
    expect(refusal.problem.code).toBe('platform_failed')
    expect(neverTookEffect(refusal)).toBe(true)
    expect(neverTookEffect(toRefusal(409, { name: 'invalid_idempotent_request' }))).toBe(false)
  })

  it.each([null, undefined, 'words', [], { message: 7 }])('accept any body: %j', (body) =>
    expect(toRefusal(500, body)).toMatchObject({ status: 500, errorName: null }),
  )
})

describe('failures without a response', () => {
  it.each([
    ['ENOTFOUND', 'This address does not exist, or you are offline.'],
    ['ECONNREFUSED', 'No server responds at this address. Check the address, or try again later.'],
    ['UND_ERR_HEADERS_TIMEOUT', 'The platform is taking too long to answer. Try again later.'],
    [
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'Linnet could not make a secure connection to this address. Check the platform address.',
    ],
    ['UND_ERR_SOCKET', 'The platform cannot be reached. Check your connection.'],
  ])('are told apart: %s', (code, message) =>
    expect(toUnreachableError(Object.assign(new Error('x'), { code })).problem).toMatchObject({
      code: 'unreachable',
      message,
    }),
  )
  it('mention the platform’s address only where the user typed it', () => {
    const thrown = Object.assign(new Error('x'), { code: 'EPROTO' })
    expect(toUnreachableError(thrown, false).problem.message).toBe(
      'Linnet could not make a secure connection to this address.',
    )
  })
})
