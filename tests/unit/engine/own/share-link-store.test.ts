import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeLinkExpiry, ShareLinkStore, type StoredShareLink } from '../../../../src/engine/own/share-link-store.ts'
import { redact } from '../../../../src/host/redact.ts'
import { MAX_SHARE_MS } from '../../../../src/shared/share-duration.ts'
import { ownLists } from '../support/local-lists.ts'

const HOUR = 3_600_000

const linksOf = () => {
  const lists = ownLists()
  const failures: unknown[] = []
  let changes = 0
  return {
    ...lists,
    failures,
    changes: () => changes,
    open: () =>
      new ShareLinkStore(
        lists.own,
        () => (changes += 1),
        (thrown) => failures.push(thrown),
      ),
  }
}

const linkTo = (subject: string | null, part: Partial<StoredShareLink> = {}): Omit<StoredShareLink, 'id'> => ({
  url: `https://mail.example/shared?token=${encodeURIComponent(subject ?? '')}`,
  of: { list: 'received', emailId: 'email-1' },
  subject,
  from: 'Zoë Ångström <zoe@harbour.example>',
  to: ['ann@mail.example'],
  madeAt: Date.now(),
  expiresAt: Date.now() + HOUR,
  ...part,
})
const subjectsOf = (links: ShareLinkStore, typed?: string) => links.list(typed).map(({ subject }) => subject)

describe('locally created share links', () => {
  it('are kept across restarts, newest first', () => {
    const { open, failures } = linksOf()
    const links = open()
    for (const [index, subject] of ['a', 'b', 'c'].entries()) links.add(linkTo(subject, { madeAt: 1_000 + index }))
    const again = open()
    expect(subjectsOf(again)).toEqual(['c', 'b', 'a'])
    expect(again.list()).toEqual(links.list())
    expect(failures).toEqual([])
  })

  it('are found by subject and people, ignoring case and accents', () => {
    const { open } = linksOf()
    const opened = open()
    opened.add(linkTo('Invoice for Märklin'))
    opened.add(linkTo(null, { from: 'bob@mail.example' }))
    expect(subjectsOf(opened, 'marklin INVO')).toEqual(['Invoice for Märklin'])
    expect(subjectsOf(opened, 'angstrom harbour')).toEqual(['Invoice for Märklin'])
    expect(subjectsOf(opened, 'bob@')).toEqual([null])
    expect(subjectsOf(opened, '  ')).toHaveLength(2)
    expect(subjectsOf(opened, 'token')).toEqual([])
  })

  it('stay listed if the disk is full, with an error, and are stored with the next', () => {
    const { open, fill, failures } = linksOf()
    const opened = open()
    fill(true)
    expect(opened.add(linkTo('a')).isKept).toBe(false)
    expect(subjectsOf(opened)).toEqual(['a'])
    expect(failures).toHaveLength(1)
    fill(false)
    expect(opened.add(linkTo('b', { madeAt: Date.now() + 1 })).isKept).toBe(true)
    expect(subjectsOf(open())).toEqual(['b', 'a'])
  })

  it('are forgotten on request, until that is undone', () => {
    const { open, changes } = linksOf()
    const opened = open()
    const { link } = opened.add(linkTo('a', { madeAt: 1 }))
    opened.add(linkTo('b', { madeAt: 2 }))
    opened.forget(link.id)
    expect(subjectsOf(open())).toEqual(['b'])
    expect(() => open().restore(link.id)).toThrow('deleted for good')
    opened.restore(link.id)
    expect(subjectsOf(open())).toEqual(['b', 'a'])
    const before = changes()
    opened.forget('no such link')
    expect(changes()).toBe(before)
  })

  it('make room by dropping expired ones, never working ones', () => {
    const { open, put } = linksOf()
    const many = Array.from({ length: 520 }, (_, index) => {
      const expiresAt = index < 510 ? index : Date.now() + HOUR
      return { id: `${index}`, ...linkTo(`${index}`, { madeAt: index, expiresAt }) }
    })
    put('share-links', many)
    const opened = open()
    opened.add(linkTo('520', { madeAt: 520, expiresAt: 520 }))
    const left = subjectsOf(open())
    expect([left.length, left[0], left.at(-1)]).toEqual([510, '520', '11'])
  })

  it('never bring a script from a foreign file into the window', () => {
    const { open, put } = linksOf()
    put('share-links', [
      { id: '1', ...linkTo('bad', { url: 'javascript:alert(1)' }) },
      { id: '2', ...linkTo('good') },
    ])
    expect(subjectsOf(open())).toEqual(['good'])
  })

  it('never appear in the log', () => {
    const url = 'https://mail.example/shared?token=eyJh.eyJz.c2ln'
    expect(redact(`could not open ${url}`)).not.toContain('eyJ')
  })
})

describe('the expiry of a link', () => {
  const tokenOf = (claims: unknown): string =>
    `https://mail.example/shared?token=h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`

  it('is the requested duration, counted from before the request', () => {
    expect(computeLinkExpiry('https://mail.example/shared', 5_000, HOUR)).toBe(5_000 + HOUR)
    expect(computeLinkExpiry('https://mail.example/shared', 0, 9 * MAX_SHARE_MS)).toBe(MAX_SHARE_MS)
  })

  it('is earlier if the token says so, never later or before creation', () => {
    expect(computeLinkExpiry(tokenOf({ exp: 60 }), 0, HOUR)).toBe(60_000)
    expect(computeLinkExpiry(tokenOf({ exp: 999_999 }), 0, HOUR)).toBe(HOUR)
    expect(computeLinkExpiry(tokenOf({ exp: 60 }), 90_000, HOUR)).toBe(90_000 + HOUR)
  })

  it('is as requested, whatever a token contains', () => {
    const odd = fc.oneof(
      fc.string().map((text) => `https://mail.example/shared?token=${encodeURIComponent(text)}`),
      fc.jsonValue().map(tokenOf),
      fc.anything().map((exp) => tokenOf({ exp: typeof exp === 'bigint' ? 0 : String(exp === null) })),
    )
    fc.assert(
      fc.property(odd, (url) => {
        expect(computeLinkExpiry(url, 1_000, HOUR)).toBe(1_000 + HOUR)
      }),
      { seed: 3 },
    )
  })
})
