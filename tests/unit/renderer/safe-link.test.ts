import { describe, expect, it } from 'vitest'
import {
  toCallTarget,
  toLinkTarget,
  extractFragment,
  toSafeLinkTarget,
} from '../../../src/renderer/features/links/safe-link.ts'

describe('link in an e-mail', () => {
  it('opens web pages and e-mail addresses', () => {
    expect(toSafeLinkTarget(' https://pier.example/a b ')).toBe('https://pier.example/a%20b')
    expect(toSafeLinkTarget('mailto:ada@quill.example')).toBe('mailto:ada@quill.example')
  })

  it('opens nothing that runs code, reads files or lacks a host', () => {
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
      expect(toSafeLinkTarget(href), href).toBeNull()
    }
  })

  it('calls plain numbers, but no phone control codes', () => {
    expect(toCallTarget('tel:+49 (30) 123-456')).toBe('tel:+4930123456')
    expect(toCallTarget('SMS:+491234?body=x')).toBe('sms:+491234')
    expect(toCallTarget('tel:%2B49301234567;ext=9')).toBe('tel:+49301234567')
    for (const href of [
      'tel:*%2306%23',
      'tel:*21*0900#',
      'tel:',
      'tel:1',
      'sms:a@b.example',
      'callto:+4930',
      'tel:12,13',
    ]) {
      expect(toLinkTarget(href), href).toBeNull()
    }
    // Outgoing messages can't contain such links.
    expect(toSafeLinkTarget('tel:+49301234567')).toBeNull()
  })

  it('jumps to an anchor in the e-mail, even with broken escapes', () => {
    expect(extractFragment('#a%20b')).toBe('a b')
    expect(extractFragment('#%')).toBe('%')
    expect(extractFragment(' #a ')).toBe('a')
    expect(extractFragment('https://a.example/#b')).toBeNull()
  })
})
