import { describe, expect, it } from 'vitest'
import { splitLinkTarget } from '../../../src/renderer/features/links/describe-link.ts'
import {
  describeLinkWarning,
  findLinkWarnings,
  type DrawnPhrase,
  type LinkAppearance,
} from '../../../src/renderer/features/links/link-warnings.ts'
import { toSafeLinkTarget } from '../../../src/renderer/features/links/safe-link.ts'
import { HONEST_LINKS, LYING_LINKS } from './support/link-samples.ts'

const seen = (...words: readonly string[]): LinkAppearance => ({ words })

const kindsOf = (words: string, href: string): readonly string[] =>
  findLinkWarnings(seen(words), toSafeLinkTarget(href) ?? '').map(({ kind }) => kind)

const EVIL = 'https://evil.example/x'
const BANK = 'https://bank.example/'

/** Link text, target, and the expected warnings. */
const LIES: readonly (readonly [words: string, href: string, ...kinds: readonly string[]])[] = [
  ['bank.example', EVIL, 'otherHost'],
  ['https://bank.example', EVIL, 'otherHost'],
  ['HTTPS://BANK.EXAMPLE/', EVIL, 'otherHost'],
  ['www.bank.example', EVIL, 'otherHost'],
  ['bank.example/login', 'https://bank.example.evil.example/', 'otherHost'],
  ['bank.example:443', EVIL, 'otherHost'],
  ['https:bank.example', EVIL, 'otherHost'],
  ['https:\\\\bank.example', EVIL, 'otherHost'],
  // Text around the address.
  ['Sign in at bank.example now', EVIL, 'otherHost'],
  ['Go to https://bank.example/login to sign in', EVIL, 'otherHost'],
  ['→bank.example←', EVIL, 'otherHost'],
  ['(bank.example)', EVIL, 'otherHost'],
  ['“bank.example”', EVIL, 'otherHost'],
  ['See bank.example, or call us', EVIL, 'otherHost'],
  ['evil.example or bank.example', EVIL, 'otherHost'],
  ['https://evil.example/x,https://bank.example/', EVIL, 'otherHost'],
  ['Log in to your account.\nbank.example', EVIL, 'otherHost'],
  // User info before the host.
  ['Sign in', 'https://bank.example@evil.example/', 'userInfo'],
  ['Sign in', 'https://bank.example%2Flogin@evil.example/', 'userInfo'],
  ['https://bank.example@evil.example/', 'https://bank.example@evil.example/', 'otherHost', 'userInfo'],
  ['https://bank.example:443@evil.example/', EVIL, 'otherHost'],
  ['www.bank.example@evil.example', EVIL, 'otherHost'],
  // Invisible characters.
  ['bank\u200b.example', EVIL, 'otherHost', 'hiddenCharacters'],
  ['b\u00adank.exam\u00adple', EVIL, 'otherHost', 'hiddenCharacters'],
  ['ba\u2060nk.exa\ufeffmple', EVIL, 'otherHost', 'hiddenCharacters'],
  ['bank\u{e0061}.example', EVIL, 'otherHost', 'hiddenCharacters'],
  ['bank\u3164.example', EVIL, 'otherHost', 'hiddenCharacters'],
  ['bank\u200b.example', BANK, 'hiddenCharacters'],
  ['bank\u200a.example', EVIL, 'otherHost'],
  // Reversed text.
  ['\u202eelpmaxe.knab', EVIL, 'reversedCharacters'],
  ['Click \u202ehere\u202c', EVIL, 'reversedCharacters'],
  ['com\u200f.paypal', EVIL, 'reversedCharacters'],
  ['example.\u061cpaypal', EVIL, 'reversedCharacters'],
  ['Invoice', 'https://evil.example/invoice%E2%80%AEfdp.exe', 'reversedCharacters'],
  ['Invoice', 'https://evil.example/in%E2%80%8Bvoice', 'hiddenCharacters'],
  // Look-alike dots, slashes and letters.
  ['bank．example', EVIL, 'otherHost'],
  ['bank。example', EVIL, 'otherHost'],
  ['bank｡example', EVIL, 'otherHost'],
  ['bank․example', EVIL, 'otherHost'],
  ['bank٠example', EVIL, 'otherHost'],
  ['ｂａｎｋ．ｅｘａｍｐｌｅ', EVIL, 'otherHost'],
  ['𝐛𝐚𝐧𝐤.𝐞𝐱𝐚𝐦𝐩𝐥𝐞', EVIL, 'otherHost'],
  ['https∶⁄⁄bank.example⁄login', EVIL, 'otherHost'],
  ['https://bank%2Eexample/', EVIL, 'otherHost'],
  ['bank%2eexample', EVIL, 'otherHost'],
  ['bаnk.example', BANK, 'otherHost'],
  ['Sign in', 'https://bаnk.example/', 'foreignLetters'],
  ['bank.example', 'https://bаnk.example/', 'otherHost', 'foreignLetters'],
  ['bаnk.example', 'https://bаnk.example/', 'foreignLetters'],
  ['Sign in', 'https://аррӏе.com/', 'foreignLetters'],
  ['аррӏе.com', 'https://xn--80ak6aa92e.com/', 'foreignLetters'],
  ['Sign in', 'https://xn--bcher-kva.example/', 'foreignLetters'],
  // Different owners below one public suffix.
  ['bank.github.io', 'https://evil.github.io/', 'otherHost'],
  ['bank.co.uk', 'https://evil.co.uk/', 'otherHost'],
  ['github.io', 'https://evil.github.io/', 'otherHost'],
  ['bank.com', 'https://bank.com.evil.example/', 'otherHost'],
  ['bank.com', 'https://evil.example/bank.com', 'otherHost'],
  ['bank.example', 'https://evil.example/?u=https://bank.example/', 'otherHost'],
  ['bank.example', 'https://click.esp.example/track/abc', 'otherHost'],
  // IP addresses and local hosts.
  ['Sign in', 'http://192.0.2.1/', 'number'],
  ['Sign in', 'http://3221225985/', 'number'],
  ['Sign in', 'http://0xC0.0x00.0x02.0x01/', 'number'],
  ['Sign in', 'http://0300.0.2.1/', 'number'],
  ['Sign in', 'http://[2001:db8::1]/', 'number'],
  ['http://192.0.2.1/', 'http://192.0.2.1/', 'number'],
  ['Sign in', 'http://localhost:8080/', 'ownNetwork'],
  ['Sign in', 'http://router/', 'ownNetwork'],
  ['Sign in', 'http://printer.local/', 'ownNetwork'],
  ['help@bank.example', EVIL, 'otherHost'],
  ['Write to help@bank.example.', 'mailto:help@evil.example', 'otherHost'],
  ['ada@mail.example', 'mailto:eve@mail.example', 'otherAddress'],
  ['help@bank.example', 'mailto:help@bank.example,eve@evil.example', 'otherHost'],
  ['help@bank.example', 'mailto:help@bank.example?bcc=eve@evil.example', 'otherHost'],
  ['help@bank.example', 'mailto:?subject=Hi', 'otherHost'],
]

const HONEST: readonly (readonly [words: string, href: string])[] = [
  // Text without a host promises none, even if a tracker counts the click.
  ['View in browser', 'https://click.esp.example/track/abc?u=https%3A%2F%2Fbank.example'],
  ['Unsubscribe', 'https://u12345.ct.esp.example/wf/unsub?upn=x'],
  ['Read more →', 'https://links.newsletter.example/e/c/eyJ'],
  ['View in browser \u200c \u200c', EVIL],
  ['\u200bView in browser\ufeff', EVIL],
  ['👩\u200d💻 Join us ▶\ufe0f', EVIL],
  ['Donau\u00addampf\u00adschiff', EVIL],
  ['می\u200cخواهم', EVIL],
  ['\u200fلقراءة المزيد\u200e', EVIL],
  ['Your order #1.234,50', EVIL],
  ['Version 1.2.3', EVIL],
  ['Linnet 10.0.0.1 is out', EVIL],
  ['node.js 24', EVIL],
  ['Save 20% at 5.pm today', EVIL],
  ['e.g. this, i.e. that', EVIL],
  ['Dr.Who, Ph.D., U.S.A.', EVIL],
  ['It is done.In the end it works', EVIL],
  ['Report.pdf', EVIL],
  ['budget.xlsx (2.4 MB)', EVIL],
  ['README.md', 'https://code.example/ann/repo/blob/main/README.md'],
  ['photos.zip', 'https://files.example/d/photos.zip'],
  ['…', EVIL],
  ['点击这里。了解更多', EVIL],
  ['@ann mentioned you', EVIL],
  ['Re: hello', EVIL],
  ['50 % off', EVIL],
  // The text names the actual host.
  ['bank.example', BANK],
  ['www.bank.example', BANK],
  ['bank.example', 'https://www.bank.example/login?next=/'],
  ['bank.example', 'https://click.bank.example/t/1'],
  ['https://login.bank.example/', 'https://www.bank.example/'],
  ['Bank.Example', BANK],
  ['bank.example.', BANK],
  ['bank.example', 'https://bank.example./'],
  ['bank.example:8443', 'https://bank.example:8443/'],
  ['https://bank.example/a?u=https://other.example/', 'https://bank.example/a?u=https://other.example/'],
  ['https://bank.example/other.example', 'https://bank.example/other.example'],
  ['bank.example/path/other.example', BANK],
  ['Go to bank.example, then sign in.', BANK],
  ['http://bank.example', BANK],
  ['bbc.co.uk', 'https://news.bbc.co.uk/'],
  ['ann.github.io', 'https://ann.github.io/notes'],
  ['https://bank%2Eexample/', BANK],
  ['bank．example', BANK],
  ['https://bank.example…', BANK],
  ['https://bank.example/login(1)', BANK],
  ['ada@quill.example', 'mailto:ada@quill.example'],
  ['Ada.Lovelace@Quill.Example', 'mailto:ada.lovelace@quill.example?subject=Hi'],
  ['Write to us', 'mailto:ada@quill.example'],
  ['quill.example', 'mailto:ada@quill.example'],
  ['ada@quill.example', 'https://quill.example/people/ada'],
  ['john.me@quill.example', 'https://quill.example/john'],
  ['john.me@quill.example', 'mailto:john.me@quill.example'],
]

describe('link in an e-mail', () => {
  it.each(LIES)('needs confirmation if it says %j and leads to %s', (words, href, ...kinds) => {
    expect(kindsOf(words, href)).toEqual(kinds)
  })

  it.each(LYING_LINKS)('needs confirmation or stays closed if it says %j and leads to %s', (words, href) => {
    expect(toSafeLinkTarget(href) === null || kindsOf(words, href).length > 0).toBe(true)
  })

  it.each([...HONEST, ...HONEST_LINKS])('opens directly if it says %j and leads to %s', (words, href) => {
    expect(kindsOf(words, href)).toEqual([])
  })

  it('is judged by each possible reading and reported once', () => {
    const reasons = findLinkWarnings(seen('Sign in', 'bank.example', 'at bank.example'), EVIL)
    expect(reasons).toEqual([{ kind: 'otherHost', named: 'bank.example' }])
  })

  it('needs confirmation if wordless, covering other text or uninspectable', () => {
    const kinds = (look: Partial<LinkAppearance>) =>
      findLinkWarnings({ ...seen(), ...look }, EVIL).map(({ kind }) => kind)
    expect(kinds({ isWordless: true, isCovering: true })).toEqual(['covering', 'wordless'])
    expect(kinds({ isCrowded: true })).toEqual(['unclear'])
  })

  it('needs confirmation if styles add text and the result could be a host', () => {
    const kinds = (words: string, generated: string) =>
      findLinkWarnings({ ...seen(words), generated }, EVIL).map(({ kind }) => kind)
    expect(kinds('', 'bank .example')).toEqual(['unclear'])
    expect(kinds('.example', 'bank')).toEqual(['unclear'])
    expect(kinds('Read more', '→')).toEqual([])
  })

  it('needs confirmation if a host is buried in very long text', () => {
    expect(kindsOf(`${'words '.repeat(4_000)} bank.example`, EVIL)).toEqual(['unclear'])
  })

  it('is judged by its final host if it goes through a gateway', () => {
    const gateway = 'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.evil.com%2F&data=05'
    expect(findLinkWarnings(seen('bank.com'), gateway)).toEqual([{ kind: 'otherHost', named: 'bank.com' }])
    expect(splitLinkTarget(gateway)).toMatchObject({
      host: 'eur01.safelinks.protection.outlook.com',
      onward: 'www.evil.com',
    })
    // Anyone can put this into a URL of their own.
    expect(splitLinkTarget('https://safelinks.evil.com/?url=https%3A%2F%2Fbank.com')).toMatchObject({ onward: null })
  })

  it('needs confirmation if its domain imitates one of the user’s own', () => {
    const own = ['cornwallharbour.example', 'gmail.com']
    const kinds = (href: string) => findLinkWarnings(seen('Sign in'), href, own).map(({ kind }) => kind)
    for (const host of [
      'comwallharbour.example',
      'login.cornwa11harbour.example',
      'cornwallharbur.example',
      'gmai1.com',
    ]) {
      expect(kinds(`https://${host}/`), host).toEqual(['looksLikeOwn'])
    }
    for (const host of ['cornwallharbour.example', 'www.cornwallharbour.example', 'harbour.example', 'ymail.com']) {
      expect(kinds(`https://${host}/`), host).toEqual([])
    }
    expect(kinds('mailto:ann@comwallharbour.example')).toEqual([])
  })

  it('is described by what differs', () => {
    const [reason] = findLinkWarnings(seen('bank.example'), EVIL)
    expect(reason && describeLinkWarning(reason, 'evil.example')).toBe(
      'The link text says bank.example, but the link goes to evil.example.',
    )
  })
})

describe('link target', () => {
  it('shows the host apart from look-alikes around it', () => {
    expect(splitLinkTarget('https://bank.example@evil.example/bank.example')).toEqual({
      before: 'https://bank.example@',
      host: 'evil.example',
      behind: '/bank.example',
      free: 0,
      onward: null,
      asciiHost: null,
    })
    expect(splitLinkTarget('https://bank.example:8443/')).toMatchObject({ host: 'bank.example', behind: ':8443' })
  })

  it('shows an internationalised host in both readable and ASCII form', () => {
    expect(splitLinkTarget('https://xn--bcher-kva.example/')).toMatchObject({
      host: 'bücher.example',
      asciiHost: 'xn--bcher-kva.example',
    })
    expect(splitLinkTarget('https://xn--a-.example/').host).toContain('example')
  })

  it('separates the registered domain from its subdomains', () => {
    const { host, free } = splitLinkTarget('https://www.bank.com-login.secure.evil.co.uk/')
    expect([host.slice(0, free), host.slice(free)]).toEqual(['www.bank.com-login.secure.', 'evil.co.uk'])
    expect(splitLinkTarget('https://evil.github.io/').free).toBe(0)
    expect(splitLinkTarget('http://192.0.2.1/').free).toBe(0)
  })

  it('is shortened in the middle, but never in the host', () => {
    const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.example`
    const shown = splitLinkTarget(`https://${'u'.repeat(500)}@${host}/${'p'.repeat(5_000)}/end?q=1`)
    expect(shown.host).toBe(host)
    expect(shown.before.length).toBeLessThan(80)
    expect(shown.behind.length).toBeLessThan(200)
    expect(shown.behind).toMatch(/^\/p+…p+\/end\?q=1$/)
  })

  it('shows the recipient of a mailto: link', () => {
    expect(splitLinkTarget('mailto:ada@quill.example?cc=eve@quill.example&subject=Hi')).toEqual({
      before: 'Write to ',
      host: 'ada@quill.example',
      behind: ' and 1 more',
      free: 0,
      onward: null,
      asciiHost: null,
    })
  })
})

describe('link text running into its neighbours', () => {
  const none = { words: '', href: null }
  const judge = (
    before: DrawnPhrase['before'],
    own: string,
    behind: typeof before,
    target: string,
    isUnclear = false,
  ) => findLinkWarnings({ ...seen(own), phrases: [{ before, own, behind, isUnclear }] }, target).map(({ kind }) => kind)
  const pier = { words: 'pier.com', href: 'https://www.pier.com/a' }

  it('is accepted if each part names its own target', () => {
    expect(judge(none, 'quill.com', pier, 'https://quill.com/')).toEqual([])
    expect(judge(pier, 'quill.com', pier, 'https://quill.com/')).toEqual([])
    const bo = { words: 'bo@pier.com', href: 'mailto:bo@pier.com' }
    expect(judge(none, 'ann@quill.com', bo, 'mailto:ann@quill.com')).toEqual([])
    expect(
      judge(
        none,
        'https://quill.com/a',
        { words: 'https://pier.com', href: 'https://pier.com/' },
        'https://quill.com/a',
      ),
    ).toEqual([])
  })

  it.each([
    ['the rest of a name', none, 'evil.co', { words: 'm', href: null }, 'https://evil.co/'],
    [
      'the rest of a name, with a link of its own',
      none,
      'evil.co',
      { words: 'm.au', href: 'https://m.au/' },
      'https://evil.co/',
    ],
    ['the end of another name', none, 'pay', { words: 'pal.com', href: 'https://pal.com/' }, 'https://evil.com/'],
    ['a name without a link', { words: 'bank.com', href: null }, 'evil.co', none, 'https://evil.co/'],
    [
      'a link that lies itself',
      none,
      'evil.com',
      { words: 'bank.com', href: 'https://evil.com/' },
      'https://evil.com/',
    ],
    ['words of a link that lies', pier, 'bank.com', none, 'https://evil.com/'],
  ] as const)('needs confirmation with %s', (_, before, own, behind, target) => {
    expect(judge(before, own, behind, target)).toContain('otherHost')
  })
})

describe('link text as drawn', () => {
  const none = { words: '', href: null }
  const judge = (text: string, own: string, target: string, isUnclear = false) =>
    findLinkWarnings({ ...seen(text), phrases: [{ before: none, own, behind: none, isUnclear }] }, target).map(
      ({ kind }) => kind,
    )

  it('is judged as well if styles join or drop words of the source', () => {
    expect(judge('bank.examples of work', 'bank.example', EVIL)).toEqual(['otherHost'])
    expect(judge('It is done.Next steps', 'It is done.Next', EVIL)).toEqual([])
  })

  it('needs confirmation if its order is uncertain, unless no host can be in it', () => {
    expect(judge('elpmaxe.knab', 'elpmaxe.knab', EVIL, true)).toEqual(['unclear'])
    expect(judge('elpmaxe。knab', 'elpmaxe。knab', EVIL, true)).toEqual(['unclear'])
    expect(judge('Read more', 'Read more', EVIL, true)).toEqual([])
  })
})

describe('phone link', () => {
  it('always needs confirmation, with a second reason if its text names another number', () => {
    expect(findLinkWarnings(seen('Call us'), 'tel:+49301234567')).toEqual([{ kind: 'call' }])
    expect(findLinkWarnings(seen('030 / 123 45-67'), 'tel:+49301234567')).toEqual([{ kind: 'call' }])
    expect(findLinkWarnings(seen('030 / 123 45-68'), 'sms:+49301234567')).toEqual([
      { kind: 'call' },
      { kind: 'otherNumber', named: '030 / 123 45-68' },
    ])
  })
})
