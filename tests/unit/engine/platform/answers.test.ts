import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contactParser } from '../../../../src/engine/platform/resources/contacts.ts'
import { receivedEmailParser } from '../../../../src/engine/platform/resources/received-emails.ts'
import { parseShareLink } from '../../../../src/engine/platform/resources/share-links.ts'
import { threadParser } from '../../../../src/engine/platform/resources/threads.ts'
import { serializePayload, type RawPayload } from '../../../../src/engine/platform/raw-payload.ts'
import { toTime } from '../../../../src/engine/platform/parse-response.ts'

const wordsOf = (said: RawPayload): Readonly<Record<string, unknown>> =>
  JSON.parse(serializePayload(said)) as Readonly<Record<string, unknown>>

describe('platform lists', () => {
  it('keep unknown fields and unknown folders', () => {
    const thread = {
      id: 't1',
      folder: 'snoozed',
      read: false,
      highlights: ['x'],
      labels: [{ id: 'l', color: 'crimson' }],
    }
    const { items } = threadParser.page({ object: 'list', has_more: false, data: [thread] }, 100)
    expect(items.map(wordsOf)).toEqual([thread])
    expect(items).toMatchObject([{ folder: 'snoozed', labels: [{ id: 'l', name: 'l', color: 'crimson' }] }])
  })

  it('carry the raw payload outside JSON and window messages', () => {
    const words = { id: 't1', subject: 'Tide tables', future_field: 7 }
    const [thread] = threadParser.page({ data: [words] }, 100).items
    if (thread === undefined) throw new Error('the thread was left out')
    expect(serializePayload(thread)).toBe(JSON.stringify(words))
    for (const sent of [structuredClone(thread), JSON.parse(JSON.stringify(thread)) as object]) {
      expect(Reflect.ownKeys(sent)).toEqual(Object.keys(thread))
      expect(JSON.stringify(sent)).not.toContain('future_field')
    }
  })

  it('treat a field of the wrong type as absent, and drop rows without an ID', () => {
    const page = threadParser.page(
      { data: [{ id: 't1', to: { a: 'b' }, email_count: '3', labels: null }, { subject: 'no id' }] },
      100,
    )
    expect(page.items).toHaveLength(1)
    expect(page.items[0]).toMatchObject({ id: 't1', labels: [], to: [], emailCount: 1, folder: 'inbox', receivedAt: 0 })
    // Absent isn't empty: the known value stays.
    expect(page.items.map(wordsOf)).toEqual([{ id: 't1', labels: null }])
  })

  it('keep readable elements next to an unreadable one, and accept numeric IDs', () => {
    const [thread] = threadParser.page(
      {
        data: [
          {
            id: 7,
            to: ['a@b.example', null, { name: 'C' }, 'd@e.example'],
            cc: 'f@g.example',
            labels: [{ id: 'l', name: 'Kept' }, 'l2', null, { name: 'without an ID' }, { id: 3, name: 4 }],
          },
        ],
      },
      100,
    ).items
    expect(thread).toMatchObject({
      id: '7',
      to: ['a@b.example', 'd@e.example'],
      cc: ['f@g.example'],
      labels: [
        { id: 'l', name: 'Kept' },
        { id: '3', name: '3' },
      ],
    })
  })

  it('keep everything undamaged in a damaged response', () => {
    const text = fc.string({ minLength: 1, maxLength: 8 })
    const attachment = fc.record(
      { id: text, filename: text, size: fc.nat(), content_type: text },
      { noNullPrototype: true },
    )
    const item = fc.record({
      subject: text,
      from: text,
      to: fc.array(text, { maxLength: 3 }),
      cc: fc.array(text, { maxLength: 3 }),
      created_at: text,
      html: text,
      message_id: text,
      attachments: fc.array(attachment, { maxLength: 3 }),
    })
    const answers = fc
      .array(item, { minLength: 1, maxLength: 3 })
      .map((items) => structuredClone(items).map((fields, index) => ({ id: `e${index}`, ...fields })))
    const junk = fc.constantFrom<unknown[]>(null, 17, true, '', [], {}, ['x'], { value: 1 }, [null], [{}])
    type Node = Record<string, unknown>
    const pathsOf = (node: unknown): readonly (readonly string[])[] =>
      typeof node === 'object' && node !== null
        ? Object.entries(node).flatMap(([key, value]) => [[key], ...pathsOf(value).map((path) => [key, ...path])])
        : []
    const at = (node: unknown, path: readonly string[]): unknown =>
      path.reduce<unknown>((inner, key) => (inner as Node)[key], node)

    fc.assert(
      fc.property(answers, fc.nat(), junk, (valid, choice, rubbish) => {
        const paths = pathsOf(valid)
        const path = paths[choice % paths.length] ?? []
        const damaged = structuredClone(valid) as unknown
        const parent = at(damaged, path.slice(0, -1)) as Node
        parent[path.at(-1) ?? ''] = rubbish
        const items = receivedEmailParser.page({ data: damaged, has_more: false }, 100).items
        const [index = '', field, element, part] = path
        for (const [at, whole] of valid.entries()) {
          const isHit = String(at) === index
          if (isHit && (field === undefined || field === 'id')) continue
          const read = items.find(({ id }) => id === whole.id)
          for (const [name, value] of Object.entries(whole)) {
            const shown = read === undefined ? undefined : wordsOf(read)[name]
            if (!isHit || name !== field) expect([name, shown]).toEqual([name, value])
            else if (Array.isArray(value) && element !== undefined) {
              const others = (value as unknown[]).filter((_, place) => String(place) !== element)
              expect(
                (shown as unknown[]).filter((one) => others.some((other) => isDeepStrictEqual(one, other))),
              ).toEqual(expect.arrayContaining(others))
              if (part === undefined) continue
              const hit = value[Number(element)] as Node
              const kept = Object.entries(hit).filter(([key]) => key !== part)
              expect(shown).toEqual(expect.arrayContaining([expect.objectContaining(Object.fromEntries(kept))]))
            }
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  it('continue after a full page if the platform doesn’t say whether more follows', () => {
    expect(threadParser.page({ data: [{ id: 'a' }, { id: 'b' }] }, 2).hasMore).toBe(true)
    expect(threadParser.page({ data: [{ id: 'a' }] }, 2).hasMore).toBe(false)
  })

  it.each([null, 'text', { object: 'list' }, { data: {} }, []])('are rejected if they are anything else: %j', (body) =>
    expect(() => threadParser.page(body, 100)).toThrow('unreadable response'),
  )
})

describe('a contact', () => {
  const read = (fields: object) => {
    const { items } = contactParser.page({ data: [{ id: 'c', email: 'a@b.example', ...fields }], has_more: false }, 100)
    const [contact] = items
    if (contact === undefined) throw new Error('the contact was left out')
    return contact
  }

  it('has properties that are plain, typed or missing', () => {
    expect(read({ properties: { plan: 'Corner', seats: 25 } }).properties).toEqual({ plan: 'Corner', seats: 25 })
    expect(read({ properties: { plan: { value: 'Corner', type: 'string' } } }).properties).toEqual({ plan: 'Corner' })
    expect(read({}).properties).toEqual({})
    expect(read({ properties: { odd: ['x'] } }).properties).toEqual({ odd: null })
  })

  it('reads its time in both formats', () => {
    expect(read({ created_at: '2025-11-30 20:41:40.84216+00' }).createdAt).toBe(toTime('2025-11-30T20:41:40.842Z'))
  })
})

describe('a received e-mail', () => {
  it('may lack optional lists and bodies', () => {
    const email = receivedEmailParser.one({
      id: 'r',
      created_at: '2026-01-01T00:00:00Z',
      headers: { a: 'b', c: ['d', 'e'], f: {}, g: 8 },
      raw: null,
    })
    expect(email).toMatchObject({ to: [], html: null, headers: { a: 'b', c: 'd, e', g: '8' }, rawUrl: null })
  })

  it('shows an attachment without an ID by its name', () => {
    const email = receivedEmailParser.one({
      id: 'r',
      attachments: [{ filename: 'a.pdf' }, null, { id: {}, filename: 'b.pdf' }],
    })
    expect(email.attachments.map(({ id, filename }) => [id, filename])).toEqual([
      ['attachment 1', 'a.pdf'],
      ['attachment 2', 'b.pdf'],
    ])
  })
})

describe('a header of a received e-mail', () => {
  const shown = (value: unknown): unknown =>
    receivedEmailParser.one({ id: 'r', headers: { 'x-odd': value } }).headers['x-odd']

  it('returns its texts, even if repeated', () => {
    expect([shown('one'), shown(['one', 2, null, ['three'], {}]), shown({}), shown([])]).toEqual([
      'one',
      'one, 2, three',
      undefined,
      undefined,
    ])
  })

  it('is read however deeply lists are nested', () => {
    const levels = 100_000
    const value: unknown = JSON.parse(`${'['.repeat(levels)}"deep"${']'.repeat(levels)}`)
    expect([shown(value), shown(['near', value])]).toEqual([undefined, 'near'])
  })
})

describe('a share link', () => {
  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'words', ''])('is never %s', (url) =>
    expect(() => parseShareLink({ id: 'e', url })).toThrow('unreadable response'),
  )
  it.each(['https://bank.example@evil.example/', 'https://bank.example:8080@evil.example/x', 'http://:p@evil.example'])(
    'never names another host before its own (S13): %s',
    (url) => expect(() => parseShareLink({ id: 'e', url })).toThrow('unreadable response'),
  )
  it('is shown as a browser reads it', () => {
    const urlOf = (url: string): string => parseShareLink({ id: 'e', url }).url
    expect(urlOf('https://mail.example/\u202efdp.exe?token=x')).toBe('https://mail.example/%E2%80%AEfdp.exe?token=x')
    expect(urlOf('https://m\u00e4il.example/a b')).toBe('https://xn--mil-qla.example/a%20b')
    expect(urlOf('HTTPS:\\\\mail.example\\x')).toBe('https://mail.example/x')
  })
  it('is a web page URL', () =>
    expect(parseShareLink({ id: 'e', url: 'https://mail.example/shared?token=x' }).url).toContain('token=x'))
})
