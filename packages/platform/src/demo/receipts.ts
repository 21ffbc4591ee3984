import { createPdf } from './drawn-files.ts'
import { escapeHtml } from './letter-body.ts'
import type { LetterBlock } from './letter-blocks.ts'
import { readTable, requireRow } from './resources.ts'
import type { AttachmentDraft, ThreadDraft } from './thread-draft.ts'

interface Vendor {
  readonly name: string
  readonly email: string
  readonly currency: string
  /** Tax rate in percent. */
  readonly tax: number
  readonly accent: string
  readonly pdf: boolean
}

interface Receipt {
  readonly vendor: Vendor
  readonly kind: (typeof kinds)[number]
  readonly number: string
  /** Items and prices, without tax. */
  readonly lines: readonly (readonly [string, number])[]
  readonly note: string
}

const kinds = ['Invoice', 'Receipt'] as const

const vendors: ReadonlyMap<string, Vendor> = new Map(
  Array.from(readTable('vendors.csv', ['name', 'email', 'currency', 'tax', 'accent', 'pdf']), ([key, row]) => [
    key,
    { ...row, tax: Number(row.tax), pdf: row.pdf === 'yes' },
  ]),
)

const netOf = (receipt: Receipt): number => receipt.lines.reduce((sum, [, price]) => sum + price, 0)

const taxOf = (receipt: Receipt): number => Math.round(netOf(receipt) * receipt.vendor.tax) / 100

const totalOf = (receipt: Receipt): number => netOf(receipt) + taxOf(receipt)

const money = ({ vendor }: Receipt, amount: number): string => `${vendor.currency}${amount.toFixed(2)}`

const receiptHtml = (receipt: Receipt): string => {
  const { vendor } = receipt
  const row = (what: string, amount: number, style = ''): string =>
    `<tr><td style="padding:8px 0;border-bottom:1px solid #e7e2dc;${style}">${escapeHtml(what)}</td><td align="right" style="padding:8px 0;border-bottom:1px solid #e7e2dc;font-variant-numeric:tabular-nums;${style}">${money(receipt, amount)}</td></tr>`
  return `<html><body style="margin:0;background:#f6f5f3;font-family:Helvetica,Arial,sans-serif;color:#2b2622">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 8px">
<table role="presentation" width="520" cellpadding="0" cellspacing="0" bgcolor="#ffffff" style="border-radius:6px"><tr><td style="padding:28px 32px">
<p style="margin:0 0 4px 0;font-size:15px;font-weight:bold;color:${vendor.accent}">${escapeHtml(vendor.name)}</p>
<h1 style="margin:0 0 4px 0;font-size:30px">${money(receipt, totalOf(receipt))}</h1>
<p style="margin:0 0 20px 0;font-size:13px;color:#7a7068">${receipt.kind} ${receipt.number} · {{date}} {{year}}</p>
<table width="100%" cellpadding="0" cellspacing="0" style="font-size:14px;border-top:1px solid #e7e2dc">
${receipt.lines.map(([what, price]) => row(what, price)).join('\n')}
${vendor.tax === 0 ? '' : row(`VAT ${vendor.tax} %`, taxOf(receipt), 'color:#7a7068;')}
${row('Total', totalOf(receipt), 'font-weight:bold;border-bottom:0;')}
</table>
<p style="margin:20px 0 0 0;font-size:14px;line-height:21px">${escapeHtml(receipt.note)}</p>
</td></tr></table></td></tr></table></body></html>`
}

const receiptText = (receipt: Receipt): string =>
  [
    `${receipt.kind} ${receipt.number} from ${receipt.vendor.name}, {{date}} {{year}}`,
    [
      ...receipt.lines.map(([what, price]) => `${what}: ${money(receipt, price)}`),
      ...(receipt.vendor.tax === 0 ? [] : [`VAT ${receipt.vendor.tax} %: ${money(receipt, taxOf(receipt))}`]),
      `Total: ${money(receipt, totalOf(receipt))}`,
    ].join('\n'),
    receipt.note,
  ].join('\n\n')

const receiptPdf = (receipt: Receipt): AttachmentDraft => ({
  name: `${receipt.kind.toLowerCase()}-${receipt.number.toLowerCase()}.pdf`,
  type: 'application/pdf',
  content: (fill) =>
    createPdf(
      fill(`${receipt.vendor.name}\n${receiptText(receipt)}`)
        .split('\n')
        .filter((line) => line !== ''),
    ),
})

/** The first paragraph has an `item: price` line per purchase; the rest is a note. */
const receiptOf = (head: LetterBlock, kind: Receipt['kind']): Receipt => {
  const [bought = '', note = ''] = head.body.split(/\n\n(.*)/s)
  const lines = bought.split('\n').map((line): readonly [string, number] => {
    const [, what, price] = /^(.*): (\d+(?:\.\d+)?)$/.exec(line) ?? []
    return what === undefined ? head.fail(`has no price in “${line}”`) : [what, Number(price)]
  })
  return {
    vendor: requireRow(vendors, head.needed('Vendor'), 'vendor'),
    kind,
    number: head.needed(kind),
    lines,
    note,
  }
}

/** An invoice or receipt, with a PDF if the vendor sends one. Undefined if the head is of another kind. */
export function createReceiptThread(head: LetterBlock): ThreadDraft | undefined {
  const kind = kinds.find((each) => head.text(each) !== undefined)
  if (kind === undefined) return undefined
  const made = receiptOf(head, kind)
  const { vendor, number } = made
  return {
    subject: head.text('Subject') ?? `Your ${kind.toLowerCase()} from ${vendor.name} (${number})`,
    labels: head.list('Labels') ?? ['Billing'],
    unread: head.flag('Unread') ?? false,
    letters: [
      {
        from: { name: vendor.name, email: vendor.email },
        text: receiptText(made),
        html: receiptHtml(made),
        automatic: true,
        files: vendor.pdf ? [receiptPdf(made)] : [],
      },
    ],
  }
}
