import { homedir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { redact } from '../../../src/host/redact.ts'

describe('log redaction', () => {
  it.each([
    ['an address', 'from ada@example.com, again', 'ada'],
    ['an address with a name', 'from Bob <bob+list@example.com>', 'bob+'],
    ['a key', 'with re_abc_123', 'abc'],
    ['a key in a header', 'authorization: Bearer sk-0123456789abcdef0123', '0123'],
    ['a URL', 'GET https://api.example.com/emails?query=divorce', 'example'],
    ['a path of this person', `open ${homedir()}/Mail/x.sqlite`, homedir()],
    ['a path with spaces', 'open /home/Ada Love/Mail Box/x.sqlite', 'Love'],
    ['a path of Windows', String.raw`open C:\Users\Ada\x.sqlite`, 'Ada'],
    ['what stands in quotes', 'subject "divorce" and “divorce” and ‘divorce’', 'divorce'],
    ['a quote that nobody closes', 'subject "divorce', 'divorce'],
    ['what is not ASCII', 'subject Scheidung–Übermorgen', 'Scheidung'],
    ['an ID', 'thread 4ef9a417-02e9-4d39-ad75-9611e0fcc33c', '9611e0fcc33c'],
  ])('removes %s', (_case, line, secret) => {
    expect(redact(line)).not.toContain(secret)
  })

  it('keeps what a reader of the log needs', () => {
    const line = 'query: 52 ms, 3/7 rows: SELECT id FROM threads WHERE inbox = ? ORDER BY received_at'
    expect(redact(line)).toBe(line)
    expect(redact('TypeError at (file:///opt/Linnet/out/main/engine-worker.cjs:12:3)')).toBe(
      'TypeError at engine-worker.cjs:12:3',
    )
  })

  it('keeps each line single and short', () => {
    expect(redact('one\r\n2026-11-21 error forged\u2028x')).not.toMatch(/[\r\n\u2028]/)
    expect(redact('x '.repeat(1e6)).length).toBeLessThanOrEqual(2_000)
  })
})
