import { escapeHtml } from './letter-body.ts'
import { agents, sender } from './people.ts'
import { diskCurve } from './letter-pictures.ts'
import type { Correspondent, LetterDraft, ThreadDraft } from './thread-draft.ts'

const beacon = sender('Beacon Uptime', 'alerts@beacon-uptime.example.net')
const gantry = sender('Gantry CI', 'builds@gantry-ci.example.com')
const snagline = sender('Snagline', 'events@snagline.example.com')
const storefront = sender('Storefront Reviews', 'reviews@storefront.example')
const purse = sender('Coinpurse', 'payouts@coinpurse.example')
const forge = sender('Anvil (code review)', 'notifications@anvil.example.com')

const panel = (accent: string, title: string, rows: readonly (readonly [string, string])[], below = ''): string =>
  `<html><body style="margin:0;background:#f4f4f2;font-family:Helvetica,Arial,sans-serif;color:#26221f"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:20px 8px"><table role="presentation" width="560" cellpadding="0" cellspacing="0" bgcolor="#ffffff"><tr><td style="padding:18px 24px;border-left:6px solid ${accent}"><h1 style="margin:0 0 12px 0;font-size:18px">${escapeHtml(title)}</h1><table cellpadding="0" cellspacing="0" style="font-size:14px;line-height:22px">${rows.map(([name, value]) => `<tr><td style="color:#7a7068;padding-right:18px;white-space:nowrap" valign="top">${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`).join('')}</table>${below}</td></tr></table></td></tr></table></body></html>`

const notice = (
  from: Correspondent,
  accent: string,
  title: string,
  rows: readonly (readonly [string, string])[],
  note: string,
  more: Partial<LetterDraft> = {},
): LetterDraft => ({
  from,
  automatic: true,
  quotes: false,
  text: `${title}\n\n${rows.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${note}`,
  html: panel(
    accent,
    title,
    rows,
    `<p style="margin:14px 0 0 0;font-size:14px;line-height:21px">${escapeHtml(note)}</p>`,
  ),
  ...more,
})

/** A check that failed and recovered: two messages in one thread. */
const outage = (
  check: string,
  place: string,
  reason: string,
  minutes: number,
  note: string,
  labels: readonly string[] = [],
): ThreadDraft => ({
  subject: `[Beacon] ${check} is down`,
  labels,
  letters: [
    notice(
      beacon,
      '#b3263e',
      `${check} is down`,
      [
        ['Since', '{{time}} UTC'],
        ['Seen from', place],
        ['Reason', reason],
      ],
      'We look again every thirty seconds and write when it is back.',
    ),
    notice(
      beacon,
      '#2f7d4f',
      `${check} is up again`,
      [
        ['Back at', '{{time}} UTC'],
        ['Down for', `${minutes} min`],
        ['Seen from', place],
      ],
      note,
      { hoursLater: minutes / 60, subject: `Re: [Beacon] ${check} is down` },
    ),
  ],
})

const review = (
  stars: number,
  title: string,
  text: string,
  author: string,
  country: string,
  version: string,
): ThreadDraft => ({
  subject: `${'★'.repeat(stars)}${'☆'.repeat(5 - stars)} ${title}`,
  labels: ['Feedback'],
  letters: [
    notice(
      storefront,
      stars > 3 ? '#2f7d4f' : '#b07d1a',
      title,
      [
        ['Stars', `${stars} of 5`],
        ['By', author],
        ['Country', country],
        ['Version', version],
      ],
      text,
    ),
  ],
})

const build = (number: number, branch: string, job: string, failure: string, log: string): ThreadDraft => ({
  subject: `Build #${number} failed on ${branch}: ${job}`,
  letters: [
    {
      from: gantry,
      automatic: true,
      plain: true,
      text: `${job} failed after ${(number % 7) + 2} min ${number % 60} s on ${branch}.\n\n${failure}\n\n${log
        .trim()
        .split('\n')
        .map((row) => `    ${row}`)
        .join('\n')}\n\nhttps://gantry-ci.example.com/larkspur/rota/builds/${number}`,
    },
  ],
})

const codeReview = (number: number, title: string, ...remarks: readonly (readonly [string, string])[]): ThreadDraft => {
  const [first, ...rest] = remarks.map(([author, text]): LetterDraft => ({
    from: { ...forge, name: `${author} via Anvil` },
    automatic: true,
    quotes: false,
    plain: true,
    text: `${text}\n\n-- \nReply to this mail or look at it on Anvil:\nhttps://anvil.example.com/larkspur/rota/changes/${number}`,
  }))
  if (first === undefined) throw new Error('A code review begins with a remark.')
  return { subject: `[larkspur/rota] ${title} (#${number})`, letters: [first, ...rest] }
}

const payout = (amount: string, payments: number, note: string): ThreadDraft => ({
  subject: `Payout of ${amount} is on its way`,
  labels: ['Billing'],
  letters: [
    notice(
      purse,
      '#0f6b5c',
      `${amount} is on its way to your bank`,
      [
        ['Payments', String(payments)],
        ['Arrives', '{{weekday+2}}, {{date+2}}'],
        ['Account', 'ending in 4471'],
      ],
      note,
    ),
  ],
})

/** Notices of machines among the newest mail of the inbox. */
export const alerts: readonly ThreadDraft[] = [
  outage(
    'rota.larkspur.example/health',
    'Frankfurt, Dublin',
    'HTTP 503 for 4 of 4 tries',
    11,
    'Response time is back to 84 ms. The longest outage in 90 days was 19 min.',
    ['Urgent'],
  ),
  {
    subject: 'Disk of db-2 reaches 85 % on {{weekday+4}} at this rate',
    labels: ['Urgent'],
    unread: true,
    letters: [
      {
        from: beacon,
        automatic: true,
        text: `db-2.larkspur.example: 78.4 % of 200 GB used, growing by 1.7 GB a day since the backup window moved.

The step in the picture is the night on which two backups overlapped. If the old one is deleted, you gain about 22 GB.`,
        html: panel(
          '#b07d1a',
          'Disk of db-2 is filling',
          [
            ['Used', '78.4 % of 200 GB'],
            ['Growth', '1.7 GB a day'],
            ['85 % on', '{{weekday+4}}, {{date+4}}'],
          ],
          '<p style="margin:14px 0"><img src="cid:disk-curve" width="320" height="160" alt="Use of the disk over the last week"></p><p style="font-size:14px;line-height:21px;margin:0">The step in the picture is the night on which two backups overlapped. If the old one is deleted, you gain about 22 GB.</p>',
        ),
        files: [diskCurve('db-2-week.png', 'disk-curve')],
      },
    ],
  },
  build(
    4127,
    'main',
    'tablet-tests',
    '1 of 2,318 tests failed: greets the person who clocked in, not the last one',
    `FAIL  tests/tablet/greeting.spec.ts > clock-in > greets the person who clocked in, not the last one
AssertionError: expected 'Hello, Dmitri' to equal 'Hello, Gwen'
  - Expected   "Hello, Gwen"
  + Received   "Hello, Dmitri"
    at tests/tablet/greeting.spec.ts:41:30
Tests  1 failed | 2317 passed (2318)`,
  ),
  {
    subject: 'New issue: NoSuchElementException: tzdb 2026b < 2026c (84 people)',
    labels: ['Bug', 'Urgent'],
    unread: true,
    letters: [
      notice(
        snagline,
        '#a03358',
        'NoSuchElementException in WeekView.layoutDays',
        [
          ['First seen', '{{time-95}} UTC, version 4.12.2'],
          ['People', '84, all in America/Indiana/Knox and America/Menominee'],
          ['Events', '611'],
          ['Likely change', '"Ship time zones with the server" by Anand Pillai'],
        ],
        'This issue is new and growing: 40 more people in the last half hour.',
      ),
    ],
  },
  review(
    2,
    'Good until it texts you',
    'I like the rota and I like swapping. I do not like being told at 4 in the morning that I work at 4 in the afternoon. Two stars until the phone is quiet at night.',
    'pigwaiter_93',
    'Ireland',
    '4.12.2',
  ),
  codeReview(
    1894,
    'Export real elapsed hours on nights with a clock change',
    [
      'Anand Pillai',
      'The CSV export subtracted wall-clock times. This uses instants everywhere and formats at the end. Adds a test for each of the eleven countries, for both changes, and one for Lord Howe Island because it shifts by thirty minutes and I could not resist.',
    ],
    [
      'Inês Carvalho',
      'Lovely. One question: line 88 rounds to quarters before it sums, the old one summed before it rounded. For eight people it is the same, for Garside’s eleven bakers it may be fifteen minutes. Intended?',
    ],
    [
      'Anand Pillai',
      'Not intended, good eyes. Sums first now; added the eleven bakers as a test with their real names changed to breads.',
    ],
  ),
]

/** Older notices, for the inbox's lower part and the archive. */
export const olderAlerts: readonly ThreadDraft[] = [
  outage(
    'api.larkspur.example/v2/now',
    'Dublin',
    'TLS handshake took over 10 s',
    3,
    'Only one of our three places saw it; it may have been the way and not the goal.',
  ),
  review(
    5,
    'The bird!!',
    'My manager showed me the bird that comes when the week is full. I now volunteer for Sundays to see the bird. I think this is how they get you.',
    'tess_on_till_2',
    'United Kingdom',
    '4.12.1',
  ),
  build(
    4098,
    'calendar-feeds',
    'unit',
    '3 tests failed, all in feeds for people with two employers',
    `FAIL  feeds/two-employers.spec.ts > merges shifts of both employers
FAIL  feeds/two-employers.spec.ts > keeps the name of the employer in the title
FAIL  feeds/two-employers.spec.ts > leaves out what the other employer hid
TypeError: Cannot read properties of undefined (reading 'timezone')
    at mergeFeeds (src/feeds/merge.ts:57:31)`,
  ),
  payout('€4,812.60', 137, 'One dispute was won and its €68.00 are included.'),
  review(
    4,
    'Nearly perfect',
    'It does the one thing and does it well. Would be five stars if the widget could show tomorrow and not just today, because at eleven at night today is not what I want to know.',
    'Bäckergeselle',
    'Germany',
    '4.12.0',
  ),
  outage(
    'Tablet gateway (websocket)',
    'Frankfurt, Warsaw',
    'Connection closed before the greeting',
    19,
    'Longest outage in 90 days. 412 tablets reconnected within two minutes.',
    ['Urgent'],
  ),
  codeReview(
    1877,
    'Quiet hours for reminders',
    [
      'Inês Carvalho',
      'No texts between 21:00 and 08:00 local time of the person, not of the site. A reminder that falls into the night moves to 20:30 the evening before. "Fire excepted" is a separate channel and stays loud.',
    ],
    [
      'Tomasz Wrona',
      'From support: thank you, thank you. Could the setting page say it in one sentence, because people will ask?',
    ],
  ),
  payout('£1,930.15', 61, 'The first payout after the holiday holds three days of payments.'),
  review(
    1,
    'does not work on my fridge',
    'It has a screen and a browser so why not. One star. Will change when it works on the fridge.',
    'fridgeman',
    'United States',
    '4.11.6',
  ),
  build(
    4071,
    'main',
    'translations',
    'A placeholder is missing in th.json: shift.moved expects {time}',
    `th.json:412  shift.moved
  en: "Your shift was moved to {time}"
  th: "กะของคุณถูกย้ายแล้ว"
1 problem in 11 languages`,
  ),
  {
    subject: 'Weekly digest: 9 issues, 4 fixed, 1 that came back',
    letters: [
      notice(
        snagline,
        '#a03358',
        'Your week on Snagline',
        [
          ['New', '9'],
          ['Fixed', '4'],
          ['Came back', '1: RangeError in PrintPreview, last seen in spring'],
          ['Noisiest', 'AbortError when a tablet sleeps, 84,112 events'],
        ],
        'The issue that came back does so about every five months, always in a week with a public holiday on a Thursday.',
      ),
    ],
  },
  outage(
    'help.larkspur.example',
    'Dublin, Frankfurt, Madrid',
    'Certificate expires in 0 days',
    6,
    'The new certificate is valid for 90 days. We will remind you at 20, and then more loudly.',
  ),
  review(
    5,
    'Ich sehe meine Kinder wieder',
    'Früher habe ich den Dienstplan am Sonntagabend gemacht, jetzt ist er am Freitag in zwanzig Minuten fertig. Fünf Sterne und ein Stück Kuchen.',
    'Wirtin_aus_Fulda',
    'Germany',
    '4.11.6',
  ),
  payout('€5,267.05', 149, 'Nothing unusual.'),
  codeReview(
    1861,
    'Letters as well as colours on the month view',
    [
      'Aiko Tanabe',
      'Each role gets a letter in the corner and a pattern (none, stripes, dots). Checked with three kinds of colour-blindness and with the printer in the office, which sees no colour at all since March.',
    ],
    [
      'Anand Pillai',
      'Works for me, and I am the third kind. Small: "K" for Kitchen and "K" for Keyholder on the same site. Fall back to two letters?',
    ],
    ['Aiko Tanabe', 'Two letters on collision. Done.'],
    ['Anand Pillai', 'Merged.'],
  ),
  review(
    3,
    'Bien pero lento en el autobús',
    'La aplicación va bien, pero en el autobús sin cobertura se queda pensando. Con ver el turno de hoy guardado me bastaría.',
    'camarero_del_31',
    'Spain',
    '4.12.0',
  ),
  build(
    4033,
    'shift-questions',
    'lint',
    'Import of server code into the tablet app',
    `src/tablet/questions/NumberPad.tsx
  3:1  error  src/tablet may not import src/server  walls/no-crossing
1 problem (1 error, 0 warnings)`,
  ),
  outage(
    'Nightly export to S3-compatible storage',
    'scheduler',
    'No success for 26 h',
    41,
    'The export ran by hand at the time above and wrote 1,204 files.',
  ),
  payout('€3,998.40', 118, 'Includes a refund of €3.40 to Second Breakfast.'),
  {
    subject: 'Certificate for tablet.larkspur.example renewed',
    letters: [
      notice(
        beacon,
        '#2f7d4f',
        'Certificate renewed',
        [
          ['Host', 'tablet.larkspur.example'],
          ['Valid until', '{{date+90}}'],
          ['Chain', 'complete, 2 intermediates'],
        ],
        'Nothing to do. We compare it from four places for the next hour.',
      ),
    ],
  },
  review(
    5,
    'シフト交換がとても楽',
    'アルバイト同士の交換が店長の承認までスマホで完結します。通知の文章も丁寧で好きです。鳥がかわいい。',
    'そば屋のバイト',
    'Japan',
    '4.12.1',
  ),
  codeReview(
    1849,
    'Remove the spinner from the clock-in button',
    [
      'Inês Carvalho',
      'The button answers in 40 ms on the oldest tablet we have. The spinner was shown for at least 400 ms "so that people notice". People noticed that it was slow.',
    ],
    ['Joost van Dael', 'I added that spinner in 2021 and I apologise to everyone.'],
  ),
  payout('£2,215.90', 70, 'One payment is under review and will follow separately.'),
  review(
    4,
    'Handig maar',
    'Erg handig. Maar waarom piept de tablet als ik op tijd ben en niet als ik te laat ben? Het zou andersom meer nut hebben.',
    'vroegevogel',
    'Netherlands',
    '4.12.2',
  ),
  {
    subject: 'Your data export is ready (1,204 files, 2.1 GB)',
    labels: ['Security'],
    letters: [
      notice(
        sender('Larkspur', 'no-reply@notify.larkspur.example'),
        '#b3263e',
        'The yearly export of all sites is ready',
        [
          ['Asked for by', 'Anand Pillai'],
          ['Size', '2.1 GB in 1,204 files'],
          ['Kept until', '{{date+7}}'],
        ],
        'Whoever downloads it has to confirm with a second factor. If nobody asked for this, answer this mail and we stop it.',
      ),
    ],
  },
  outage(
    'Push notifications (Android)',
    'queue watcher',
    '3,100 messages older than 60 s',
    14,
    'The queue is empty. The cause was on the side of the provider, who says so on their own page.',
    ['Bug'],
  ),
]

/** Notices about nothing, thrown away. */
export const discardedAlerts: readonly ThreadDraft[] = [
  build(4011, 'try-something', 'unit', 'Cancelled by Inês Carvalho: "never mind"', 'Job cancelled after 12 s'),
  build(
    4012,
    'try-something',
    'unit',
    'Cancelled by Inês Carvalho: "no really, never mind"',
    'Job cancelled after 9 s',
  ),
  {
    subject: 'Test of the alarm, please ignore',
    letters: [
      notice(
        beacon,
        '#2f7d4f',
        'This is a test of the alarm',
        [
          ['Started by', 'Tomasz Wrona'],
          ['Channels', 'mail, text message'],
        ],
        'If you can read this, the alarm can reach you by mail.',
      ),
      { from: agents.tomasz, text: 'It can. Ignored as requested.' },
    ],
  },
  {
    subject: 'Snagline will be read-only for ten minutes',
    letters: [
      notice(
        snagline,
        '#a03358',
        'Ten quiet minutes',
        [
          ['When', '{{weekday+2}}, 04:00 UTC'],
          ['What', 'Events are kept and shown afterwards'],
        ],
        'You will not notice, unless you are awake.',
      ),
    ],
  },
]
