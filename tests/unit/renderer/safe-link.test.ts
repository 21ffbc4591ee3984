import { describe, expect, it } from 'vitest'
import { fragmentOf, promisedHost, safeLinkTarget } from '../../../src/renderer/features/reader/safe-link.ts'

describe('a link in an e-mail', () => {
  it('opens web pages and e-mails', () => {
    expect(safeLinkTarget(' https://pier.example/a b ')).toBe('https://pier.example/a%20b')
    expect(safeLinkTarget('mailto:ada@quill.example')).toBe('mailto:ada@quill.example')
  })

  it('opens nothing that runs, reads files or has no host of its own', () => {
    for (const href of [
      'javascript:alert(1)',
      'java\nscript:alert(1)',
      ' \u0001javascript:alert(1)',
      'data:text/html,<script>1</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://a.example/1',
      'linnet://settings',
      '/socket',
      '//evil.example',
      '?a',
      '',
    ]) {
      expect(safeLinkTarget(href), href).toBeNull()
    }
  })

  it('jumps within the e-mail to what it names, broken escapes or not', () => {
    expect(fragmentOf('#a%20b')).toBe('a b')
    expect(fragmentOf('#%')).toBe('%')
    expect(fragmentOf('https://a.example/#b')).toBeNull()
  })

  it('says which host its words promise where it opens another one', () => {
    expect(promisedHost('https://bank.example', 'https://evil.example/phish')).toBe('bank.example')
    expect(promisedHost('bank.example/login', 'https://bank.example.evil.example/')).toBe('bank.example')
    expect(promisedHost('www.bank.example', 'https://bank.example/')).toBeNull()
    expect(promisedHost('bank.example', 'https://click.bank.example/')).toBeNull()
    expect(promisedHost('Claim your prize', 'https://evil.example/')).toBeNull()
  })
})
