import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FaultRule, faultKinds } from '../../src/http/fault-rule.ts'
import { faultRuleSchema } from '../../src/http/faults.ts'
import { parseFaultRule } from '../../src/http/parse-fault-rule.ts'

describe('fault line', () => {
  test.each<[string, FaultRule]>([
    ['html', { kind: 'html' }],
    ['  lost   POST ', { kind: 'lost', method: 'POST' }],
    ['error_503 GET /emails times=2', { kind: 'error_503', method: 'GET', path: '/emails', times: 2 }],
    ['error_503 times=2 /emails GET', { kind: 'error_503', method: 'GET', path: '/emails', times: 2 }],
    ['rate_limited retry_after=0 skip=3', { kind: 'rate_limited', retry_after: 0, skip: 3 }],
    ['delay delay_ms=250', { kind: 'delay', delay_ms: 250 }],
    ['error_422 message="Not so, = at all."', { kind: 'error_422', message: 'Not so, = at all.' }],
    ['error_422 message=No', { kind: 'error_422', message: 'No' }],
    ['error_422 message=""', { kind: 'error_422', message: '' }],
    ['missing_field field=created_at', { kind: 'missing_field', field: 'created_at' }],
  ])('%s', (line, rule) => {
    expect(parseFaultRule(line)).toEqual(rule)
  })

  test.each([
    ['', 'A fault begins with its kind: delay, error_422,'],
    ['times=2', 'A fault begins with its kind'],
    ['GET /emails', 'There is no fault GET. The faults are delay, error_422,'],
    ['earthquake', 'There is no fault earthquake.'],
    ['html get', 'get is no method (GET, POST, PUT, PATCH, DELETE), no path that begins with / and no NAME=VALUE.'],
    ['html emails', 'emails is no method'],
    ['html GET POST', 'POST says method a second time.'],
    ['html /a /b', '/b says path a second time.'],
    ['html times=1 times=2', 'times=2 says times a second time.'],
    ['html kind=lost', 'kind is not one of times, skip, delay_ms, retry_after, message, field.'],
    ['html toString=1', 'toString is not one of'],
    ['html times=x', 'times takes a whole number, not "x".'],
    ['html times=', 'times takes a whole number, not "".'],
    ['html times=-1', 'times takes a whole number, not "-1".'],
    ['html times=0', 'times=0: Too small'],
    ['delay delay_ms=600001', 'delay_ms=600001: Too big'],
    ['error_422 message="open and', 'The quotes of message are not closed around its value.'],
    ['error_422 message="a"b', 'The quotes of message are not closed around its value.'],
  ])('is rejected: %s', (line, message) => {
    expect(() => parseFaultRule(line)).toThrow(message)
  })

  test('equals a rule of the control endpoint', () => {
    const text = fc.stringMatching(/^[^"\r\n]*$/)
    const rules = fc.record(
      {
        kind: fc.constantFrom(...faultKinds),
        method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
        path: fc.webPath().map((path) => `/${path.replace(/^\/+/, '')}`),
        times: fc.integer({ min: 1, max: 99 }),
        skip: fc.nat(99),
        delay_ms: fc.nat(600_000),
        retry_after: fc.nat(99),
        message: text,
        field: text,
      },
      { requiredKeys: ['kind'] },
    )
    fc.assert(
      fc.property(rules, ({ kind, method, path, ...rest }) => {
        const named = Object.entries(rest).map(
          ([name, value]) => `${name}=${typeof value === 'string' ? `"${value}"` : value}`,
        )
        const line = [kind, ...[method, path].filter((word) => word !== undefined), ...named].join(' ')
        expect(parseFaultRule(line)).toEqual(
          faultRuleSchema.parse({ kind, ...(method && { method }), ...(path && { path }), ...rest }),
        )
      }),
    )
  })
})
