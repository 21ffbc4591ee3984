import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apiPath } from '../../../../src/engine/platform/api-path.ts'

describe('a path', () => {
  it('encodes its parameters, including addresses', () => {
    expect(apiPath`/inboxes/${'support@example.com'}/threads/${'a/b?c#d'}`).toBe(
      '/inboxes/support%40example.com/threads/a%2Fb%3Fc%23d',
    )
  })

  it.each(['', '.', '..'])('rejects the segment %j, which no encoding protects', (segment) => {
    expect(() => apiPath`/emails/${segment}/share`).toThrow('cannot be an ID')
  })

  it('never lets an ID escape its segment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', minLength: 1 }), (id) => {
        fc.pre(id !== '.' && id !== '..')
        const resolved = new URL(apiPath`/emails/${id}/share`, 'https://host.example')
        expect(resolved.pathname.split('/').length).toBe(4)
        expect(decodeURIComponent(resolved.pathname.split('/')[2] ?? '')).toBe(id)
        expect(resolved.search + resolved.hash).toBe('')
      }),
    )
  })
})
