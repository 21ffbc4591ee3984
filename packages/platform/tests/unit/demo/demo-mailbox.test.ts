import { crc32 } from 'node:zlib'
import PostalMime, { type Email } from 'postal-mime'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseUnsubscribeMethods } from '../../../../../src/engine/mail/unsubscribe-service.ts'
import { buildDemoMailbox } from '../../../src/demo/demo-mailbox.ts'
import type { DemoFolder, DemoMailbox, DemoMessage, DemoThread } from '../../../src/demo/demo-mailbox-types.ts'

interface ReadThread extends DemoThread {
  readonly emails: readonly Email[]
}

const now = new Date('2026-11-20T15:30:00Z')
const day = 86_400_000

let mailbox: DemoMailbox
let threads: readonly ReadThread[]
let emails: readonly Email[]
let messages: readonly DemoMessage[]

const read = async (thread: DemoThread): Promise<ReadThread> => ({
  ...thread,
  emails: await Promise.all(thread.messages.map(({ raw }) => PostalMime.parse(raw))),
})

const inFolder = (folder: DemoFolder): readonly ReadThread[] => threads.filter((thread) => thread.folder === folder)

const header = (email: Email | undefined, name: string): string | undefined =>
  email?.headers.find(({ key }) => key === name)?.value

const bytes = (content: string | ArrayBuffer | Uint8Array): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content))

const wholeText = (email: Email): string =>
  [email.subject, email.from?.name, email.text, email.html].filter((part) => part !== undefined).join('\n')

beforeAll(async () => {
  mailbox = await buildDemoMailbox(now)
  threads = await Promise.all(mailbox.threads.map(read))
  emails = threads.flatMap((thread) => thread.emails)
  messages = threads.flatMap((thread) => thread.messages)
})

describe('demo mailbox size', () => {
  it('holds about 300 threads in all five folders', () => {
    const counts = Object.fromEntries(
      (['inbox', 'archive', 'sent', 'spam', 'trash'] as const).map((folder) => [folder, inFolder(folder).length]),
    )
    expect(counts).toEqual({ inbox: 120, archive: 110, sent: 25, spam: 25, trash: 20 })
    expect(messages.length).toBeGreaterThanOrEqual(520)
  })

  it('has about 35 unread threads in the inbox, and no unread sent mail', () => {
    const unread = inFolder('inbox').filter((thread) => thread.messages.some((message) => !message.read))
    expect(unread.length).toBeGreaterThanOrEqual(30)
    expect(unread.length).toBeLessThanOrEqual(40)
    expect(messages.filter((message) => message.direction === 'outbound' && !message.read)).toEqual([])
  })

  it('has eight labels in eight colours, up to four on a thread', () => {
    expect(mailbox.labels).toHaveLength(8)
    expect(new Set(mailbox.labels.map(({ color }) => color)).size).toBe(8)
    for (const { color } of mailbox.labels) expect(color).toMatch(/^#[0-9A-F]{6}$/)
    const names = new Set(mailbox.labels.map(({ name }) => name))
    for (const thread of threads) for (const label of thread.labels) expect(names).toContain(label)
    expect(new Set(threads.map((thread) => thread.labels.length))).toEqual(new Set([0, 1, 2, 3, 4]))
    expect(new Set(threads.flatMap((thread) => thread.labels))).toEqual(names)
  })

  it('has two templates whose custom variables are declared', () => {
    expect(mailbox.templates.map(({ alias }) => alias)).toEqual(['seats-added', 'welcome'])
    for (const { subject, html, variables } of mailbox.templates) {
      const used = [...`${subject}${html}`.matchAll(/\{\{\{(\w+)/g)].map(([, key]) => key)
      const known = ['FIRST_NAME', ...variables.map(({ key }) => key)]
      expect(known).toEqual(expect.arrayContaining(used))
    }
  })

  it('has 120 contacts with properties, and twelve topics', () => {
    expect(new Set(mailbox.contacts.map(({ email }) => email)).size).toBe(120)
    expect(mailbox.topics).toHaveLength(12)
    const topics = new Set(mailbox.topics.map(({ name }) => name))
    for (const contact of mailbox.contacts) {
      expect(Object.keys(contact.properties)).toEqual(mailbox.contactProperties.map(({ key }) => key))
      expect(typeof contact.properties.seats).toBe('number')
      for (const topic of Object.keys(contact.topics)) expect(topics).toContain(topic)
      expect(contact.createdAt.getTime()).toBeLessThan(now.getTime())
    }
    expect(mailbox.contacts.some(({ unsubscribed }) => unsubscribed)).toBe(true)
    expect(mailbox.contacts.some(({ firstName }) => firstName === null)).toBe(true)
  })

  it('stores the family name correctly if written first', () => {
    const namesAt = (email: string): unknown => {
      const contact = mailbox.contacts.find((other) => other.email === email)
      return [contact?.firstName, contact?.lastName]
    }
    expect(namesAt('chen.wei@qinghe-tea.example')).toEqual(['薇', '陈'])
    expect(namesAt('yuki.morita@asagao-coffee.example')).toEqual(['由紀', '森田'])
    expect(namesAt('minjun.kim@haneul-bakery.example')).toEqual(['민준', '김'])
    expect(namesAt('hanna.vogel@kornblume-backstube.example')).toEqual(['Hanna', 'Vogel'])
  })
})

describe('every demo message', () => {
  it('parses as RFC 5322 with a sender, date, ID and body', () => {
    for (const thread of threads)
      for (const email of thread.emails) {
        expect(email.from?.address, email.subject).toMatch(/^[^@\s]+@[^@\s]+$/)
        expect(email.messageId).toMatch(/^<[^<>\s]+@[^<>\s]+>$/)
        expect(Number.isNaN(Date.parse(email.date ?? ''))).toBe(false)
        expect(`${email.text ?? ''}${email.html ?? ''}`.trim(), email.subject).not.toBe('')
      }
  })

  it('has only CRLF line ends and at most 998 bytes per line', () => {
    for (const { raw } of messages) {
      const text = Buffer.from(raw).toString('latin1')
      expect(/[^\r]\n|\r[^\n]/.test(text)).toBe(false)
      expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
    }
  })

  it('has a unique ID', () => {
    expect(new Set(emails.map(({ messageId }) => messageId)).size).toBe(emails.length)
  })

  it('has no unfilled date and no lost character, even in attached texts', () => {
    for (const email of emails) {
      const attached = email.attachments.filter(({ mimeType }) => /^text|json|ics/.test(mimeType))
      const text = [wholeText(email), ...attached.map(({ content }) => bytes(content).toString())].join('\n')
      expect(text).not.toMatch(/\{\{|\[object|NaN|\uFFFD/)
    }
  })

  it('uses only domains reserved for examples', () => {
    const reserved = /(^|\.)(example|example\.(com|net|org))$/
    const allowed = (host: string): boolean =>
      reserved.test(host) || host === 'www.w3.org' || /^203\.0\.113\.\d+$/.test(host)
    expect(mailbox.contacts.filter(({ email }) => !allowed(email.slice(email.indexOf('@') + 1)))).toEqual([])
    for (const [index, email] of emails.entries()) {
      const text = `${wholeText(email)}\n${JSON.stringify([email.from, email.to, email.cc, email.replyTo])}\n${messages[index]?.envelopeFrom ?? ''}`
      const hosts = [
        ...Array.from(text.matchAll(/[\w.+-]+@((?:[\w-]+\.)+[a-z]{2,})/gi), ([, host]) => host ?? ''),
        ...Array.from(text.matchAll(/https?:\/\/(?:[^/\s"'@<>]*@)?([^/\s"':?<>)&]+)/gi), ([, host]) => host ?? ''),
      ]
      expect(hosts.filter((host) => !allowed(host.toLowerCase().replace(/\.$/, '')))).toEqual([])
    }
  })

  it('has transport headers if received, but not if sent', () => {
    for (const thread of threads)
      for (const [index, email] of thread.emails.entries()) {
        const inbound = thread.messages[index]?.direction === 'inbound'
        expect(header(email, 'received') !== undefined).toBe(inbound)
        expect(header(email, 'authentication-results') !== undefined).toBe(inbound)
        if (inbound) expect(thread.messages[index]?.envelopeTo).toEqual([mailbox.inbox.emailAddress])
        else expect(email.from?.address).toBe(mailbox.inbox.emailAddress)
      }
  })
})

describe('demo threads', () => {
  it('are linked by References and In-Reply-To', () => {
    for (const thread of threads)
      for (const [index, email] of thread.emails.entries()) {
        const earlier = thread.emails.slice(0, index).map(({ messageId }) => messageId)
        expect(header(email, 'references')?.split(/\s+/) ?? []).toEqual(earlier)
        expect(header(email, 'in-reply-to')).toBe(earlier.at(-1))
      }
  })

  it('have unique subjects, so threading by subject can’t join them', () => {
    const bare = threads.map(({ emails: [first] }) =>
      (first?.subject ?? '').toLowerCase().replace(/^((re|fwd|aw):\s*)+/, ''),
    )
    expect(bare.filter((subject, index) => bare.indexOf(subject) !== index)).toEqual([])
  })

  it('are outbound in sent, and have an inbound message elsewhere', () => {
    for (const thread of threads)
      expect(thread.messages.every(({ direction }) => direction === 'outbound')).toBe(thread.folder === 'sent')
  })

  it.each([
    ['a working afternoon', '2026-11-20T15:30:00Z'],
    ['a Sunday before dawn', '2026-08-02T02:10:00Z'],
    ['the first minute of a year', '2027-01-01T00:01:00Z'],
    ['a leap day', '2028-02-29T23:59:30Z'],
  ])('are sorted and within the 30 days before %s', async (_name, at) => {
    const moment = new Date(at)
    const { threads: all } = await buildDemoMailbox(moment)
    for (const thread of all) {
      const dates = thread.messages.map(({ raw }) =>
        Date.parse(/^Date: (.*)$/m.exec(Buffer.from(raw).toString('latin1'))?.[1] ?? ''),
      )
      expect(dates).toEqual(dates.toSorted((one, other) => one - other))
      expect(dates.at(-1)).toBeLessThanOrEqual(moment.getTime())
      expect(dates[0]).toBeGreaterThan(moment.getTime() - 30 * day)
    }
  })

  it('include several recent ones and span four weeks', () => {
    const ages = inFolder('inbox').map(({ emails: own }) => now.getTime() - Date.parse(own.at(-1)?.date ?? ''))
    expect(ages.filter((age) => age < 8 * 3_600_000).length).toBeGreaterThanOrEqual(8)
    expect(Math.max(...ages)).toBeGreaterThan(20 * day)
    expect(ages).toEqual(ages.toSorted((one, other) => one - other))
  })
})

describe('regenerated demo mailbox', () => {
  it('is byte-identical for the same moment', async () => {
    const again = await buildDemoMailbox(now)
    expect(
      again.threads.map((thread) => thread.messages.map(({ raw }) => Buffer.from(raw).toString('base64'))),
    ).toEqual(mailbox.threads.map((thread) => thread.messages.map(({ raw }) => Buffer.from(raw).toString('base64'))))
    expect(again).toEqual(mailbox)
  })
})

describe('demo mailbox contents', () => {
  it('a support conversation of at least 24 messages in both directions, with quoted text', () => {
    const long = threads.find((thread) => thread.messages.length >= 24)
    expect(new Set(long?.messages.map(({ direction }) => direction))).toEqual(new Set(['inbound', 'outbound']))
    expect(long?.emails.filter(({ text }) => /^> /m.test(text ?? '')).length).toBeGreaterThan(10)
    expect(long?.emails.some(({ html }) => (html ?? '').includes('<blockquote'))).toBe(true)
  })

  it.each([
    ['ISO-2022-JP', '7bit', /厨房で打刻用のタブレットにそばつゆをこぼしてしまい/],
    ['windows-1251', '8bit', /В счёте № 20417 указано 12 мест/],
    ['ISO-8859-15', 'quoted-printable', /0 €, mais Bénédicte est vexée/],
  ])('a message in %s and %s that decodes correctly', (charset, encoding, words) => {
    const found = messages.findIndex(({ raw }) => {
      const text = Buffer.from(raw).toString('latin1')
      return text.includes(`charset=${charset}`) && text.includes(`Content-Transfer-Encoding: ${encoding}`)
    })
    expect(emails[found]?.text).toMatch(words)
  })

  it('attachments of many types with intact bytes', () => {
    const files = emails.flatMap(({ attachments }) => attachments)
    const ofType = (type: string): Buffer[] =>
      files.filter(({ mimeType }) => mimeType === type).map(({ content }) => bytes(content))
    for (const picture of ofType('image/png'))
      expect(picture.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    for (const paper of ofType('application/pdf')) {
      const text = paper.toString('latin1')
      expect(text.startsWith('%PDF-1.4')).toBe(true)
      const table = Number(/startxref\n(\d+)/.exec(text)?.[1])
      expect(text.slice(table, table + 4)).toBe('xref')
      for (const [index, offset] of Array.from(text.matchAll(/^(\d{10}) 00000 n/gm), ([, digits]) =>
        Number(digits),
      ).entries())
        expect(text.slice(offset).startsWith(`${index + 1} 0 obj`)).toBe(true)
    }
    for (const archive of ofType('application/zip')) {
      const [nameLength, size] = [archive.readUInt16LE(26), archive.readUInt32LE(18)]
      expect(crc32(archive.subarray(30 + nameLength, 30 + nameLength + size))).toBe(archive.readUInt32LE(14))
    }
    for (const settings of ofType('application/json')) expect(() => void JSON.parse(settings.toString())).not.toThrow()
    for (const table of ofType('text/csv')) expect(table.toString().trim().split('\r\n').length).toBeGreaterThan(10)
    for (const type of [
      'image/png',
      'application/pdf',
      'application/zip',
      'application/json',
      'text/csv',
      'text/plain',
      'application/ics',
    ])
      expect(ofType(type).length, type).toBeGreaterThan(0)
  })

  it('inline images that all exist', () => {
    const shown = emails.flatMap((email) =>
      Array.from((email.html ?? '').matchAll(/<img src="cid:([^"]+)"/g), ([, cid]) => ({ email, cid: cid ?? '' })),
    )
    const own = shown.filter(({ email }) => email.attachments.length > 0)
    expect(own.length).toBeGreaterThanOrEqual(4)
    for (const { email, cid } of own) expect(email.attachments.map(({ contentId }) => contentId)).toContain(`<${cid}>`)
  })

  it('table newsletters with unsubscribe links', () => {
    const mailings = emails.filter((email) => header(email, 'list-unsubscribe') !== undefined)
    expect(mailings.length).toBeGreaterThanOrEqual(12)
    const ways = new Set(
      mailings.map((email) =>
        JSON.stringify(
          parseUnsubscribeMethods({
            unsubscribe: header(email, 'list-unsubscribe') ?? '',
            post: header(email, 'list-unsubscribe-post') ?? null,
          }).map(({ kind }) => kind),
        ),
      ),
    )
    expect([...ways].toSorted()).toEqual(['["mail"]', '["oneClick","mail","page"]', '["oneClick","page"]', '["page"]'])
    for (const { html } of mailings) {
      expect(html).toContain('<table role="presentation"')
      expect(html).toMatch(/<img src="https:\/\/[^"]+\.example\//)
    }
  })

  it('bounce reports, one of them in the thread of the failed message', () => {
    const reports = threads.filter((thread) => thread.messages.some(({ envelopeFrom }) => envelopeFrom === ''))
    expect(reports.map((thread) => thread.messages.length).toSorted()).toEqual([1, 2])
    for (const { messages: own } of reports)
      expect(Buffer.from(own.at(-1)?.raw ?? []).toString('latin1')).toMatch(
        /report-type=delivery-status[\s\S]*Final-Recipient: rfc822;/,
      )
  })
})
