import { escapeHtml } from './letter-body.ts'

/** A sender's look in its mailings. Colours are `#rrggbb`. */
export interface Brand {
  readonly name: string
  readonly domain: string
  readonly from: string
  readonly accent: string
  readonly paper: string
  readonly serif: boolean
  readonly address: string
}

/** An item of a mailing; with `price`, a product. */
interface MailingItem {
  readonly title: string
  readonly text: string
  readonly link: string
  readonly picture?: string | undefined
  readonly price?: string | undefined
}

export interface MailingIssue {
  readonly subject: string
  readonly preheader: string
  readonly heading: string
  readonly intro: string
  readonly hero?: string | undefined
  readonly items: readonly MailingItem[]
  readonly closing?: string | undefined
}

const address = (brand: Brand, path: string): string => `https://www.${brand.domain}/${path}`
const picture = (brand: Brand, name: string): string => `https://images.${brand.domain}/${name}.jpg`

const button = (brand: Brand, href: string, label: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="${brand.accent}" style="border-radius:4px"><a href="${href}" style="display:inline-block;padding:10px 18px;font-size:14px;color:#ffffff;text-decoration:none;font-weight:bold">${label}</a></td></tr></table>`

const article = (brand: Brand, item: MailingItem): string => `
<tr><td style="padding:0 32px 28px 32px">
  ${item.picture === undefined ? '' : `<a href="${address(brand, item.link)}"><img src="${picture(brand, item.picture)}" width="536" height="240" alt="${escapeHtml(item.title)}" style="display:block;width:100%;max-width:536px;height:auto;border:0;margin-bottom:14px"></a>`}
  <h2 style="margin:0 0 8px 0;font-size:20px;line-height:26px;color:#241f1c"><a href="${address(brand, item.link)}" style="color:#241f1c;text-decoration:none">${escapeHtml(item.title)}</a></h2>
  <p style="margin:0 0 10px 0;font-size:15px;line-height:23px;color:#4a423d">${escapeHtml(item.text)}</p>
  <a href="${address(brand, item.link)}" style="font-size:14px;color:${brand.accent}">Read on</a>
</td></tr>`

const product = (brand: Brand, item: MailingItem): string => `
<td width="50%" valign="top" style="padding:0 12px 24px 12px">
  <img src="${picture(brand, item.picture ?? item.link)}" width="244" height="180" alt="${escapeHtml(item.title)}" style="display:block;width:100%;max-width:244px;height:auto;border:0">
  <p style="margin:10px 0 2px 0;font-size:15px;line-height:20px;color:#241f1c"><strong>${escapeHtml(item.title)}</strong></p>
  <p style="margin:0 0 6px 0;font-size:13px;line-height:19px;color:#4a423d">${escapeHtml(item.text)}</p>
  <p style="margin:0 0 10px 0;font-size:15px;color:${brand.accent}"><strong>${escapeHtml(item.price ?? '')}</strong></p>
  ${button(brand, address(brand, item.link), 'Have a look')}
</td>`

const productRows = (brand: Brand, items: readonly MailingItem[]): string =>
  items
    .flatMap((_item, index) => (index % 2 === 0 ? [items.slice(index, index + 2)] : []))
    .map(
      (pair) =>
        `<tr><td style="padding:0 20px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>${pair.map((item) => product(brand, item)).join('')}</tr></table></td></tr>`,
    )
    .join('')

/** The issue as marketing HTML: nested 600-pixel tables, inline styles, pictures from the sender's server. */
export function renderMailingHtml(brand: Brand, issue: MailingIssue): string {
  const font = brand.serif ? "Georgia,'Times New Roman',serif" : 'Helvetica,Arial,sans-serif'
  const shop = issue.items.some((item) => item.price !== undefined)
  return `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(issue.subject)}</title>
<style>a:hover{text-decoration:underline} @media only screen and (max-width:620px){.sheet{width:100% !important}}</style></head>
<body style="margin:0;padding:0;background:${brand.paper};font-family:${font}">
<div style="display:none;max-height:0;overflow:hidden;color:${brand.paper}">${escapeHtml(issue.preheader)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${brand.paper}"><tr><td align="center" style="padding:24px 8px">
<table role="presentation" class="sheet" width="600" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="width:600px;font-family:${font}">
<tr><td style="padding:24px 32px;border-top:4px solid ${brand.accent}"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>
  <td style="font-size:18px;font-weight:bold;letter-spacing:.5px;color:${brand.accent}">${escapeHtml(brand.name)}</td>
  <td align="right" style="font-size:12px;color:#8a8078"><a href="${address(brand, 'latest')}" style="color:#8a8078">View in browser</a></td></tr></table></td></tr>
${issue.hero === undefined ? '' : `<tr><td><img src="${picture(brand, issue.hero)}" width="600" height="280" alt="${escapeHtml(issue.heading)}" style="display:block;width:100%;max-width:600px;height:auto;border:0"></td></tr>`}
<tr><td style="padding:28px 32px 24px 32px"><h1 style="margin:0 0 14px 0;font-size:28px;line-height:34px;color:#241f1c">${escapeHtml(issue.heading)}</h1>
<p style="margin:0;font-size:16px;line-height:25px;color:#4a423d">${escapeHtml(issue.intro)}</p></td></tr>
${shop ? productRows(brand, issue.items) : issue.items.map((item) => article(brand, item)).join('')}
${issue.closing === undefined ? '' : `<tr><td style="padding:4px 32px 32px 32px;font-size:15px;line-height:23px;color:#4a423d">${escapeHtml(issue.closing)}</td></tr>`}
<tr><td bgcolor="#f4f1ed" style="padding:20px 32px;font-size:12px;line-height:18px;color:#8a8078">${escapeHtml(brand.address)}<br>You receive this because support@larkspur.example is on our list. <a href="${address(brand, 'preferences')}" style="color:#8a8078">Change what you get</a> or <a href="${address(brand, 'unsubscribe')}" style="color:#8a8078">unsubscribe</a>.<img src="https://count.${brand.domain}/open.gif" width="1" height="1" alt=""></td></tr>
</table></td></tr></table></body></html>`
}

export function renderMailingText(brand: Brand, issue: MailingIssue): string {
  const items = issue.items.map(
    (item) =>
      `${item.title}${item.price === undefined ? '' : ` (${item.price})`}\n${item.text}\n${address(brand, item.link)}`,
  )
  return [
    issue.heading.toUpperCase(),
    issue.intro,
    ...items,
    ...(issue.closing === undefined ? [] : [issue.closing]),
    `${brand.address}\nUnsubscribe: ${address(brand, 'unsubscribe')}`,
  ].join('\n\n')
}
