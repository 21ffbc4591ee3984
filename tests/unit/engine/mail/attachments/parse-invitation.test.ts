import { describe, expect, it } from 'vitest'
import { parseInvitation } from '../../../../../src/engine/mail/attachments/parse-invitation.ts'
import { parseInWorker } from '../../../../../src/engine/mail/attachments/parse-in-worker.ts'

const WORKER = new URL('../../../../../src/engine/mail/attachments/parts-worker.ts', import.meta.url).pathname
const never = new AbortController().signal

/** A calendar with one event; `around` holds the lines before it. */
const calendar = (event: readonly string[], around: readonly string[] = []): Buffer =>
  Buffer.from(
    [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', ...around],
      ...(event.length === 0 ? [] : ['BEGIN:VEVENT', 'UID:1', ...event, 'END:VEVENT']),
      ...['END:VCALENDAR', ''],
    ].join('\r\n'),
  )
const eventOf = (event: readonly string[], around?: readonly string[]) =>
  parseInvitation(calendar(event, around))?.events[0]

/** A time zone as Outlook names and describes it. */
const CENTRAL_EUROPE = [
  ...['BEGIN:VTIMEZONE', 'TZID:Customized Time Zone 1'],
  ...['BEGIN:STANDARD', 'DTSTART:16010101T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100'],
  ...['RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10', 'END:STANDARD'],
  ...['BEGIN:DAYLIGHT', 'DTSTART:16010101T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200'],
  ...['RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3', 'END:DAYLIGHT', 'END:VTIMEZONE'],
]

describe('a calendar file', () => {
  it('shows what, when, where and who', () => {
    const invitation = parseInvitation(
      calendar(
        [
          ...['DTSTART:20261201T140000Z', 'DTEND:20261201T150000Z', 'SEQUENCE:0', 'LOCATION:Pier 4\\, north'],
          ...['SUMMARY:Walk around', '  the harbour', 'DESCRIPTION:Bring a coat.\\nWe meet at the crane.'],
          ...[
            'ORGANIZER;CN="Quill, Nora":mailto:nora@away.example',
            'ATTENDEE;PARTSTAT=DECLINED:MAILTO:ola@away.example',
          ],
          'ATTENDEE;CN=Ina;RSVP=TRUE:mailto:in%61@away.example',
        ],
        ['METHOD:REQUEST'],
      ),
    )
    expect(invitation).toMatchObject({
      method: 'request',
      moreEvents: 0,
      events: [
        {
          title: 'Walk around the harbour',
          start: { kind: 'moment', at: Date.UTC(2026, 11, 1, 14), local: '2026-12-01T14:00', zone: null },
          end: { at: Date.UTC(2026, 11, 1, 15) },
          place: 'Pier 4, north',
          description: 'Bring a coat.\nWe meet at the crane.',
          organizer: { name: 'Quill, Nora', address: 'nora@away.example' },
          invited: [
            { name: null, address: 'ola@away.example', answer: 'declined' },
            { name: 'Ina', address: 'ina@away.example', answer: null },
          ],
          isCancelled: false,
          isUpdate: false,
        },
      ],
    })
  })

  it.each([
    ['an IANA name', 'Europe/Berlin', [], 'Europe/Berlin', Date.UTC(2026, 6, 1, 7)],
    [
      'a name that a program prefixed',
      '/mozilla.org/20050126_1/Europe/Berlin',
      [],
      'Europe/Berlin',
      Date.UTC(2026, 6, 1, 7),
    ],
    ['a zone of its own', 'Customized Time Zone 1', CENTRAL_EUROPE, 'Customized Time Zone 1', Date.UTC(2026, 6, 1, 7)],
    ['a name that nothing explains', 'Lunar Standard Time', [], 'Lunar Standard Time', null],
  ])('reads times by %s', (_, zone, around, shown, at) => {
    expect(eventOf([`DTSTART;TZID="${zone}":20260701T090000`], around)?.start).toEqual({
      ...{ kind: 'moment', at, local: '2026-07-01T09:00', zone: shown },
    })
  })

  it('keeps a floating time as it is', () => {
    expect(eventOf(['DTSTART:20260701T090000'])?.start).toMatchObject({
      at: null,
      local: '2026-07-01T09:00',
      zone: null,
    })
  })

  it.each([
    ['one day', ['DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260502'], null],
    ['several', ['DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260504'], { kind: 'day', day: '2026-05-03' }],
    ['a length', ['DTSTART;VALUE=DATE:20260501', 'DURATION:P1W'], { kind: 'day', day: '2026-05-07' }],
  ])('reads all-day events: %s', (_, lines, end) => {
    expect(eventOf(lines)).toMatchObject({ start: { kind: 'day', day: '2026-05-01' }, end })
  })

  it('describes repetition without expanding it', () => {
    const recurrence = (rule: string) => eventOf(['DTSTART:20260501T090000Z', `RRULE:${rule}`])?.recurrence
    expect(recurrence('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=999999999')).toMatchObject({
      ...{ unit: 'week', every: 2, count: 999_999_999, isPartial: false },
      weekdays: [
        { day: 1, nth: null },
        { day: 3, nth: null },
      ],
    })
    expect(recurrence('FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20271231T000000Z')).toMatchObject({
      ...{ unit: 'month', weekdays: [{ day: 5, nth: -1 }] },
      until: { kind: 'moment', at: Date.UTC(2027, 11, 31) },
    })
    expect(recurrence('FREQ=YEARLY;BYMONTH=3;BYSETPOS=-1')).toMatchObject({ unit: 'year', isPartial: true })
    expect(recurrence('FREQ=SECONDLY')).toBeNull()
  })

  it.each([
    ['a cancellation', 'CANCEL', [], { isCancelled: true, isUpdate: false }],
    ['an event that was cancelled', 'REQUEST', ['STATUS:CANCELLED'], { isCancelled: true }],
    ['an update', 'REQUEST', ['SEQUENCE:3'], { isCancelled: false, isUpdate: true }],
    ['one time of a series', 'REQUEST', ['RECURRENCE-ID:20260508T090000Z'], { isOneOfSeries: true }],
  ])('says that it is %s', (_, method, lines, is) => {
    expect(eventOf(['DTSTART:20260501T090000Z', ...lines], [`METHOD:${method}`])).toMatchObject(is)
  })

  it('is read leniently: other charsets, invalid lines, missing parts', () => {
    const broken = Buffer.from(
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Gr\xfc\xdfe\nthis is no line\nDTSTART:99999999T999999Z\nEND:VEVENT\nEND:VCALENDAR',
      'latin1',
    )
    expect(parseInvitation(broken)).toMatchObject({ method: 'publish', events: [{ title: 'Grüße', start: null }] })
    const wide = Buffer.from(`\ufeff${calendar(['SUMMARY:Wide']).toString()}`, 'utf16le')
    expect(parseInvitation(wide)?.events[0]?.title).toBe('Wide')
  })

  it('is limited to what a user looks at', () => {
    const people = Array.from({ length: 500 }, (_, number) => `ATTENDEE:mailto:p${number}@away.example`)
    const events = Array.from({ length: 40 }, () => ['BEGIN:VEVENT', 'END:VEVENT']).flat()
    const read = parseInvitation(calendar([...people, `SUMMARY:${'a'.repeat(5_000)}`], events))
    expect(read).toMatchObject({ moreEvents: 36 })
    expect(read?.events).toHaveLength(5)
    const large = eventOf([...people, `SUMMARY:${'a'.repeat(5_000)}`])
    expect(large?.invited).toHaveLength(100)
    expect(large?.moreInvited).toBe(400)
    expect(large?.title).toHaveLength(300)
  })

  it('isn’t shown without events', () => {
    expect(parseInvitation(calendar([]))).toBeNull()
  })

  it('rejects a time zone that would take for ever to compute', async () => {
    const hostile = CENTRAL_EUROPE.map((line) => line.replace('FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU', 'FREQ=SECONDLY'))
    const bytes = calendar(['DTSTART;TZID=Customized Time Zone 1:20260701T090000'], hostile)
    expect((await parseInWorker(WORKER, 'calendar', bytes, never))?.events[0]?.start).toMatchObject({ at: null })
  })

  it.each([
    ['no calendar', Buffer.from('Hello')],
    [
      'components in components without end',
      Buffer.from('BEGIN:VCALENDAR\r\n'.repeat(19_000) + 'END:VCALENDAR\r\n'.repeat(19_000)),
    ],
    ['lines without end', Buffer.from('X-A:1\r\n'.repeat(100_000))],
  ])('that is %s is rejected with a message', async (_, bytes) => {
    await expect(parseInWorker(WORKER, 'calendar', bytes, never)).rejects.toMatchObject({
      problem: { message: 'Linnet cannot read this calendar file. Save the file and open it in another app.' },
    })
  })
})

describe('calendars from real programs', () => {
  it('may fold a line inside a character', () => {
    const [head, tail] = ['SUMMARY:Caf', ' im Hafen'].map((text) => Buffer.from(text)) as [Buffer, Buffer]
    const letter = Buffer.from('é')
    const line = Buffer.concat([head, letter.subarray(0, 1), Buffer.from('\r\n '), letter.subarray(1), tail])
    const whole = calendar(['DTSTART:20261201T140000Z', 'SUMMARY:x']).toString('latin1')
    const bytes = Buffer.from(whole.replace('SUMMARY:x', line.toString('latin1')), 'latin1')
    expect(parseInvitation(bytes)?.events[0]?.title).toBe('Café im Hafen')
  })

  it('may omit the type of a date', () => {
    expect(eventOf(['DTSTART:20261224', 'DTEND;X-A=b:20261227'])).toMatchObject({
      start: { kind: 'day', day: '2026-12-24' },
      end: { kind: 'day', day: '2026-12-26' },
    })
  })

  it.each([
    ['DTSTART;VALUE=DATE-TIME:20261224', { kind: 'day', day: '2026-12-24' }],
    ['DTSTART;X-A=b;VALUE=date:20261224T150000Z', { kind: 'moment', at: Date.UTC(2026, 11, 24, 15) }],
    ['DTSTART;VALUE=DATE;TZID=Europe/Berlin:20261224T150000', { kind: 'moment', at: Date.UTC(2026, 11, 24, 14) }],
  ])('may mix up dates and times: %s', (line, start) => {
    expect(eventOf([line])?.start).toMatchObject(start)
  })

  it.each([
    ['W. Europe Standard Time', Date.UTC(2026, 11, 2, 7, 30), 'Europe/Berlin'],
    ['Eastern Standard Time', Date.UTC(2026, 11, 2, 13, 30), 'America/New_York'],
    ['GMT', Date.UTC(2026, 11, 2, 8, 30), 'GMT'],
    ['EST', Date.UTC(2026, 11, 2, 13, 30), 'EST'],
  ])('may name the zone %s without describing it', (zone, at, name) => {
    expect(eventOf([`DTSTART;TZID=${zone}:20261202T083000`])?.start).toMatchObject({ at, zone: name })
  })

  it('use the zone they describe, whatever its name', () => {
    const zone = CENTRAL_EUROPE.map((line) => line.replace('Customized Time Zone 1', 'EST'))
    expect(eventOf(['DTSTART;TZID=EST:20261202T083000'], zone)?.start).toMatchObject({
      at: Date.UTC(2026, 11, 2, 7, 30),
    })
  })

  it('end a day later by the clock, even across a clock change', () => {
    const event = (duration: string) =>
      eventOf(['DTSTART;TZID=Europe/Berlin:20270327T120000', `DURATION:${duration}`])?.end
    expect(event('P1D')).toMatchObject({ at: Date.UTC(2027, 2, 28, 10), local: '2027-03-28T12:00' })
    expect(event('PT24H')).toMatchObject({ at: Date.UTC(2027, 2, 28, 11), local: '2027-03-28T13:00' })
    expect(event('PT14H')).toMatchObject({ at: Date.UTC(2027, 2, 28, 1), local: '2027-03-28T03:00' })
  })

  it.each([
    ['Europe/Berlin', [], 'DTEND;TZID=America/New_York:20270701T090000', '2027-07-01T15:00'],
    ['Europe/Berlin', [], 'DTEND;TZID=America/New_York:20270701T120000', '2027-07-01T18:00'],
    ['Europe/Berlin', [], 'DTEND:20270701T160000Z', '2027-07-01T18:00'],
    ['Europe/Berlin', [], 'DTEND:20270701T140000', '2027-07-01T14:00'],
    ['Europe/Berlin', [], 'DTEND;TZID=Asia/Tokyo:20270701T120000', null],
    ['Customized Time Zone 1', CENTRAL_EUROPE, 'DTEND:20271031T110000Z', '2027-10-31T12:00'],
    ['Customized Time Zone 1', CENTRAL_EUROPE, 'DTEND:20271030T110000Z', '2027-10-30T13:00'],
    ['Customized Time Zone 1', CENTRAL_EUROPE, 'DURATION:PT2928H', '2027-10-31T11:00'],
    ['Lunar Time', [], 'DTEND;TZID=Solar Time:20270701T140000', null],
    ['Lunar Time', [], 'DTEND;TZID=Lunar Time:20270701T140000', '2027-07-01T14:00'],
  ])('end in the zone of their start, in %s', (zone, around, end, local) => {
    const event = eventOf([`DTSTART;TZID=${zone}:20270701T120000`, end], around)
    expect(event?.end ?? null).toEqual(local === null ? null : expect.objectContaining({ local, zone }))
  })

  it.each([
    ['BYMONTH=12;BYMONTHDAY=24', { isPartial: false, monthDays: [] }],
    ['BYMONTH=12;BYMONTHDAY=24,25', { isPartial: false, monthDays: [24, 25], month: 12 }],
    ['BYMONTH=10;BYDAY=2MO', { isPartial: false, weekdays: [{ day: 1, nth: 2 }], month: 10 }],
    ['BYMONTH=12', { isPartial: false, monthDays: [] }],
    ['BYMONTH=11', { isPartial: true }],
    ['BYMONTH=10,12;BYMONTHDAY=24', { isPartial: true }],
    ['BYMONTH=12;BYDAY=TH', { isPartial: true }],
    ['BYDAY=20MO', { isPartial: true }],
    ['BYMONTHDAY=24', { isPartial: true }],
    ['BYMONTH=12;BYMONTHDAY=13;BYDAY=FR', { isPartial: true }],
  ])('may spell out the date of a yearly event: %s', (rule, is) => {
    const { recurrence } = eventOf(['DTSTART;VALUE=DATE:20261224', `RRULE:FREQ=YEARLY;${rule}`]) ?? {}
    expect(recurrence).toMatchObject(is)
    if (!('month' in is)) expect(recurrence).not.toHaveProperty('month')
  })
})
