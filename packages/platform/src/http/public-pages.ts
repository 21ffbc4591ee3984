import { Hono } from 'hono'
import { embedInlineImages } from '../endpoints/inline-images.ts'
import { escapeHtml } from '../mail/html-text.ts'
import type { Platform } from '../platform.ts'
import { type EmailRow, loadAttachments, loadEmailContent, findEmail } from '../storage/emails.ts'
import { createAttachmentDownload, createMessageDownload, createTextResponse } from './downloads.ts'
import { checkSignedUrl } from './signed-links.ts'
import { verifySignedToken } from './signed-token.ts'

/** The e-mail is untrusted HTML: no scripts, forms or external resources. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-src 'self'; sandbox",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Pages without a key: signed downloads and shared e-mails. */
export function createPublicPages(platform: Platform): Hono {
  const { db } = platform
  const pages = new Hono()

  pages.get('/downloads/raw/:email', (context) => {
    const refusal = refuse(platform, context.req.url)
    return refusal ?? createMessageDownload(db, context.req.param('email'))
  })

  pages.get('/downloads/attachments/:attachment', async (context) => {
    const refusal = refuse(platform, context.req.url)
    return refusal ?? createAttachmentDownload(db, context.req.param('attachment'))
  })

  pages.get('/shared', async (context) => {
    const shared = verifySignedToken(platform.secret, 'JWT', context.req.query('token') ?? '', platform.now())
    if (shared === 'forged') return createTextResponse(403, 'This link is not valid.')
    const email = shared === 'expired' ? undefined : findEmail(db, shared.sub)
    if (!email) return createTextResponse(410, 'This link has expired.')
    return new Response(await sharedPage(platform, email), { headers: pageHeaders })
  })

  return pages
}

function refuse(platform: Platform, url: string): Response | null {
  const state = checkSignedUrl(platform.secret, new URL(url), platform.now())
  if (state === 'valid') return null
  return createTextResponse(403, state === 'expired' ? 'This link has expired.' : 'This link is not valid.')
}

async function sharedPage(platform: Platform, email: EmailRow): Promise<string> {
  const content = loadEmailContent(platform.db, email.seq)
  const { html } = await embedInlineImages(platform.db, email, content.html, loadAttachments(platform.db, email.seq))
  const subject = escapeHtml(email.subject ?? '(no subject)')
  const body =
    html === null
      ? `<pre>${escapeHtml(content.text ?? '')}</pre>`
      : `<iframe sandbox title="E-mail" srcdoc="${escapeHtml(html)}"></iframe>`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${subject}</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 50rem; padding: 0 1rem }
  iframe { border: 1px solid #ccc; height: 75vh; width: 100% }
  pre { white-space: pre-wrap }
</style>
<h1>${subject}</h1>
<p>From ${escapeHtml(email.sender)}<br><time>${new Date(email.received_at).toISOString()}</time></p>
${body}
</html>
`
}
