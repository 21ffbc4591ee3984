import { pdf } from './drawn-files.ts'
import { escapeHtml } from './letter-body.ts'
import type { FileDraft, ThreadDraft } from './thread-draft.ts'

interface Receipt {
  readonly vendor: string
  readonly email: string
  readonly kind: 'Invoice' | 'Receipt'
  readonly number: string
  readonly currency: '€' | '£'
  /** What was bought and its price, without tax. */
  readonly lines: readonly (readonly [string, number])[]
  /** Percent. */
  readonly tax: number
  readonly note: string
  readonly accent: string
  readonly pdf: boolean
  readonly labels?: readonly string[]
  readonly unread?: boolean
  readonly subject?: string
}

const money = (currency: string, amount: number): string => `${currency}${amount.toFixed(2)}`

const taxOf = (receipt: Receipt): number =>
  Math.round(receipt.lines.reduce((sum, [, price]) => sum + price, 0) * receipt.tax) / 100

const totalOf = (receipt: Receipt): number => receipt.lines.reduce((sum, [, price]) => sum + price, 0) + taxOf(receipt)

const receiptHtml = (receipt: Receipt): string => {
  const row = (what: string, amount: number, style = ''): string =>
    `<tr><td style="padding:8px 0;border-bottom:1px solid #e7e2dc;${style}">${escapeHtml(what)}</td><td align="right" style="padding:8px 0;border-bottom:1px solid #e7e2dc;font-variant-numeric:tabular-nums;${style}">${money(receipt.currency, amount)}</td></tr>`
  return `<html><body style="margin:0;background:#f6f5f3;font-family:Helvetica,Arial,sans-serif;color:#2b2622">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 8px">
<table role="presentation" width="520" cellpadding="0" cellspacing="0" bgcolor="#ffffff" style="border-radius:6px"><tr><td style="padding:28px 32px">
<p style="margin:0 0 4px 0;font-size:15px;font-weight:bold;color:${receipt.accent}">${escapeHtml(receipt.vendor)}</p>
<h1 style="margin:0 0 4px 0;font-size:30px">${money(receipt.currency, totalOf(receipt))}</h1>
<p style="margin:0 0 20px 0;font-size:13px;color:#7a7068">${receipt.kind} ${receipt.number} · {{date}} {{year}}</p>
<table width="100%" cellpadding="0" cellspacing="0" style="font-size:14px;border-top:1px solid #e7e2dc">
${receipt.lines.map(([what, price]) => row(what, price)).join('\n')}
${receipt.tax === 0 ? '' : row(`VAT ${receipt.tax} %`, taxOf(receipt), 'color:#7a7068;')}
${row('Total', totalOf(receipt), 'font-weight:bold;border-bottom:0;')}
</table>
<p style="margin:20px 0 0 0;font-size:14px;line-height:21px">${escapeHtml(receipt.note)}</p>
</td></tr></table></td></tr></table></body></html>`
}

const receiptText = (receipt: Receipt): string =>
  [
    `${receipt.kind} ${receipt.number} from ${receipt.vendor}, {{date}} {{year}}`,
    [
      ...receipt.lines.map(([what, price]) => `${what}: ${money(receipt.currency, price)}`),
      ...(receipt.tax === 0 ? [] : [`VAT ${receipt.tax} %: ${money(receipt.currency, taxOf(receipt))}`]),
      `Total: ${money(receipt.currency, totalOf(receipt))}`,
    ].join('\n'),
    receipt.note,
  ].join('\n\n')

const receiptPdf = (receipt: Receipt): FileDraft => ({
  name: `${receipt.kind.toLowerCase()}-${receipt.number.toLowerCase()}.pdf`,
  type: 'application/pdf',
  content: (fill) =>
    pdf(
      fill(`${receipt.vendor}\n${receiptText(receipt)}`)
        .split('\n')
        .filter((line) => line !== ''),
    ),
})

const thread = (receipt: Receipt): ThreadDraft => ({
  subject: receipt.subject ?? `Your ${receipt.kind.toLowerCase()} from ${receipt.vendor} (${receipt.number})`,
  labels: receipt.labels ?? ['Billing'],
  unread: receipt.unread ?? false,
  letters: [
    {
      from: { name: receipt.vendor, email: receipt.email },
      text: receiptText(receipt),
      html: receiptHtml(receipt),
      automatic: true,
      files: receipt.pdf ? [receiptPdf(receipt)] : [],
    },
  ],
})

const noordkade = {
  vendor: 'Noordkade Hosting',
  email: 'billing@noordkade.example',
  currency: '€',
  tax: 21,
  accent: '#24527a',
  pdf: true,
} as const
const briefwerk = {
  vendor: 'Briefwerk',
  email: 'rechnung@briefwerk.example',
  currency: '€',
  tax: 19,
  accent: '#8a6d1f',
  pdf: true,
} as const
const rail = {
  vendor: 'Wrenfield Rail',
  email: 'tickets@wrenfieldrail.example',
  currency: '£',
  tax: 0,
  accent: '#5b3a78',
  pdf: false,
} as const
const crate = {
  vendor: 'Kettle & Crate',
  email: 'orders@kettleandcrate.example',
  currency: '£',
  tax: 20,
  accent: '#b3472e',
  pdf: false,
} as const
const snagline = {
  vendor: 'Snagline',
  email: 'billing@snagline.example.com',
  currency: '€',
  tax: 21,
  accent: '#a03358',
  pdf: true,
} as const

/** Receipts among the newest mail of the inbox. */
export const receipts: readonly ThreadDraft[] = [
  thread({
    ...noordkade,
    kind: 'Invoice',
    number: 'NK-2039118',
    lines: [
      ['4 × Server M, {{month-1}}', 156],
      ['Database, 200 GB', 62.4],
      ['Backups, 35 days', 18],
    ],
    note: 'Paid by direct debit on {{date+7}}. You do not have to do anything.',
    unread: true,
  }),
  thread({
    ...rail,
    kind: 'Receipt',
    number: 'WR-88KD2',
    subject: 'Your tickets: Carlisle to Edinburgh, {{weekday+6}}',
    lines: [
      ['Advance single, coach C seat 41, window', 19],
      ['Advance single, coach C seat 42, aisle', 19],
    ],
    note: 'Show the code in the app or collect the tickets from any machine with reference KD2 9QX. The 10:04 runs without a trolley; bring coffee.',
    labels: [],
  }),
  thread({
    ...crate,
    kind: 'Receipt',
    number: 'KC-5120',
    subject: 'Order KC-5120 is on its way',
    lines: [
      ['Linen tea towels, 12', 44.8],
      ['Wall clock, silent', 28],
    ],
    note: 'Handed to the carrier this morning. Expected {{workday+2}} before noon at the office; it fits through the door but not through the letterbox.',
    labels: [],
  }),
  thread({
    ...briefwerk,
    kind: 'Invoice',
    number: '2026-30417',
    subject: 'Rechnung 2026-30417: 41.208 versendete Nachrichten',
    lines: [
      ['41.208 Nachrichten', 32.97],
      ['Eigene IP-Adresse', 15],
    ],
    note: 'Der Betrag wird am {{date+10}} abgebucht. Bitte bewahren Sie die Rechnung zehn Jahre auf; wir tun es auch.',
    unread: true,
  }),
  thread({
    ...snagline,
    kind: 'Receipt',
    number: 'SN-7714',
    lines: [
      ['Team plan, {{month}}', 49],
      ['120,000 extra events', 12],
    ],
    note: 'You went over your events on the 9th (one error, 84,000 times). Set a spike limit under Settings, Limits to keep this from happening again.',
  }),
]

/** Older receipts. */
export const archivedReceipts: readonly ThreadDraft[] = [
  thread({
    ...noordkade,
    kind: 'Invoice',
    number: 'NK-2037740',
    lines: [
      ['4 × Server M, {{month-1}}', 156],
      ['Database, 200 GB', 62.4],
      ['Backups, 28 days', 14],
    ],
    note: 'Paid by direct debit. A credit of €7.74 for the eleven minutes in Groningen is already taken off.',
  }),
  thread({
    ...crate,
    kind: 'Receipt',
    number: 'KC-5007',
    lines: [
      ['Flat white cups, 36', 93],
      ['Bench scraper', 11.2],
    ],
    note: 'Two cups are sent again free of charge, with our apologies to the office cat.',
  }),
  thread({
    ...rail,
    kind: 'Receipt',
    number: 'WR-61BD8',
    subject: 'Your ticket: Leeds to Carlisle, first class upgrade',
    lines: [
      ['Advance single', 14],
      ['Weekend upgrade', 10],
    ],
    note: 'The upgrade is valid on this train only. The viaduct is on the left.',
    labels: [],
  }),
  thread({
    vendor: 'Hofje Office Rooms',
    email: 'desk@hofje-rooms.example',
    kind: 'Invoice',
    number: 'HR-0311',
    currency: '€',
    tax: 21,
    accent: '#4b6a3c',
    pdf: true,
    lines: [
      ['Desks, 6 × one month', 1140],
      ['Meeting room, 9 hours', 135],
      ['Coffee, as agreed', 0],
    ],
    note: 'Please pay within 14 days. The bicycle that has stood in the hall since June belongs to somebody; is it yours?',
  }),
  thread({
    vendor: 'Ledgerwood Accounting',
    email: 'accounts@ledgerwood.example',
    kind: 'Invoice',
    number: 'LW-1178',
    currency: '€',
    tax: 21,
    accent: '#6b4d2e',
    pdf: true,
    lines: [
      ['Quarterly VAT return', 320],
      ['Advice on Irish payroll, 1.5 hours', 187.5],
    ],
    note: 'With thanks. The return was filed on time and matches to the cent, which pleased us more than it should.',
  }),
  thread({
    vendor: 'Glyph & Sons',
    email: 'licences@glyphandsons.example',
    kind: 'Receipt',
    number: 'GS-440',
    currency: '£',
    tax: 20,
    accent: '#2d2d2d',
    pdf: true,
    lines: [['Alder Sans, app licence, 2 platforms', 240]],
    note: 'Your fonts are attached to your account, not to this mail. Please do not send them to printers who ask nicely.',
  }),
  thread({
    vendor: 'Domeinhuis',
    email: 'facturen@domeinhuis.example',
    kind: 'Receipt',
    number: 'DH-99120',
    subject: 'larkspur.example renewed for two years',
    currency: '€',
    tax: 21,
    accent: '#17657d',
    pdf: false,
    lines: [['larkspur.example, 2 years', 23.8]],
    note: 'The new end is in two years to the day. We will remind you sixty, thirty and seven days before, and once more if you ignore all three.',
    labels: [],
  }),
  thread({
    ...briefwerk,
    kind: 'Invoice',
    number: '2026-27755',
    subject: 'Rechnung 2026-27755: 38.917 versendete Nachrichten',
    lines: [
      ['38.917 Nachrichten', 31.13],
      ['Eigene IP-Adresse', 15],
    ],
    note: 'Der Betrag wird am {{date+10}} abgebucht.',
  }),
  thread({
    vendor: 'Pappel Translations',
    email: 'projekt@pappel.example',
    kind: 'Invoice',
    number: 'PT-2291',
    currency: '€',
    tax: 21,
    accent: '#7a3d6d',
    pdf: true,
    lines: [
      ['Release texts, 11 languages', 462],
      ['Thai, express', 58],
    ],
    note: 'The Belgian French is now French French, as requested. Our Belgian asks us to say that he stands by "ouverture".',
  }),
  thread({
    vendor: 'Testbank Phones',
    email: 'rent@testbank-phones.example.net',
    kind: 'Receipt',
    number: 'TP-5533',
    currency: '€',
    tax: 21,
    accent: '#36558f',
    pdf: false,
    lines: [['Rent of 8 Android tablets, one week', 96]],
    note: 'Tablet 6 came back with flour in the charging port. We have cleaned it and say no more about it.',
    labels: [],
  }),
]
