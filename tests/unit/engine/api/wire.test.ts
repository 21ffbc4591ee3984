import { describe, expect, it } from 'vitest'
import { toContact, toReceivedEmailDetail, toTime } from '../../../../src/engine/api/model-from-wire.ts'
import { readContacts, readReceivedEmail, readThreads } from '../../../../src/engine/api/wire.ts'

describe('a list of the platform', () => {
  it('keeps unknown fields and unknown folders', () => {
    const thread = {
      id: 't1',
      folder: 'snoozed',
      read: false,
      highlights: ['x'],
      labels: [{ id: 'l', color: 'crimson' }],
    }
    expect(readThreads({ object: 'list', has_more: false, data: [thread] }, 100).items).toEqual([thread])
  })

  it('takes a field of another type as absent and leaves out what has no ID', () => {
    const page = readThreads(
      { data: [{ id: 't1', to: 'a@b', email_count: '3', labels: null }, { subject: 'no id' }] },
      100,
    )
    expect(page.items).toHaveLength(1)
    expect(page.items[0]).toMatchObject({ id: 't1', labels: null })
    expect(page.items[0]?.to).toBeUndefined()
  })

  it('goes on after a full page where the platform does not say whether more follows', () => {
    expect(readThreads({ data: [{ id: 'a' }, { id: 'b' }] }, 2).hasMore).toBe(true)
    expect(readThreads({ data: [{ id: 'a' }] }, 2).hasMore).toBe(false)
  })

  it.each([null, 'text', { object: 'list' }, { data: {} }, []])('is refused where it is none: %j', (body) =>
    expect(() => readThreads(body, 100)).toThrow('cannot read'),
  )
})

describe('a contact', () => {
  const read = (fields: object) => {
    const [wire] = readContacts({ data: [{ id: 'c', email: 'a@b.example', ...fields }], has_more: false }, 100).items
    if (wire === undefined) throw new Error('the contact was left out')
    return toContact(wire)
  }

  it('has its properties plain, with a type, or not at all', () => {
    expect(read({ properties: { plan: 'Corner', seats: 25 } }).properties).toEqual({ plan: 'Corner', seats: 25 })
    expect(read({ properties: { plan: { value: 'Corner', type: 'string' } } }).properties).toEqual({ plan: 'Corner' })
    expect(read({}).properties).toEqual({})
    expect(read({ properties: { odd: ['x'] } }).properties).toEqual({ odd: null })
  })

  it('has its time in both ways', () => {
    expect(read({ created_at: '2025-11-30 20:41:40.84216+00' }).createdAt).toBe(toTime('2025-11-30T20:41:40.842Z'))
  })
})

describe('a received e-mail', () => {
  it('is read without the lists and bodies that it may lack', () => {
    const wire = readReceivedEmail({
      id: 'r',
      created_at: '2026-01-01T00:00:00Z',
      headers: { a: 'b', c: ['d'] },
      raw: null,
    })
    expect(toReceivedEmailDetail(wire, true)).toMatchObject({ to: [], html: null, headers: { a: 'b' }, hasRaw: false })
  })
})
