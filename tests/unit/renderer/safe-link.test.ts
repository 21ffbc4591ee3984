import { describe, expect, it } from 'vitest'
import { fragmentOf, safeLinkTarget } from '../../../src/renderer/features/reader/safe-link.ts'

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
})
