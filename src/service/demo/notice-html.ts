import { escapeHtml } from './letter-body.ts'

/** A machine's notice as a panel: its title, a table of the lines `Name: value` of the first paragraph, and the rest below. */
export function noticeHtml(title: string, accent: string, body: string): string {
  const [table = '', note = ''] = body.split(/\n\n(.*)/s)
  const rows = table.split('\n').map((row) => {
    const [name = '', value = ''] = row.split(/: (.*)/)
    return `<tr><td style="color:#7a7068;padding-right:18px;white-space:nowrap" valign="top">${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`
  })
  return `<html><body style="margin:0;background:#f4f4f2;font-family:Helvetica,Arial,sans-serif;color:#26221f"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:20px 8px"><table role="presentation" width="560" cellpadding="0" cellspacing="0" bgcolor="#ffffff"><tr><td style="padding:18px 24px;border-left:6px solid ${accent}"><h1 style="margin:0 0 12px 0;font-size:18px">${escapeHtml(title)}</h1><table cellpadding="0" cellspacing="0" style="font-size:14px;line-height:22px">${rows.join('')}</table><p style="margin:14px 0 0 0;font-size:14px;line-height:21px">${escapeHtml(note)}</p></td></tr></table></td></tr></table></body></html>`
}
