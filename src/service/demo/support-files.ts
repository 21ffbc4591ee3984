import { type Colour, png, zip } from './drawn-files.ts'
import type { FileDraft } from './thread-draft.ts'

const paper: Colour = [250, 248, 244]
const line: Colour = [224, 218, 210]
const blocks: readonly Colour[] = [
  [178, 62, 84],
  [92, 132, 116],
  [214, 158, 78],
  [96, 118, 160],
  [146, 108, 148],
]

/** A picture of a week's rota: seven columns with coloured shifts, 360 by 240. Another `pattern` gives another week. */
export const rotaScreenshot = (name: string, pattern: number): FileDraft => ({
  name,
  type: 'image/png',
  content: png(360, 240, (x, y) => {
    const [column, row] = [Math.floor(x / 51), Math.floor((y - 24) / 27)]
    if (y < 24) return y > 21 ? line : [60, 48, 44]
    if (x % 51 === 0 || (y - 24) % 27 === 0) return line
    const taken = (column * 7 + row * 3 + pattern) % 4 !== 0
    const inset = x % 51 > 3 && x % 51 < 47 && (y - 24) % 27 > 3 && (y - 24) % 27 < 23
    return taken && inset ? (blocks[(column + row * 2 + pattern) % blocks.length] ?? paper) : paper
  }),
})

/** A picture of a temperature curve over a day, 320 by 160. */
export const curvePicture = (name: string, cid: string): FileDraft => ({
  name,
  type: 'image/png',
  cid,
  content: png(320, 160, (x, y) => {
    const height = 84 - 34 * Math.sin(x / 31) - 12 * Math.sin(x / 9) - (x > 236 && x < 252 ? 28 : 0)
    if (Math.abs(y - height) < 2) return [178, 62, 84]
    if (y > height) return [244, 226, 224]
    return y % 40 === 0 || x % 80 === 0 ? line : paper
  }),
})

/** A payroll export of one night, one row a person. */
export const timesheetCsv = (name: string): FileDraft => ({
  name,
  type: 'text/csv',
  content: [
    'person,role,site,start,end,break_minutes,paid_hours',
    ...[
      'Ackroyd,J',
      'Bashir,N',
      'Cole,T',
      'Dunne,P',
      'Eccles,M',
      'Farrar,S',
      'Greaves,L',
      'Hussain,A',
      'Iveson,D',
      'Jagger,R',
      'Kaye,B',
    ].map(
      (person, index) =>
        `"${person.replace(',', ', ')}",Night baker,Oldham Road,{{iso-20}}T22:00,{{iso-19}}T06:00,${index % 3 === 0 ? 30 : 20},8.00`,
    ),
    '',
  ].join('\r\n'),
})

/** The swaps of one person over a summer. */
export const swapLog = (name: string): FileDraft => ({
  name,
  type: 'text/csv',
  content: [
    'shift,role,proposed_by,proposed_at,accepted_by,accepted_at,state',
    ...Array.from({ length: 14 }, (_row, index) => {
      const day = String(2 + index * 2).padStart(2, '0')
      return `Close ${index % 2 === 0 ? 'Friday' : 'Saturday'},Waiting,manager,{{year}}-0${6 + Math.floor(index / 5)}-${day}T18:${10 + index}:00Z,pe_3381,,final`
    }),
    '',
  ].join('\r\n'),
})

/** An agreement with its annexes, as text files in an archive. */
export const agreementArchive = (name: string, party: string): FileDraft => ({
  name,
  type: 'application/zip',
  content: zip([
    {
      name: 'Data processing agreement.txt',
      content: `Data processing agreement between ${party} and Larkspur Rota B.V.\n\n§ 7 Return and deletion\nThirty days after the end of the contract all personal data is deleted. Until then the controller may export it.\n`,
    },
    {
      name: 'Annex 2 - Sub-processors.txt',
      content:
        'Noordkade Hosting, Groningen (servers)\nBriefwerk, Leipzig (mail)\nCoinpurse Payments, Dublin (payments)\n',
    },
  ]),
})

/** An iCalendar request for one meeting. `day` is a date for `withDates` in compact form, hours are UTC. */
export const meetingRequest = (meeting: {
  readonly uid: string
  readonly title: string
  readonly day: string
  readonly from: string
  readonly to: string
  readonly place: string
  readonly organizer: string
  readonly attendee: string
}): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Larkspur demo//EN',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    `UID:${meeting.uid}@calendar.larkspur.example`,
    'DTSTAMP:{{compact}}T080000Z',
    `DTSTART:${meeting.day}T${meeting.from}00Z`,
    `DTEND:${meeting.day}T${meeting.to}00Z`,
    `SUMMARY:${meeting.title}`,
    `LOCATION:${meeting.place}`,
    `ORGANIZER:mailto:${meeting.organizer}`,
    `ATTENDEE;RSVP=TRUE:mailto:${meeting.attendee}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
