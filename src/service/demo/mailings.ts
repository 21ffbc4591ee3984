import type { Block } from './letter-blocks.ts'
import { type Brand, mailingHtml, type MailingIssue, mailingText } from './mailing-html.ts'
import { readTable, rowOf } from './resources.ts'
import type { ThreadDraft } from './thread-draft.ts'

const columns = ['name', 'domain', 'from', 'accent', 'paper', 'serif', 'address'] as const
const brands: ReadonlyMap<string, Brand> = new Map(
  Array.from(readTable('brands.csv', columns), ([key, row]) => [key, { ...row, serif: row.serif === 'yes' }]),
)

const issueOf = (head: Block, items: readonly Block[]): MailingIssue => ({
  subject: head.needed('Subject'),
  preheader: head.needed('Preheader'),
  heading: head.needed('Heading'),
  intro: head.body,
  hero: head.text('Hero'),
  items: items.map((item) => {
    const read = {
      title: item.needed('Title'),
      text: item.body,
      link: item.needed('Link'),
      picture: item.text('Picture'),
      price: item.text('Price'),
    }
    item.close()
    return read
  }),
  closing: head.text('Closing'),
})

/** A mailing of a brand: its head has what stands above, each part is a piece. Undefined where the head is of something else. */
export function mailing(head: Block, parts: readonly Block[]): ThreadDraft | undefined {
  const key = head.text('Mailing')
  if (key === undefined) return undefined
  const brand = rowOf(brands, key, 'brand')
  const issue = issueOf(head, parts)
  return {
    subject: issue.subject,
    labels: [],
    unread: head.flag('Unread') ?? false,
    letters: [
      {
        from: { name: brand.name, email: `${brand.from}@${brand.domain}` },
        text: mailingText(brand, issue),
        html: mailingHtml(brand, issue),
        mailing: { listId: `news.${brand.domain}`, unsubscribe: `https://www.${brand.domain}/unsubscribe?list=news` },
        envelopeFrom: `bounce@mail.${brand.domain}`,
      },
    ],
  }
}
