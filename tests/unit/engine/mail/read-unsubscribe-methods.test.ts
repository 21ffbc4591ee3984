import { describe, expect, it } from 'vitest'
import { isPublicHttps } from '../../../../src/engine/platform/fetchable-address.ts'
import { extractListHeaders } from '../../../../src/engine/mail/list-headers.ts'
import { parseUnsubscribeMethods } from '../../../../src/engine/mail/unsubscribe-service.ts'
import type { UnsubscribeMethod } from '../../../../src/shared/unsubscribe.ts'
import { PRIVATE_NAMES, PRIVATE_NUMBERS, UNFETCHABLE } from '../../../support/private-targets.ts'
import { Random } from '../../../support/random.ts'

const ONE_CLICK = 'List-Unsubscribe=One-Click'
const ways = (unsubscribe: string, post: string | null = null): readonly UnsubscribeMethod[] =>
  parseUnsubscribeMethods({ unsubscribe, post })
const kinds = (unsubscribe: string, post: string | null = null): readonly string[] =>
  ways(unsubscribe, post).map(({ kind }) => kind)
const mail = (uri: string): UnsubscribeMethod | undefined => ways(`<${uri}>`).find(({ kind }) => kind === 'mail')

describe('ways to leave a list', () => {
  it('come from the e-mail: one-click first, then mail, then the page', () => {
    const header = '<mailto:leave@news.example?subject=off>, <https://news.example/u?t=1>'
    const byMail = { kind: 'mail', to: 'leave@news.example', subject: 'off', text: '' }
    const page = { kind: 'page', url: 'https://news.example/u?t=1' }
    expect(ways(header)).toEqual([byMail, page])
    expect(ways(header, ONE_CLICK)).toEqual([{ ...page, kind: 'oneClick' }, byMail, page])
  })

  it('are one-click only with the exact header, over https', () => {
    const header = '<https://news.example/u>'
    for (const post of [ONE_CLICK, ` ${ONE_CLICK}\r\n`, ONE_CLICK.toLowerCase(), `${ONE_CLICK}, ${ONE_CLICK}`]) {
      expect([post, kinds(header, post)]).toEqual([post, ['oneClick', 'page']])
    }
    for (const post of [null, '', 'One-Click', `${ONE_CLICK}&x=1`, `${ONE_CLICK}, Other=1`, `x${ONE_CLICK}`]) {
      expect([post, kinds(header, post)]).toEqual([post, ['page']])
    }
    expect(kinds('<http://news.example/u>', ONE_CLICK)).toEqual(['page'])
    expect(ways('<http://news.example/u>, <https://news.example/v>', ONE_CLICK)).toEqual([
      { kind: 'oneClick', url: 'https://news.example/v' },
      { kind: 'page', url: 'https://news.example/v' },
    ])
  })

  it('send one-click requests only to the public Internet', () => {
    const hosts = [...PRIVATE_NUMBERS, ...PRIVATE_NAMES].map((host) => `https://${host}/u`)
    for (const uri of [...hosts, ...UNFETCHABLE]) {
      expect([uri, kinds(`<${uri}>`, ONE_CLICK).includes('oneClick')]).toEqual([uri, false])
    }
  })

  it('exclude scripts, files and addresses with credentials', () => {
    const uris = [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'ftp://news.example/',
      'tel:+15550100',
    ]
    const credentials = ['https://ann@news.example/', 'https://ann:secret@news.example/', 'http://:x@news.example/']
    for (const uri of [...uris, ...credentials, 'news.example/u', '//news.example/u', '', ' ', 'https://', 'mailto:']) {
      expect([uri, ways(`<${uri}>`, ONE_CLICK)]).toEqual([uri, []])
    }
    expect(kinds(`<javascript:alert(1)>, <https://a@b.example/>, <https://news.example/>`, ONE_CLICK)).toEqual([
      'oneClick',
      'page',
    ])
  })

  it('are read through folded lines, comments and other text', () => {
    const header =
      '(Use this (or\\) that) <https://trap.example/>)\r\n\t<https://news.\r\n example/u>\r\n ,, garbage https://no.example/ ; <mailto:a@news.example>'
    expect(ways(header, ONE_CLICK)).toEqual([
      { kind: 'oneClick', url: 'https://news.example/u' },
      { kind: 'mail', to: 'a@news.example', subject: '', text: '' },
      { kind: 'page', url: 'https://news.example/u' },
    ])
    for (const broken of [
      '<https://news.example/u',
      'https://news.example/u',
      '(<https://news.example/u>',
      '<>',
      '><',
      ',',
    ]) {
      expect([broken, ways(broken, ONE_CLICK)]).toEqual([broken, []])
    }
  })

  it('name a host as the network knows it, whatever its letters', () => {
    expect(ways('<https://pаypal.example/ü?q=ö>', ONE_CLICK)[0]).toEqual({
      kind: 'oneClick',
      url: 'https://xn--pypal-4ve.example/%C3%BC?q=%C3%B6',
    })
  })

  it('write to one address, with a harmless subject and text', () => {
    expect(
      mail('mailto:a%2Bb@news.example?SUBJECT=no%20more+x&body=one%0D%0Atwo&cc=c@x.example&bcc=d@x.example'),
    ).toEqual({
      ...{ kind: 'mail', to: 'a+b@news.example', subject: 'no more+x', text: 'one\ntwo' },
    })
    expect(
      mail('mailto:a@news.example?subject=x%0D%0ABcc:%20v@x.example%E2%80%AE&attach=/etc/passwd&to=v@x.example'),
    ).toEqual({
      ...{ kind: 'mail', to: 'a@news.example', subject: 'x Bcc: v@x.example', text: '' },
    })
    expect(mail('mailto:a@news.example?subject=%FF')).toMatchObject({ subject: '%FF' })
    for (const to of [
      ...['a@x.example,b@x.example', 'a@x.example%2Cb@x.example', 'a@x.example;b@x.example', '?to=a@x.example'],
      ...['a', '@x.example', 'a@', 'a%0D%0ABcc:b@x.example', 'Ann%20<a@x.example>', 'a@x.example%00', 'a@x@y.example'],
      ...['a%E2%80%AE@x.example', `${'a'.repeat(65)}@x.example`, `a@${'x'.repeat(256)}`],
    ]) {
      expect([to, mail(`mailto:${to}`)]).toEqual([to, undefined])
    }
  })

  it('are found quickly in huge headers, and limited', () => {
    const long = `<https://news.example/${'x'.repeat(5_000)}>`
    expect(kinds(`${long}, <https://news.example/u>`)).toEqual(['page'])
    expect(kinds(`${'<ftp://x.example/>,'.repeat(20)}<https://news.example/u>`)).toEqual([])
    const body = mail(`mailto:a@news.example?subject=${'s'.repeat(1_500)}&body=${'b'.repeat(2_400)}`)
    expect(body).toMatchObject({ subject: 's'.repeat(500), text: 'b'.repeat(2_000) })
    for (const piece of ['<', '(', '>', ',', '<<>', '(\\', 'x', '<mailto:', '\u0000', '\ud800']) {
      const headers = extractListHeaders([['List-Unsubscribe', piece.repeat(2_000_000)]])
      expect(headers?.unsubscribe.length).toBe(16_384)
      if (headers !== null) expect(parseUnsubscribeMethods({ ...headers, post: ONE_CLICK })).toEqual([])
    }
  })
})

/** A random header, and the result expected from its parts. */
const drawHeader = (random: Random) => {
  const parts: readonly { readonly uri: string; readonly is: 'https' | 'http' | 'mail' | 'none' }[] = Array.from(
    { length: random.below(6) },
    () => {
      const n = random.below(1_000)
      return (
        random.pick([
          { uri: `https://list${n}.example/u?t=${n}`, is: 'https' },
          { uri: `http://list${n}.example/u`, is: 'http' },
          { uri: `mailto:leave-${n}@list.example?subject=off`, is: 'mail' },
          { uri: `javascript:alert(${n})`, is: 'none' },
          { uri: `https://u${n}@list.example/`, is: 'none' },
        ] as const) ?? { uri: '', is: 'none' }
      )
    },
  )
  const filler = (): string =>
    random.pick(['', ' ', '\r\n\t', ',', ' (a comment) ', '(one (in) one)', ' words ', '(<https://trap.example/>)']) ??
    ''
  const folded = (uri: string): string => {
    const at = random.below(uri.length + 1)
    return random.chance(0.4) ? `${uri.slice(0, at)}\r\n ${uri.slice(at)}` : uri
  }
  const header = parts.map(({ uri }) => `${filler()}<${folded(uri)}>${filler()}`).join(',')
  const post = random.chance(0.6) ? ONE_CLICK : null
  const first = (...wanted: readonly string[]) => parts.find(({ is }) => wanted.includes(is))
  const posted = post === null ? undefined : first('https')
  const page = posted ?? first('https', 'http')
  const written = first('mail')
  const expected = [
    ...(posted === undefined ? [] : [`oneClick ${posted.uri}`]),
    ...(written === undefined ? [] : [`mail ${written.uri.slice('mailto:'.length).replace(/\?.*/, '')} off`]),
    ...(page === undefined ? [] : [`page ${page.uri}`]),
  ]
  return { header, post, expected }
}

describe('a header made of parts', () => {
  it('is read as its parts say, however it is folded', () => {
    const random = new Random(39)
    for (let round = 0; round < 3_000; round += 1) {
      const { header, post, expected } = drawHeader(random)
      const read = ways(header, post).map((way) =>
        way.kind === 'mail' ? `mail ${way.to} ${way.subject}` : `${way.kind} ${way.url}`,
      )
      expect({ header, post, read }).toEqual({ header, post, read: expected })
    }
  })

  it('never yields anything harmful', () => {
    const random = new Random(8_058)
    const pieces = [
      ...[
        '<',
        '>',
        '(',
        ')',
        ',',
        '\\',
        '"',
        ' ',
        '\r\n ',
        '%',
        '%0d%0a',
        '%00',
        '@',
        '?',
        '&',
        ':',
        '//',
        '\u202e',
        'ü',
      ],
      ...[
        'https:',
        'http:',
        'mailto:',
        'javascript:',
        'data:',
        'a@x.example',
        'x.example',
        '127.0.0.1',
        '[::1]',
        'to=',
      ],
      ...['subject=', 'body=', 'cc=', 'ann:pw@', '#', '\u0000', '\ud800', 'xn--', '..', '=?utf-8?q?', '?='],
    ]
    for (let round = 0; round < 20_000; round += 1) {
      const header = Array.from({ length: 1 + random.below(24) }, () => random.pick(pieces) ?? '').join('')
      for (const way of ways(random.chance(0.5) ? `<${header}>` : header, random.chance(0.7) ? ONE_CLICK : header)) {
        if (way.kind === 'mail') {
          expect(way.to).toMatch(/^[^\s,;<>@:]+@[^\s,;<>@:]+$/u)
          expect(`${way.to}${way.subject}${way.text.replaceAll('\n', '')}`).not.toMatch(/[\p{Cc}\p{Cf}]/u)
        } else {
          const url = new URL(way.url)
          expect([url.username, url.password]).toEqual(['', ''])
          expect(['http:', 'https:']).toContain(url.protocol)
          if (way.kind === 'oneClick') expect(isPublicHttps(url)).toBe(true)
        }
      }
    }
  })
})

describe('list headers', () => {
  it('are found in any case, merged by name, and dropped without a way', () => {
    expect(extractListHeaders([['Subject', 'x']])).toBeNull()
    expect(extractListHeaders([['list-unsubscribe-post', ONE_CLICK]])).toBeNull()
    expect(
      extractListHeaders([
        ['LIST-Unsubscribe', '<https://a.example/>'],
        ['List-Id', 'News <news.a.example>'],
        ['list-unsubscribe', '<mailto:a@a.example>'],
        ['List-Unsubscribe-Post', ONE_CLICK],
      ]),
    ).toEqual({
      unsubscribe: '<https://a.example/>, <mailto:a@a.example>',
      post: ONE_CLICK,
      listId: 'News <news.a.example>',
    })
  })
})
