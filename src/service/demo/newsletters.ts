import { type Brand, mailingHtml, type MailingIssue, mailingText } from './mailing-html.ts'
import type { ThreadDraft } from './thread-draft.ts'

const proofing: Brand = {
  name: 'The Proofing Drawer',
  domain: 'proofingdrawer.example',
  from: 'letters',
  accent: '#8c4a2f',
  paper: '#f6efe6',
  serif: true,
  address: 'The Proofing Drawer, 3 Kiln Yard, Stroud',
}
const queue: Brand = {
  name: 'Queue Zero',
  domain: 'queuezero.example',
  from: 'hello',
  accent: '#2f6f62',
  paper: '#eef3f1',
  serif: false,
  address: 'Queue Zero, a letter for people who answer people. Utrecht',
}
const hosting: Brand = {
  name: 'Noordkade Hosting',
  domain: 'noordkade.example',
  from: 'news',
  accent: '#24527a',
  paper: '#edf1f5',
  serif: false,
  address: 'Noordkade Hosting B.V., Noorderhaven 19, Groningen',
}
const supplies: Brand = {
  name: 'Kettle & Crate',
  domain: 'kettleandcrate.example',
  from: 'shop',
  accent: '#b3472e',
  paper: '#faf4ee',
  serif: false,
  address: 'Kettle & Crate Trade Supplies, Unit 7, Albion Works, Sheffield',
}
const trains: Brand = {
  name: 'Wrenfield Rail',
  domain: 'wrenfieldrail.example',
  from: 'offers',
  accent: '#5b3a78',
  paper: '#f2eef6',
  serif: false,
  address: 'Wrenfield Rail, Platform House, Carlisle',
}
const letters: Brand = {
  name: 'Small Rooms',
  domain: 'smallrooms.example',
  from: 'post',
  accent: '#3d3d3d',
  paper: '#f3f2ef',
  serif: true,
  address: 'Small Rooms, a monthly letter on the places where people eat. Lisbon',
}
const purse: Brand = {
  name: 'Coinpurse',
  domain: 'coinpurse.example',
  from: 'updates',
  accent: '#0f6b5c',
  paper: '#eef4f2',
  serif: false,
  address: 'Coinpurse Payments DAC, 40 Quay Street, Dublin',
}

const mailing = (brand: Brand, issue: MailingIssue, unread = false): ThreadDraft => ({
  subject: issue.subject,
  unread,
  letters: [
    {
      from: { name: brand.name, email: `${brand.from}@${brand.domain}` },
      text: mailingText(brand, issue),
      html: mailingHtml(brand, issue),
      mailing: { listId: `news.${brand.domain}`, unsubscribe: `https://www.${brand.domain}/unsubscribe?list=news` },
      envelopeFrom: `bounce@mail.${brand.domain}`,
    },
  ],
})

/** The mailings among the newest mail of the inbox. */
export const newsletters: readonly ThreadDraft[] = [
  mailing(
    proofing,
    {
      subject: 'What the flour mills are not saying about this harvest',
      preheader: 'Protein is down two points, and your hydration should be too.',
      heading: 'A wet August in every bag',
      intro:
        'If your dough has felt slack since October, it is not you. The new-crop wheat came in wet, protein is down by almost two points, and the mills are blending to hide it. Three bakers told us what they changed.',
      hero: 'wheat-in-rain',
      items: [
        {
          title: 'Take out three per cent of the water. Then wait.',
          text: 'Maren Holt of Tidebread cut hydration first and cursed the flour second. Her autolyse is now ninety minutes, and the crumb is back.',
          link: 'letters/less-water',
          picture: 'maren-at-the-bench',
        },
        {
          title: 'The oven that came by canal',
          text: 'Eleven tonnes, four narrowboats, one lock keeper with opinions. A removal story with diagrams.',
          link: 'letters/oven-by-canal',
        },
        {
          title: 'Readers’ corner: who opens on Boxing Day?',
          text: 'We asked 412 of you. A third open, a third would rather sell the shop, and a third said to ask again after Christmas.',
          link: 'letters/boxing-day',
        },
      ],
      closing: 'Until next Thursday. Keep the drawer shut.',
    },
    true,
  ),
  mailing(queue, {
    subject: 'Queue Zero #118: the reply you should not send today',
    preheader: 'A draft left overnight is a better draft.',
    heading: 'Leave it in drafts',
    intro:
      'Last month I kept every angry answer overnight and counted. Nineteen drafts, and sixteen of them I rewrote in the morning; two I never sent, because the customer had solved it meanwhile. One I should have sent at once.',
    items: [
      {
        title: 'Say the number first',
        text: 'Customers read the first eight words. If the refund is €14, the eight words should contain "€14".',
        link: 'issues/118#number',
      },
      {
        title: 'A macro is a letter you wrote once',
        text: 'Ottilie Brandt deletes every saved reply that nobody has edited in three months, on the theory that nobody has read it either.',
        link: 'issues/118#macros',
        picture: 'ottilie-desk',
      },
    ],
    closing: 'Reply to this mail; it reaches a person, who is me.',
  }),
  mailing(
    supplies,
    {
      subject: 'Trade week: cups, crates and the good tea towels, 20 % off until Sunday',
      preheader: 'For cafés, by people who used to run one.',
      heading: 'The good tea towels are back',
      intro:
        'They sold out in March and you have not stopped writing. Eight hundred came in on Tuesday. Trade prices below, delivered free over £80.',
      items: [
        {
          title: 'Linen tea towels, 12',
          text: 'Herringbone, 380 g, dries a full rack of glasses.',
          link: 'p/towels-12',
          picture: 'towels',
          price: '£44.80',
        },
        {
          title: 'Stacking crates, 6',
          text: 'Fits proofing baskets and, by accident, vinyl.',
          link: 'p/crates-6',
          picture: 'crates',
          price: '£57.60',
        },
        {
          title: 'Flat white cups, 36',
          text: 'A proper 16 cl, with a handle for real fingers.',
          link: 'p/cups-36',
          picture: 'cups',
          price: '£93.00',
        },
        {
          title: 'Wall clock, silent',
          text: 'For kitchens in which time passes quietly.',
          link: 'p/clock',
          picture: 'clock',
          price: '£28.00',
        },
      ],
    },
    true,
  ),
  mailing(hosting, {
    subject: 'Maintenance in Groningen, and faster disks for everyone',
    preheader: 'Two short windows this month, and what you get for them.',
    heading: 'Two quiet nights for faster disks',
    intro:
      'We are replacing the storage behind all standard servers. Measured on our own machines, a database restore that took eleven minutes takes four. Each server pauses for less than ninety seconds, in a window that you can choose.',
    items: [
      {
        title: 'Choose your window',
        text: 'Between 01:00 and 05:00 on any night until {{date+16}}. Servers without a choice move on {{date+17}}.',
        link: 'panel/windows',
      },
      {
        title: 'Backups are kept for 35 days now',
        text: 'It was 28, which is exactly too short for a calendar month. Nothing to do, no extra cost.',
        link: 'docs/backups',
      },
    ],
  }),
  mailing(letters, {
    subject: 'Small Rooms 44: a counter for one',
    preheader: 'On the dignity of eating alone.',
    heading: 'A counter for one',
    intro:
      'In Matosinhos there is a place with nine stools and no tables. The owner told me that he took out the tables when his father died, because his father had always been seated behind the door. Nobody sits behind a door now.',
    hero: 'nine-stools',
    items: [
      {
        title: 'The height of a stool',
        text: 'Sixty-five centimetres is a perch, seventy-five is a seat. What happens in between is conversation.',
        link: 'letters/44/stool',
      },
      {
        title: 'Light from the side',
        text: 'Why the cheapest lamp in the room is usually the right one, and where to hang it.',
        link: 'letters/44/light',
        picture: 'lamp-over-counter',
      },
    ],
    closing: 'With love from a stool of sixty-eight.',
  }),
  mailing(
    trains,
    {
      subject: 'Tomasz, Edinburgh for £19 if you are quick',
      preheader: 'Advance seats for December are out.',
      heading: 'December seats are out',
      intro:
        'Advance tickets between the 1st and the 20th went on sale at noon. These are the cheapest left on routes that you have taken before.',
      items: [
        {
          title: 'Carlisle to Edinburgh',
          text: '1 h 18, window seats in coach C.',
          link: 'book/car-edb',
          picture: 'edinburgh',
          price: 'from £19',
        },
        {
          title: 'Carlisle to Leeds',
          text: 'Over the viaduct in daylight, if you take the 10:04.',
          link: 'book/car-lds',
          picture: 'viaduct',
          price: 'from £14',
        },
      ],
    },
    true,
  ),
  mailing(purse, {
    subject: 'Your payouts move from T+3 to T+2',
    preheader: 'From the first of next month, at no cost.',
    heading: 'Your money, a day earlier',
    intro:
      'From 1 {{month+1}} payouts in euros and pounds reach your bank two working days after a payment instead of three. You need not change anything, but the first week will hold one payout more than usual: please warn whoever reconciles.',
    items: [
      {
        title: 'What happens in the week of the change',
        text: 'Two payouts on the Tuesday: one for Thursday, one for Friday. After that it is one a day, as before.',
        link: 'help/t-plus-2',
      },
    ],
  }),
  mailing(queue, {
    subject: 'Come to the winter table: Utrecht, one evening, forty support people',
    preheader: 'Soup, no slides.',
    heading: 'The winter table',
    intro:
      'Once a year the people behind this letter and the people who read it sit down at one long table. There is soup. There are no slides. At ten the caretaker turns off the lights and we go on in the stairwell.',
    hero: 'long-table-with-candles',
    items: [
      {
        title: 'Take one of forty seats',
        text: 'Thursday in the second week of the month, from 18:30. €25 including soup, and a second soup.',
        link: 'winter-table',
      },
    ],
  }),
]

/** Older mailings, for the archive. */
export const archivedNewsletters: readonly ThreadDraft[] = [
  mailing(queue, {
    subject: 'Queue Zero #117: how long is "as soon as possible"?',
    preheader: 'We asked. The answers span four minutes to six weeks.',
    heading: 'Four minutes to six weeks',
    intro:
      'I asked two hundred customers what they understand by "as soon as possible". The median is the end of tomorrow. The loudest is four minutes. Say a day instead; any day.',
    items: [
      {
        title: 'Promise late, answer early',
        text: 'Naming Thursday and writing on Wednesday beats naming Wednesday and writing on Wednesday.',
        link: 'issues/117#promise',
      },
      {
        title: 'The customer who always writes in capitals',
        text: 'She has a broken caps lock and a very good bakery. A reminder.',
        link: 'issues/117#capitals',
        picture: 'keyboard',
      },
    ],
  }),
  mailing(proofing, {
    subject: 'The Proofing Drawer: a sourdough older than its town',
    preheader: 'It came over the pass in a shirt.',
    heading: 'Carried in a shirt',
    intro:
      'The starter at Vatra Veche is said to be 210 years old. We sent two spoons of it to a laboratory in Graz, and what came back is better than the legend.',
    hero: 'crock-on-a-shelf',
    items: [
      {
        title: 'What the laboratory found',
        text: 'Three yeasts, one of which nobody had seen in bread before. It likes plums.',
        link: 'letters/older-than-its-town',
      },
    ],
  }),
  mailing(hosting, {
    subject: 'Post-mortem: eleven minutes without a network in Groningen',
    preheader: 'What failed, what we changed, what you are owed.',
    heading: 'Eleven minutes',
    intro:
      'A firmware update restarted both of the switches that were meant never to restart together. Here is the whole story, including the checklist that said "both" where it should have said "one, then the other".',
    items: [
      {
        title: 'Read the post-mortem',
        text: 'Timeline, causes, seven changes and who does them until when.',
        link: 'status/eleven-minutes',
      },
    ],
    closing: 'A credit of one day is on your next invoice without your asking.',
  }),
  mailing(letters, {
    subject: 'Small Rooms 43: the door that everyone pushes',
    preheader: 'It says pull.',
    heading: 'It says pull',
    intro:
      'A door is the first conversation that a restaurant has with a guest, and most of them open it by saying no.',
    items: [
      {
        title: 'Nine handles, photographed at hand height',
        text: 'With the number of people, out of a hundred, who got each one wrong.',
        link: 'letters/43/handles',
        picture: 'nine-handles',
      },
    ],
  }),
  mailing(purse, {
    subject: 'Disputes: a clearer page for the day you need it',
    preheader: 'One page, one deadline, one list of what to send.',
    heading: 'Disputes on one page',
    intro:
      'Nobody reads about disputes until there is one. So the new page shows only three things: how many days you have, what the bank wants to see, and what you have sent.',
    items: [
      {
        title: 'See it with a made-up dispute',
        text: 'Open the test mode and choose "The customer says it was not them".',
        link: 'help/disputes',
      },
    ],
  }),
  mailing(supplies, {
    subject: 'Reader’s choice: the whisk that outlived a marriage',
    preheader: 'Your letters about one tool.',
    heading: 'Tools that stay',
    intro:
      'We asked for the oldest tool still in use. The winner is a balloon whisk from 1961, which has outlasted two kitchens, one marriage and a fire.',
    items: [
      {
        title: 'Balloon whisk, 30 cm',
        text: 'Ours is new. Give it time.',
        link: 'p/whisk-30',
        picture: 'whisk',
        price: '£16.50',
      },
      {
        title: 'Bench scraper',
        text: 'Ash handle, riveted, no nonsense.',
        link: 'p/scraper',
        picture: 'scraper',
        price: '£11.20',
      },
    ],
  }),
]

/** Mailings that were thrown away. */
export const discardedNewsletters: readonly ThreadDraft[] = [
  mailing(trains, {
    subject: 'Railcards: renew yours before the price goes up',
    preheader: 'From £30 to £35 on the 1st.',
    heading: 'Last week at £30',
    intro:
      'Your railcard runs until spring, but a renewal bought now at the old price begins on the day that the old one ends.',
    items: [
      {
        title: 'Renew for a year',
        text: 'Starts the day after yours ends.',
        link: 'railcard',
        picture: 'railcard',
        price: '£30',
      },
    ],
  }),
  mailing(supplies, {
    subject: 'You left six crates in your basket',
    preheader: 'They are stacked, at least.',
    heading: 'Six crates, waiting',
    intro:
      'You put them in the basket on Sunday and then, presumably, the oven timer went. We keep baskets for a fortnight.',
    items: [
      {
        title: 'Stacking crates, 6',
        text: 'In stock, three days.',
        link: 'basket',
        picture: 'crates',
        price: '£72.00',
      },
    ],
  }),
  mailing(hosting, {
    subject: 'Webinar: databases for people who would rather not',
    preheader: 'Forty minutes, questions welcome.',
    heading: 'Databases for people who would rather not',
    intro: 'Indexes, backups and the three settings that matter, explained by Wiebe, who has broken all of them.',
    items: [{ title: 'Keep a seat', text: 'Online, with a recording for those who fall asleep.', link: 'webinar' }],
  }),
  mailing(purse, {
    subject: 'We have updated our privacy notice',
    preheader: 'Two sentences have changed; here they are.',
    heading: 'Two sentences',
    intro:
      'We now name the company that prints our paper letters, and we keep call recordings for 60 days instead of 90. That is all. The full notice is one click away for those who enjoy such things.',
    items: [{ title: 'The full notice', text: 'With both changes marked.', link: 'privacy' }],
  }),
  mailing(letters, {
    subject: 'Small Rooms: a survey, four questions, no prizes',
    preheader: 'It helps. It really is four.',
    heading: 'Four questions',
    intro: 'Where do you read this, what do you skip, what would you pay, and which chair are you sitting on?',
    items: [{ title: 'Answer them', text: 'A minute and a half.', link: 'survey' }],
  }),
]
