import { zip } from './drawn-files.ts'
import type { FileDraft } from './thread-draft.ts'

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
      return `Close ${index % 2 === 0 ? 'Friday' : 'Saturday'},Waiting,manager,{{year-8}}-0${6 + Math.floor(index / 5)}-${day}T18:${10 + index}:00Z,pe_3381,,final`
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
