import { describe, expect, it } from 'vitest'
import { parseBaseUrl } from '../../../../src/engine/platform/base-url.ts'
import { ProblemError } from '../../../../src/shared/result.ts'

const messageOf = (text: string): string => {
  try {
    parseBaseUrl(text)
    return 'accepted'
  } catch (thrown) {
    return thrown instanceof ProblemError ? thrown.problem.message : 'another error'
  }
}

const PLAIN_HTTP =
  'Use https://. With http://, others could read your API key. Only this computer’s own address can use http://.'

describe('a base URL', () => {
  it.each([
    ['api.example.com', 'https://api.example.com/'],
    [' mail.example/v1/ ', 'https://mail.example/v1'],
    ['api.example.com:8443', 'https://api.example.com:8443/'],
    ['localhost:4700', 'https://localhost:4700/'],
    ['HTTPS://API.example.com', 'https://api.example.com/'],
  ])('defaults to https: %s', (text, href) => expect(parseBaseUrl(text).href).toBe(href))

  it('keeps its path and drops trailing slashes', () => {
    expect(parseBaseUrl(' https://mail.example/v1/api/ ').href).toBe('https://mail.example/v1/api')
    expect(parseBaseUrl('https://api.example.com').href).toBe('https://api.example.com/')
  })

  it.each(['http://127.0.0.1:4700', 'http://localhost:4700', 'http://[::1]:4700', 'http://127.9.9.9'])(
    'may be plain http on this computer: %s',
    (text) => expect(messageOf(text)).toBe('accepted'),
  )

  it.each([
    ['http://api.example.com', PLAIN_HTTP],
    ['http://127.0.0.1.evil.example', PLAIN_HTTP],
    ['ftp://api.example.com', 'Start the address with https://.'],
    ['https://', 'This is not a web address. It should look like https://api.example.com.'],
    ['https://me:secret@api.example.com', 'Leave out the user name and password. The API key is enough.'],
    ['https://api.example.com/?key=1', 'Leave out the ? or # and everything after it.'],
  ])('is rejected, with a hint to fix it: %s', (text, message) => expect(messageOf(text)).toBe(message))
})
