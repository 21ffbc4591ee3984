import { agents, customers, sender, staff } from './people.ts'
import { meetingRequest } from './letter-documents.ts'
import { standFromTheFront, standFromTheSide } from './letter-pictures.ts'
import type { ThreadDraft } from './thread-draft.ts'

const { mara, tomasz } = agents

const guildMembers = [
  customers.bex,
  customers.gwen,
  customers.tamsin,
  customers.phil,
  customers.imogen,
  customers.dermot,
  customers.sorcha,
  customers.ewan,
  customers.elspeth,
  customers.fiona,
  customers.rory,
  customers.callum,
  customers.nell,
  customers.milo,
  customers.clem,
  customers.aoife,
  customers.siobhan,
  customers.roisin,
  customers.saoirse,
  customers.harriet,
  customers.ossian,
  customers.dunstan,
  customers.sadie,
  customers.abe,
  customers.jules,
  customers.otis,
  customers.caleb,
  customers.june,
  customers.kwame,
  customers.gideon,
  customers.emeka,
  customers.adaeze,
  customers.nkechi,
  customers.desmond,
  customers.zara,
  customers.mina,
  customers.farid,
  customers.tariq,
  customers.samir,
] as const

/** Mail whose form is out of the ordinary, though nothing in it is invented for a test: every mailbox holds such things. */
export const oddShapes: readonly ThreadDraft[] = [
  {
    subject: '',
    unread: true,
    letters: [{ from: customers.callum, plain: true, text: `forgot to say the wee bird is great\n\ncallum` }],
  },
  {
    subject:
      'Fwd: Fwd: Re: AW: Fwd: Question regarding the question which I asked on the telephone last Tuesday about the monthly overview of the hours of the kitchen of the second building, which is still one page too long when it is printed on both sides and stapled in the upper left corner as the administration requires since the first of the month (Ref. KG-S/2026/11/0417-b)',
    labels: ['Waiting'],
    letters: [
      {
        from: customers.longName,
        text: `Dear Sir or Madam,

I refer to the subject.

With kind regards
Dr. Maximiliane Freifrau von Hohenstein-Altenburg
Klinikgastronomie Süd, Häuser 1–14`,
      },
      {
        from: mara,
        text: `Dear Dr. von Hohenstein-Altenburg,

Under Print, More you find "Fit to an even number of pages". I have switched it on for House 2. If the staple then covers a name, please write to me again; a short subject is quite enough.`,
      },
      {
        from: customers.longName,
        subject: 'Re: (Ref. KG-S/2026/11/0417-b)',
        text: `Dear Ms Lindqvist,\n\nIt fits. The administration is content, which I had not thought possible.`,
      },
    ],
  },
  {
    subject: 'booking widget',
    unread: true,
    letters: [
      {
        from: customers.plain1,
        plain: true,
        text: `hello do you also do table bookings or only people. we are 5 and have 22 chairs`,
      },
    ],
  },
  {
    subject: 'Lost PIN (again) (sorry)',
    letters: [
      {
        from: customers.plus,
        replyTo: { name: 'Tess Quigley', email: 'tess@example.org' },
        text: `It's Tess. I've forgotten the PIN of the tablet, for the third time. In my defence the last one was my own birthday and I was too busy on the day to notice.`,
      },
      { from: tomasz, text: `Hello Tess, a new PIN has gone to your phone. Many happy returns, late.` },
    ],
  },
  {
    subject: 'Cash drawer vs. hours: 0.25 h missing on two people since the 3rd',
    labels: ['Billing'],
    unread: true,
    letters: [
      {
        from: customers.quotes,
        text: `Hiya, Bernie here.

Two lads are a quarter of an hour short on the same three days and only on those days. I've put the lot below as the till prints it, sorry for the long lines, I don't know how to make it stop:

    day       name                  role            clock_in   clock_out  break  till_open  till_close  hours_larkspur  hours_till  difference  note
    03        O'Dowd, Cathal        bar             16:00      23:45      0:30   15:58      23:51       7.00            7.25        -0.25       till stayed open while he mopped
    04        O'Dowd, Cathal        bar             16:00      23:45      0:30   15:59      23:50       7.00            7.25        -0.25       same again
    10        Rice, Fintan "Finty"  bar/floor       17:00      00:15      0:30   16:57      00:22       6.50            6.75        -0.25       after midnight, is that it?

Is a shift over midnight rounded twice?

Bernie`,
      },
    ],
  },
  {
    subject: 'Northern Bakers’ Guild: winter meeting, who brings what',
    labels: ['Partners', 'Feedback'],
    unread: true,
    letters: [
      {
        from: sender('Winifred Oakes (Northern Bakers’ Guild)', 'secretary@northernbakers.example'),
        to: [{ name: 'Larkspur Support', email: 'support@larkspur.example' }, ...guildMembers],
        text: `Dear members and friends,

The winter meeting is in the corn exchange, from two. Forty of us have said yes, so please let me know by the weekend:

- what you bring (last year: eleven stollen and no butter)
- whether you can lend a trestle table
- whether you mind being photographed beside the oven

Larkspur have kindly agreed to explain the new break rules in ten minutes, and have been told that the bell is real.

Winifred Oakes
Honorary Secretary`,
      },
    ],
  },
  {
    subject: 'Invitation: Passlight and Larkspur, "who is on grill"',
    labels: ['Partners'],
    letters: [
      {
        from: { name: 'Ravi Subramanian', email: 'ravi@passlight.example.com' },
        text: `As agreed: twenty minutes, Inês is invited as well. I'll bring a screen with a very large clock on it.`,
        invitation: meetingRequest({
          uid: 'passlight-who-is-on-grill',
          title: 'Passlight and Larkspur: who is on grill',
          day: '{{compactworkday+3}}',
          from: '1400',
          to: '1420',
          place: 'https://meet.passlight.example.com/grill',
          organizer: 'ravi@passlight.example.com',
          attendee: 'support@larkspur.example',
        }),
      },
    ],
  },
  {
    subject: 'Photos of the tablet stand (and a settings file)',
    labels: ['Feedback'],
    letters: [
      {
        from: customers.hugo,
        html: `<div><p>Hej,</p><p>You asked how we mounted the tablet. Oak, two brass screws, and a slot so that the flour falls through:</p><p><img src="cid:stand-front" alt="The stand from the front" width="360" height="240"> <img src="cid:stand-side" alt="The stand from the side" width="360" height="240"></p><p>My settings are attached too, in case somebody wants the same large buttons.</p><p>Hugo</p></div>`,
        text: `Hej,

You asked how we mounted the tablet. Oak, two brass screws, and a slot so that the flour falls through (pictures).

My settings are attached too, in case somebody wants the same large buttons.

Hugo`,
        files: [
          standFromTheFront('stand-front'),
          standFromTheSide('stand-side'),
          {
            name: 'tablet-settings.json',
            type: 'application/json',
            content: `${JSON.stringify({ device: 'tablet', buttonSize: 'glove', greeting: true, language: 'sv', quietHours: { from: '21:00', to: '04:30' } }, null, 2)}\n`,
          },
        ],
      },
      {
        from: mara,
        text: `Hej Hugo,\n\nA slot for the flour! May we show the pictures on the help page, with your name?`,
      },
      { from: customers.hugo, text: `Of course. The name of the oak is Bertil.` },
    ],
  },
  {
    subject: 'Out of milk',
    letters: [
      {
        from: staff.joost,
        plain: true,
        text: `(office milk. sorry, wrong list. leaving it here so that somebody feels responsible)`,
      },
    ],
  },
  {
    subject: 'RE:   RE: re: Angebot   /   Offer  —  [EXTERN]  [verschlüsselt]',
    labels: ['Waiting', 'Partners', 'Billing'],
    letters: [
      {
        from: sender(
          'Einkauf | Klinikgastronomie Süd | z. Hd. Fr. Obermüller-Schattenfroh (Mo–Do, 8–12 Uhr)',
          'einkauf@klinikgastronomie-sued.example',
        ),
        text: `Sehr geehrte Damen und Herren,

wir erbitten ein Angebot über 210 Plätze, Laufzeit 36 Monate, Zahlungsziel 60 Tage, Skonto 3 %, in dreifacher Ausfertigung. Ein Fax genügt.

Diese E-Mail ist vertraulich. Sollten Sie nicht der richtige Empfänger sein, so vergessen Sie bitte, dass es Klinikgastronomie gibt.`,
      },
    ],
  },
]
