import { describe, expect, it } from 'vitest'
import type { ColumnTarget, ContactTable } from '../../../src/shared/contact-import.ts'
import { ALL_CONTACTS } from '../../../src/shared/contact-query.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { startRecordingProxy } from './support/recording-proxy.ts'
import { openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const TABLE = 'table'

interface OnPlatform {
  readonly email: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly unsubscribed: boolean
}

const make = async (platform: TestPlatform, path: string, body: object): Promise<string> =>
  (await platform.ask<{ id: string }>('POST', path, body)).id
const everybody = async (platform: TestPlatform): Promise<readonly OnPlatform[]> =>
  (await platform.ask<{ data: readonly OnPlatform[] }>('GET', '/contacts')).data
const propertiesOf = async (platform: TestPlatform, address: string) =>
  (await platform.ask<{ properties: Record<string, { value: unknown }> }>('GET', `/contacts/${address}`)).properties

const open = async (prepare: (platform: TestPlatform) => Promise<unknown> = () => Promise.resolve()) => {
  const platform = await startTestPlatform()
  await make(platform, '/contact-properties', { key: 'company', type: 'string' })
  await make(platform, '/contact-properties', { key: 'seats', type: 'number' })
  await prepare(platform)
  const proxy = await startRecordingProxy(platform.baseUrl)
  const directory = temporaryDirectory()
  const engine = await openTestEngine({ ...platform, baseUrl: proxy.baseUrl }, directory)
  await engine.settled()
  await engine.call('contact.refreshCatalog', {})
  return { platform, proxy, directory, engine }
}

const bring = async (engine: TestEngine, file: string | Uint8Array, piece = 50_000): Promise<ContactTable> => {
  const bytes = Buffer.from(file as string)
  const count = Math.max(1, Math.ceil(bytes.length / piece))
  for (let place = 0; place < count; place += 1) {
    const base64 = bytes.subarray(place * piece, (place + 1) * piece).toString('base64')
    const read = await engine.call('contactTable.read', { tableId: TABLE, place, base64, isLast: place === count - 1 })
    if (read !== null) return read
  }
  throw new Error('The last piece answers.')
}
const asGuessed = ({ columns }: ContactTable) => ({
  ...{ tableId: TABLE, mayResubscribe: false },
  targets: columns.map(({ target }) => target),
})

describe('a table of contacts', () => {
  const LINES = [
    'E-Mail;Vorname;Surname;Company;Seats;Unsubscribed;Notes',
    'ann@harbour.example;Ann;Lee;"Herring & Co; Sons";4;;',
    'bob@harbour.example;"Bob ""the Crane""";Grün;;12;no;x',
    '',
    'not an address;Nobody;;;;;',
    ';Nameless;;;;;',
    'cy@harbour.example;=HYPERLINK("http://evil.example");@SUM(A1);-5;7;yes;',
    'dee@harbour.example;Dee;;;many;;',
    'eve@harbour.example;Eve;;;;maybe;',
    'fay@harbour.example;Fay;Ho;Gull;1;;;one too many',
    'ANN@HARBOUR.EXAMPLE;;Lee-Hart;;5;;',
    '"gus@harbour.example;never closed;;;;;',
    'hal@localhost;Hal;;;;;',
    'ida@harbour.example;\'=Ida;"O\'Hara\nsecond line";;;;',
    '"kit@harbour.example;Kit;;;;;',
    'jo@xn--mnchen-3ya.example;Jo;;;;;',
    'lou@harbour.example;Lou;;;1.234;;',
    'dee@harbour.example;Dee;;;many;yes;',
  ]

  it.each([
    ['UTF-8 with a mark', Buffer.from(`\ufeff${LINES.join('\r\n')}`)],
    ['UTF-8, with a line end at the end', Buffer.from(`${LINES.join('\n')}\n`)],
    ['Latin-1', Buffer.from(LINES.join('\r\n'), 'latin1')],
    ['UTF-16', Buffer.from(`\ufeff${LINES.join('\r\n')}`, 'utf16le')],
    ['old line ends', Buffer.from(LINES.join('\n').replaceAll('\n', '\r'))],
  ])('is read, previewed and imported: %s', async (name, file) => {
    const { platform, proxy, engine } = await open((each) =>
      make(each, '/contacts', { email: 'Bob@harbour.example', first_name: 'Robert', properties: { company: 'Crane' } }),
    )
    const table = await bring(engine, file, 97)
    expect(table.columns.map(({ heading, target }) => [heading, target])).toEqual([
      ['E-Mail', 'email'],
      ['Vorname', 'firstName'],
      ['Surname', 'lastName'],
      ['Company', 'property:company'],
      ['Seats', 'property:seats'],
      ['Unsubscribed', 'unsubscribed'],
      ['Notes', 'nothing'],
    ])
    expect(table.columns[1]?.samples).toEqual(['Ann', 'Bob "the Crane"', 'Nobody'])
    const reading = asGuessed(table)
    const plan = await engine.call('contactTable.plan', reading)
    expect(plan).toMatchObject({ added: 6, changed: 1, same: 0, repeated: 1, leftUnsubscribed: 0, bad: 10 })
    expect(plan.badLines).toEqual([
      { line: 5, why: '“not an address” is not an email address.' },
      { line: 6, why: 'This line has no email address.' },
      { line: 8, why: '“many” in “Seats” is not a number.' },
      { line: 9, why: '“maybe” in “Unsubscribed” is neither yes nor no.' },
      { line: 10, why: 'This line has 8 cells, but the first line has 7.' },
      { line: 12, why: 'A closing quote is missing.' },
      { line: 13, why: '“hal@localhost” is not an email address.' },
      { line: 16, why: 'A closing quote is missing.' },
      {
        ...{ line: 18, isPart: true },
        why: '“1.234” in “Seats” is skipped because it could mean 1234 or 1.234. Write 1234 or 1.2340 instead.',
      },
      { line: 19, why: '“many” in “Seats” is not a number.', isPart: true },
    ])
    expect(plan.contacts.find(({ isNew }) => !isNew)).toEqual({
      address: 'bob@harbour.example',
      isNew: false,
      fields: [
        { name: 'First name', before: 'Robert', after: 'Bob "the Crane"' },
        { name: 'Last name', before: '', after: 'Grün' },
        { name: 'seats', before: '', after: '12' },
      ],
    })
    const { text } = await engine.call('contactTable.badLines', reading)
    expect(text.split('\r\n').slice(0, 3)).toEqual([
      '\ufeffLine,Reason,E-Mail,Vorname,Surname,Company,Seats,Unsubscribed,Notes',
      '5,“not an address” is not an email address.,not an address,Nobody,,,,,',
      '6,This line has no email address.,,Nameless,,,,,',
    ])

    const { changeId, contacts } = await engine.call('contactTable.import', { ...reading, segmentId: null })
    expect(contacts).toBe(7)
    await engine.settled()
    const there = (await everybody(platform)).map((each) => [
      ...[each.email, each.first_name, each.last_name, each.unsubscribed],
    ])
    const second = name === 'old line ends' ? "O'Hara\rsecond line" : "O'Hara\nsecond line"
    expect(there.toSorted()).toEqual(
      [
        ['Bob@harbour.example', 'Bob "the Crane"', 'Grün', false],
        ['ann@harbour.example', 'Ann', 'Lee-Hart', false],
        ['cy@harbour.example', '=HYPERLINK("http://evil.example")', '@SUM(A1)', true],
        ['dee@harbour.example', null, null, true],
        ['ida@harbour.example', '=Ida', second, false],
        ['jo@xn--mnchen-3ya.example', 'Jo', null, false],
        ['lou@harbour.example', 'Lou', null, false],
      ].toSorted(),
    )
    expect(await propertiesOf(platform, 'ann@harbour.example')).toMatchObject({
      ...{ company: { value: 'Herring & Co; Sons' }, seats: { value: 5 } },
    })
    expect(await propertiesOf(platform, 'cy@harbour.example')).toMatchObject({
      ...{ company: { value: '-5' }, seats: { value: 7 } },
    })
    expect(await propertiesOf(platform, 'bob@harbour.example')).toMatchObject({
      ...{ company: { value: 'Crane' }, seats: { value: 12 } },
    })
    expect(proxy.changes().filter(({ method }) => method === 'POST')).toHaveLength(1)

    await engine.call('sync.now', {})
    await engine.settled()
    await eventually(
      () => engine.call('contact.list', { offset: 0, limit: 1, query: ALL_CONTACTS }),
      ({ total }) => total === 7,
    )
    await bring(engine, file)
    expect(await engine.call('contactTable.plan', reading)).toMatchObject({ added: 0, changed: 0, same: 7 })

    await engine.call('change.undo', { changeId })
    await engine.settled()
    await eventually(
      () => everybody(platform),
      (all) => all.length === 1,
    )
    expect(await everybody(platform)).toMatchObject([{ first_name: 'Robert', last_name: null }])
    expect(await propertiesOf(platform, 'bob@harbour.example')).toEqual({
      company: expect.objectContaining({ value: 'Crane' }) as unknown,
    })
  })

  it('resubscribes nobody unless requested', async () => {
    const { platform, engine } = await open((each) =>
      make(each, '/contacts', { email: 'ann@harbour.example', unsubscribed: true }),
    )
    const reading = asGuessed(await bring(engine, 'email,unsubscribed\nann@harbour.example,false\n'))
    expect(await engine.call('contactTable.plan', reading)).toMatchObject({ changed: 0, same: 1, leftUnsubscribed: 1 })
    const willing = { ...reading, mayResubscribe: true }
    expect(await engine.call('contactTable.plan', willing)).toMatchObject({ changed: 1, leftUnsubscribed: 0 })
    await engine.call('contactTable.import', { ...willing, segmentId: null })
    await engine.settled()
    expect(await everybody(platform)).toMatchObject([{ unsubscribed: false }])
  })

  it('is put into a segment, with full names split', async () => {
    const { platform, engine } = await open((each) => make(each, '/segments', { name: 'Harbour' }))
    const [segment] = (await engine.call('contact.refreshCatalog', {})).segments
    const reading = asGuessed(
      await bring(engine, 'Name\tMail\nAnn van Lee\tann@harbour.example\n"Crane, Bob"\tbob@b.example\n'),
    )
    expect(reading.targets).toEqual(['name', 'email'])
    await engine.call('contactTable.import', { ...reading, segmentId: segment?.id ?? '' })
    await engine.settled()
    expect(await everybody(platform)).toMatchObject([
      { first_name: 'Bob', last_name: 'Crane' },
      { first_name: 'Ann van', last_name: 'Lee' },
    ])
    const { data } = await platform.ask<{ data: readonly unknown[] }>('GET', `/segments/${segment?.id ?? ''}/contacts`)
    expect(data).toHaveLength(2)
  })

  it.each([
    ['nothing', '', 'it is empty'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), 'it is not text'],
    ['vCards', 'BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\n', 'Export your contacts as CSV'],
    ['unclosed quotes', `a,b\n${'"x,y\n'.repeat(17_001)}`, 'too many of its lines cannot be read'],
    ['too many quotes', `a,b\n${'"x"y\n"'.repeat(2_000)}`, null],
  ])('is rejected with a message: %s', async (_name, file, why) => {
    const { engine } = await open()
    const refused = bring(engine, file)
    if (why === null) await refused.catch((thrown: unknown) => expect(String(thrown)).toContain('cannot be read'))
    else await expect(refused).rejects.toThrow(why)
  })

  it.each([
    ['without a heading', 'ann@a.example,Ann\nbob@a.example,Bob\n', ['', ''], 2],
    ['without a heading, with two addresses in a cell', '"Ann","ann@x.example; ann@y.example"\n', ['', ''], 1],
    ['without a heading, with links', 'Ann,mailto:ann@x.example\nBob,mailto:bob@x.example\n', ['', ''], 2],
    [
      'separated by semicolons, with a comma in each name',
      'Name, Vorname;Mail\nDoe, J;j@x.example\n',
      ['Name, Vorname', 'Mail'],
      1,
    ],
    ['with Excel’s first line', 'sep=;\r\nName, first;Mail\r\nAnn, b;ann@a.example\r\n', ['Name, first', 'Mail'], 1],
    [
      'separated by semicolons, with more commas in its heading',
      'Mail;Notes, a, b, c\nann@a.example;x\nbob@a.example;y, z\n',
      ['Mail', 'Notes, a, b, c'],
      2,
    ],
    ['with one column', 'mail\nann@a.example\n', ['mail'], 1],
  ])('is read %s', async (_, file, headings, rows) => {
    const { engine } = await open()
    const table = await bring(engine, file)
    expect(table.columns.map(({ heading }) => heading)).toEqual(headings)
    expect(table.columns.map(({ target }) => target)).toContain('email')
    expect(table.lines).toBe(rows)
  })

  it.each([
    ['Unsubscribed', 'yes', 'no'],
    ['subscribed', 'no', 'yes'],
    ['Status', 'unsubscribed', 'subscribed'],
    ['opt in', 'no', 'yes'],
    ['UNSUB_TIME', '2026-05-01 12:00:00', ''],
    ['Date unsubscribed', '01/05/2026', ''],
    ['Email Opt Out', 'yes', 'no'],
    ['HasOptedOutOfEmail', 'true', 'false'],
    ['do_not_email', '1', '0'],
    ['Unsubscribed from all email', 'yes', ''],
    ['blacklisted', 'true', ''],
    ['unsub', 'x', ''],
    ['No newsletter', 'ja', 'nein'],
    ['Suppressed', 'yes', 'no'],
    ['Newsletter opt-in', 'no', 'yes'],
    ['Email permission', 'no', 'yes'],
  ])('keeps people unsubscribed despite later lines: %s', async (heading, out, stays) => {
    const { platform, engine } = await open()
    const lines = [`mail,${heading}`, `ann@a.example,${out}`, `ann@a.example,${stays}`, `bob@a.example,${stays}`]
    const reading = asGuessed(await bring(engine, `${lines.join('\n')}\n`))
    await engine.call('contactTable.import', { ...reading, segmentId: null })
    await engine.settled()
    const people = (await everybody(platform)).map(({ email, unsubscribed }) => [email, unsubscribed])
    expect(Object.fromEntries(people)).toEqual({ 'ann@a.example': true, 'bob@a.example': false })
  })

  it('keeps people unsubscribed by any of several columns or a skipped line', async () => {
    const { platform, engine } = await open((each) => make(each, '/contacts', { email: 'cy@a.example' }))
    const lines = [
      ...['email,status,newsletter,Opt-out,seats', 'ann@a.example,active,no,,', 'bob@a.example,active,,yes,many'],
      ...['bob@a.example,active,yes,no,', 'cy@a.example,,,yes,many', 'dee@a.example,active,yes,no,'],
    ]
    const reading = asGuessed(await bring(engine, lines.join('\n')))
    expect(reading.targets).toEqual(['email', 'subscribed', 'subscribed', 'unsubscribed', 'property:seats'])
    expect(await engine.call('contactTable.plan', reading)).toMatchObject({ added: 3, changed: 1, bad: 2 })
    await engine.call('contactTable.import', { ...reading, segmentId: null })
    await engine.settled()
    const people = (await everybody(platform)).map(({ email, unsubscribed }) => [email, unsubscribed])
    const out = { 'ann@a.example': true, 'bob@a.example': true, 'cy@a.example': true, 'dee@a.example': false }
    expect(Object.fromEntries(people)).toEqual(out)
  })

  it.each([
    ['52.517', 52.517],
    ['52.517', 52_517],
    ['-1.200', -1.2],
  ])('matches %s with the contact’s number %s', async (written, seats) => {
    const { engine } = await open((each) => make(each, '/contacts', { email: 'ann@a.example', properties: { seats } }))
    const reading = asGuessed(await bring(engine, `email,seats\nann@a.example,${written}\n`))
    expect(await engine.call('contactTable.plan', reading)).toMatchObject({ changed: 0, same: 1, bad: 0 })
  })

  it('has a heading line if the user says so', async () => {
    const { platform, engine } = await open()
    const table = await bring(engine, 'Ann,ann.example\nBob,bob@b.example\nCy,cy@c.example\n')
    expect(table).toMatchObject({ hasHeading: true, otherColumns: [{ heading: '' }, { target: 'email' }] })
    const headed = { ...asGuessed(table), targets: ['firstName', 'email'] as ColumnTarget[] }
    expect(await engine.call('contactTable.plan', headed)).toMatchObject({ added: 2, bad: 0 })
    const headless = { ...headed, hasHeading: false }
    expect((await engine.call('contactTable.plan', headless)).badLines).toMatchObject([{ line: 1 }])
    const { text } = await engine.call('contactTable.badLines', headless)
    expect(text).toContain('1,“ann.example” is not an email address.,Ann,ann.example')
    await engine.call('contactTable.import', { ...headless, segmentId: null })
    await engine.settled()
    expect((await everybody(platform)).map(({ email }) => email).toSorted()).toEqual(['bob@b.example', 'cy@c.example'])
  })

  it('explains what prevents an import', async () => {
    const { engine } = await open()
    const table = await bring(engine, 'email,first\nann@harbour.example,Ann\n')
    const reading = asGuessed(table)
    const targets: readonly ColumnTarget[] = ['nothing', 'firstName']
    await expect(engine.call('contactTable.plan', { ...reading, targets: [...targets] })).rejects.toThrow(
      'Choose the column with the email addresses.',
    )
    await expect(engine.call('contactTable.plan', { ...reading, targets: ['email', 'email'] })).rejects.toThrow(
      'Two columns are imported as the same field.',
    )
    await expect(engine.call('contactTable.import', { ...reading, segmentId: 'none' })).rejects.toThrow(
      'no longer exists',
    )
    await expect(engine.call('contactTable.plan', { ...reading, tableId: 'other' })).rejects.toThrow(
      'Choose the file again',
    )
  })
})

/** A table with this many people. Every tenth line is invalid, every hundredth a duplicate. */
const manyLines = (count: number): { readonly text: string; readonly good: ReadonlySet<string> } => {
  const good = new Set<string>()
  const lines = Array.from({ length: count }, (_, at) => {
    if (at % 10 === 3) return `person ${at}@nowhere,X,`
    const address = `person-${at % 100 === 57 ? at - 1 : at}@harbour.example`
    good.add(address)
    return `${address},"P, ${at}",${at}`
  })
  return { text: ['email,first_name,seats', ...lines].join('\n'), good }
}

describe('a bulk import', () => {
  it('resumes after a crash and lost responses, with exactly the table’s contacts', async () => {
    const { platform, proxy, directory, engine } = await open()
    const { text, good } = manyLines(3_000)
    const reading = asGuessed(await bring(engine, text))
    await platform.fault({ kind: 'lost', path: '/contacts/imports', method: 'POST', times: 3 })
    const { contacts } = await engine.call('contactTable.import', { ...reading, segmentId: null })
    expect(contacts).toBe(good.size)
    await eventually(
      () => everybody(platform),
      (all) => all.length >= 300,
    )
    await engine.close()
    expect((await everybody(platform)).length).toBeLessThan(good.size)
    const again = await openTestEngine({ ...platform, baseUrl: proxy.baseUrl }, directory)
    await again.settled()
    await eventually(
      () => again.call('change.underWay', {}),
      (underWay) => underWay.length === 0,
    )
    const all = await everybody(platform)
    expect(new Set(all.map(({ email }) => email))).toEqual(good)
    expect(all).toHaveLength(good.size)
    expect(
      all.every(
        ({ email, first_name: name }) =>
          name === `P, ${/\d+/.exec(email)?.[0] ?? ''}` || Number(/\d+/.exec(email)?.[0]) % 100 === 56,
      ),
    ).toBe(true)
  })

  it('waits offline, and leaves no trace if undone before', async () => {
    const { platform, proxy, engine } = await open()
    await platform.fault({ kind: 'error_503', path: '/contacts/imports' })
    const reading = asGuessed(await bring(engine, manyLines(2_000).text))
    const { changeId } = await engine.call('contactTable.import', { ...reading, segmentId: null })
    expect(await engine.call('change.underWay', {})).toMatchObject([{ kind: 'contactImport', total: 4 }])
    await engine.call('change.undo', { changeId })
    await platform.fault()
    await engine.call('sync.now', {})
    await engine.settled()
    expect(await everybody(platform)).toEqual([])
    expect(proxy.changes().filter(({ status }) => status === 201)).toEqual([])
  })

  it('reports what the platform rejects', async () => {
    const { platform, engine } = await open()
    await platform.fault({ kind: 'error_422', path: '/contacts/imports' })
    const reading = asGuessed(await bring(engine, 'email\nann@harbour.example\n'))
    await engine.call('contactTable.import', { ...reading, segmentId: null })
    await eventually(
      () => engine.call('problem.list', {}),
      (problems) => JSON.stringify(problems).includes('import of 1 contact'),
    )
  })
})
