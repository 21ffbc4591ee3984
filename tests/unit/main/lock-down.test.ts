import { describe, expect, it } from 'vitest'
import { isAllowedPermission, isAllowedRequest, findDebuggingSwitch } from '../../../src/main/lock-down.ts'
import { toExternalUrl, isWindowUrl, WINDOW_URL } from '../../../src/main/window-origin.ts'

describe('page permissions', () => {
  it('allow only copying text, and only the window’s own page', () => {
    expect(isAllowedPermission('clipboard-sanitized-write', WINDOW_URL)).toBe(true)
    expect(isAllowedPermission('clipboard-sanitized-write', 'https://evil.example/')).toBe(false)
    for (const permission of [
      'clipboard-read',
      'media',
      'geolocation',
      'notifications',
      'openExternal',
      'fileSystem',
    ]) {
      expect(isAllowedPermission(permission, WINDOW_URL)).toBe(false)
    }
  })

  it('allow loading its own files and data it created', () => {
    for (const url of ['linnet://app/assets/index.js', 'data:image/png;base64,AA==', 'blob:linnet://app/1']) {
      expect(isAllowedRequest(url)).toBe(true)
    }
    for (const url of [
      'https://evil.example/pixel.gif',
      'http://127.0.0.1/',
      'file:///etc/passwd',
      'ws://x',
      'ftp://x',
    ]) {
      expect(isAllowedRequest(url)).toBe(false)
    }
  })
})

describe('the window’s origin', () => {
  it.each(['https://app/index.html', 'linnet://other/index.html', 'linnet:app', 'nonsense', ''])('is not %s', (url) => {
    expect(isWindowUrl(url)).toBe(false)
  })
})

describe('a link the desktop opens', () => {
  it.each(['https://a.example/?q=1', 'http://a.example/', 'mailto:a@b.example'])('may be %s', (url) => {
    expect(toExternalUrl(url)).toBe(url)
  })

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'ms-msdt:/id', 'smb://host/share', 'linnet://app/', 'x y'])(
    'is never %s',
    (url) => {
      expect(toExternalUrl(url)).toBeNull()
    },
  )

  it.each(['tel:+49301234567', 'sms:110'])('may be a phone number: %s', (url) => {
    expect(toExternalUrl(url)).toBe(url)
  })

  it.each(['tel:*06', 'tel:%2306', 'tel:+49;ext=1', 'sms:+49?body=x', 'tel:', 'TEL:+49'])('is never %s', (url) => {
    expect(toExternalUrl(url)).toBeNull()
  })

  it('keeps only the visible fields of a new e-mail, and attaches no file', () => {
    expect(
      toExternalUrl(
        'mailto:a+b@c.example?subject=Hi%20there&attach=/etc/passwd&Attachment=x&CC=d+e@f.example&%61ttach=y',
      ),
    ).toBe('mailto:a+b@c.example?subject=Hi%20there&CC=d+e@f.example')
    expect(toExternalUrl('mailto:?body=a%0D%0Ab&subject=a%0D%0ABcc:%20x@y.example&in-reply-to=1')).toBe(
      'mailto:?body=a%0D%0Ab',
    )
    expect(toExternalUrl('mailto:a@b.example%0D%0ABcc:c@d.example')).toBeNull()
  })
})

describe('the packaged app', () => {
  it.each([
    '--remote-debugging-port=9222',
    '--remote-debugging-port',
    '-remote-debugging-port=0',
    '/Remote-Debugging-Pipe',
    '--remote-debugging-pipe=cbor',
    '--inspect',
    '--inspect-brk=0',
    '--inspect-port=1',
    '--debug-brk',
  ])('doesn’t start with %s, which developers may use', (given) => {
    expect(findDebuggingSwitch(['linnet', '--data-dir=/tmp/x', given], true)).not.toBeNull()
    expect(findDebuggingSwitch(['electron', '.', given], false)).toBeNull()
  })

  it.each(['--data-dir=--inspect', 'mailto:a@b.example?subject=--inspect', '--inspector', '--no-sandbox'])(
    'starts with %s',
    (given) => {
      expect(findDebuggingSwitch(['linnet', given], true)).toBeNull()
    },
  )
})
