import { describe, expect, it } from 'vitest'
import { detectPortalByCertificate, detectCaptivePortal } from '../../../../src/engine/platform/captive-portal.ts'

const KEY = 're_someKeyOfAda'
const PAGE = '<!doctype html><title>Harbour Hotel</title>'
const JSON_LIST = '{"object":"list","has_more":false,"data":[]}'

interface Answer {
  readonly status?: number
  readonly type?: string
  readonly location?: string
  readonly text?: string
  readonly hasAnswered?: boolean
}

/** The sign-in page to open; null if the response doesn't come from a captive network. */
const pageOf = ({ status = 200, type, location, text = '', hasAnswered = true }: Answer): string | null => {
  const asked = { url: new URL('https://api.mail.example/inboxes'), apiKey: KEY, hasAnswered: () => hasAnswered }
  const found = detectCaptivePortal({ status, headers: { 'content-type': type, location } }, text, asked)
  return found?.page ?? null
}

describe('a response from a captive network', () => {
  it.each<readonly [string, Answer]>([
    ['a web page', { type: 'text/html; charset=utf-8', text: PAGE }],
    ['a web page that says to be JSON', { type: 'application/json', text: PAGE }],
    ['a piece of a web page', { type: 'text/html', text: '\n<meta http-equiv="refresh" content="0">' }],
    ['the status for it', { status: 511, type: 'text/html', text: PAGE }],
    ['the status for it, where nobody has answered before', { status: 511, hasAnswered: false }],
  ])('is %s, opened through any plain HTTP page', (_name, answer) => {
    expect(pageOf(answer)).toMatch(/^http:\/\/[a-z.]+\/$/)
  })

  it.each([301, 302, 303, 307, 308])('is a redirect to another host, which is the sign-in page: %i', (status) => {
    const location = 'http://10.0.0.1/login?id=4'
    expect(pageOf({ status, location })).toBe(location)
    expect(pageOf({ status, location: '//portal.hotel.example' })).toBe('https://portal.hotel.example/')
  })

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'mailto:ada@quay.example',
    'http://api.mail.example@portal.hotel.example/',
    `http://10.0.0.1/?was=${KEY}`,
    `http://10.0.0.1/${'a'.repeat(5_000)}`,
  ])('may redirect to an unsafe page, which is replaced: %s', (location) => {
    expect(pageOf({ status: 302, location })).toMatch(/^http:\/\/[a-z.]+\/$/)
  })
})

it.each<readonly [string, Answer]>([
  ['JSON', { type: 'application/json', text: JSON_LIST }],
  ['JSON that says to be a web page', { type: 'text/html', text: JSON_LIST }],
  ['nothing', { type: 'text/html', text: '' }],
  ['half of an answer', { type: 'application/json', text: '{"object":' }],
  ['a page of the proxy of a platform in trouble', { status: 502, type: 'text/html', text: PAGE }],
  ['a page for what is not there', { status: 404, type: 'text/html', text: PAGE }],
  ['a door that lets nobody in', { status: 403, type: 'text/html', text: PAGE }],
  ['a redirect within the host', { status: 302, location: '/v2/inboxes' }],
  ['a redirect to nowhere', { status: 302, location: 'https://' }],
  ['a page where no platform was before', { type: 'text/html', text: PAGE, hasAnswered: false }],
  ['a redirect where no platform was before', { status: 301, location: 'https://www.example/', hasAnswered: false }],
])('%s is no sign-in page', (_name, answer) => {
  expect(pageOf(answer)).toBeNull()
})

describe('a certificate', () => {
  const failed = (code: string) => Object.assign(new Error('tls'), { code })

  it('for another host signals a captive network, if the platform answered before', () => {
    const thrown = failed('ERR_TLS_CERT_ALTNAME_INVALID')
    expect(detectPortalByCertificate(thrown, () => true)).toMatchObject({ mayHaveArrived: false })
    expect(detectPortalByCertificate(thrown, () => false)).toBeNull()
  })

  it.each(['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'ECONNREFUSED'])(
    'with another problem doesn’t: %s',
    (code) => {
      expect(detectPortalByCertificate(failed(code), () => true)).toBeNull()
    },
  )
})
