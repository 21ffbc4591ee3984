import type { Block } from './letter-blocks.ts'
import { type Brand, mailingHtml, type MailingIssue, mailingText } from './mailing-html.ts'
import { readTable, rowOf } from './resources.ts'
import type { LetterDraft, ThreadDraft } from './thread-draft.ts'

const columns = ['name', 'domain', 'from', 'accent', 'paper', 'serif', 'address', 'leave'] as const
const brands = readTable('brands.csv', columns)

/** How one leaves a brand's list: `click`, `mail`, `page`, or two of them with a plus between. */
const leaving = (leave: string, domain: string): NonNullable<LetterDraft['mailing']> => {
  const ways = leave.split('+')
  const page = ways.some((way) => way === 'click' || way === 'page')
  return {
    listId: `news.${domain}`,
    unsubscribe: [
      ...(ways.includes('mail') ? [`mailto:leave@${domain}?subject=Unsubscribe`] : []),
      ...(page ? [`https://www.${domain}/unsubscribe?list=news`] : []),
    ],
    isOneClick: ways.includes('click'),
  }
}

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
  const row = rowOf(brands, key, 'brand')
  const brand: Brand = { ...row, serif: row.serif === 'yes' }
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
        mailing: leaving(row.leave, brand.domain),
        envelopeFrom: `bounce@mail.${brand.domain}`,
      },
    ],
  }
}
