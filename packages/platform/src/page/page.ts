import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import { createAttachmentDownload, createMessageDownload } from '../http/downloads.ts'
import { escapeHtml } from '../mail/html-text.ts'
import type { Platform } from '../platform.ts'
import { findEmail, loadRawMessage } from '../storage/emails.ts'
import { listMessages, loadMessageHtml, findMessage } from './page-messages.ts'
import { listWebhookLogs } from './page-webhooks.ts'

/** The source folder during development; a build puts a copy next to its entries, one level above its chunks. */
const directories = [
  ...(import.meta.filename.endsWith('.ts') ? ['../../resources/service-page'] : []),
  'service-page',
  '../service-page',
]

const read = (name: string): string => {
  const file = directories.map((folder) => join(import.meta.dirname, folder, name)).find((path) => existsSync(path))
  if (file === undefined) throw new Error(`The page's ${name} is not beside the service.`)
  return readFileSync(file, 'utf8')
}

let cachedTemplate: string | null = null

/** The page with style and script inlined, and `{{name}}` placeholders. */
function pageTemplate(): string {
  cachedTemplate ??= read('page.html').replace(/\/\* (page\.(?:css|js)) \*\//g, (_, name: string) => read(name))
  return cachedTemplate
}

/** The page is private: no other origin may use it, and nothing is cached. */
const ownHeaders = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
}

/** Untrusted HTML, framed or opened directly: no scripts, no requests, links open in new tabs. */
const framePolicy = [
  "default-src 'none'",
  'img-src data:',
  "style-src 'unsafe-inline'",
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ')

const [listed, mostListed] = [100, 2000]
/** Maximum bytes of raw source on the page; the download is complete. */
const shownSource = 1024 * 1024

/**
 * True for requests from the page: other sites and ports show in Origin and Sec-Fetch-Site. Browsers send Origin with
 * every change.
 */
function isFromOwnPage(headers: Headers, method: string): boolean {
  const origin = headers.get('origin')
  if (origin === null && !['GET', 'HEAD'].includes(method)) return false
  if (origin !== null && origin !== `http://${headers.get('host')}`) return false
  return ['same-origin', 'none', null].includes(headers.get('sec-fetch-site'))
}

/** The page itself, without mail: its script loads the mail from {@link createPageDataRoutes}. */
export function createPageResponse(platform: Platform): Response {
  const nonce = randomBytes(16).toString('base64')
  const values: Readonly<Record<string, string>> = {
    nonce,
    base_url: platform.baseUrl(),
    smtp: `127.0.0.1:${platform.smtpPort()}`,
    key: platform.settings.anyKey ? 're_anything' : 're_…',
  }
  const html = pageTemplate().replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(values[name] ?? ''))
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "frame-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return new Response(html, {
    headers: { ...ownHeaders, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  })
}

/**
 * Data for the page, and the changes it can make, without a key. Mount at `/_page`.
 * @param acting changes of threads by the dashboard or the agent
 */
export function createPageDataRoutes(platform: Platform, acting: Hono): Hono {
  const { db } = platform
  const data = new Hono()
  const emailOf = (context: Context) => findEmail(db, context.req.param('email') ?? '')

  data.use(async (context, next) => {
    if (!isFromOwnPage(context.req.raw.headers, context.req.method)) {
      return plain(403, 'This is for the page of the local mail platform, in a browser on the same machine.')
    }
    await next()
    for (const [name, value] of Object.entries(ownHeaders)) context.res.headers.set(name, value)
    return undefined
  })
  data.get('/messages', (context) => {
    const direction = context.req.query('direction')
    const limit = Number(context.req.query('limit') ?? listed)
    const body = JSON.stringify(
      listMessages(db, {
        direction: direction === 'inbound' || direction === 'outbound' ? direction : null,
        inboxId: context.req.query('inbox') ?? null,
        limit: Number.isInteger(limit) ? Math.min(Math.max(limit, 1), mostListed) : listed,
      }),
    )
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
    if (context.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers: { etag } })
    return new Response(body, { headers: { 'content-type': 'application/json; charset=utf-8', etag } })
  })
  data.get('/messages/:email', async (context) => {
    const message = await findMessage(platform, context.req.param('email'))
    return message === null ? plain(404, 'This message is gone.') : context.json(message)
  })
  data.get('/messages/:email/html', async (context) => {
    const email = emailOf(context)
    const safe = email ? await loadMessageHtml(platform, email) : null
    if (safe === null) return plain(404, 'This message has no HTML.')
    return new Response(frame(safe.html), {
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': framePolicy },
    })
  })
  data.get('/messages/:email/source', (context) => {
    const email = emailOf(context)
    if (!email) return plain(404, 'This message is gone.')
    // Bytes that aren't UTF-8 use an old charset, where every byte is a character.
    return plain(200, textOf(loadRawMessage(db, email.seq).subarray(0, shownSource)))
  })
  data.get('/messages/:email/download', (context) => createMessageDownload(db, context.req.param('email')))
  data.get('/attachments/:attachment', (context) => createAttachmentDownload(db, context.req.param('attachment')))
  data.get('/webhooks', (context) => context.json({ webhooks: listWebhookLogs(db) }))
  data.route('/as', acting)
  data.all('*', () => plain(404, 'The page has nothing here.'))
  return data
}

/** E-mails set their own colours, designed for a white background. */
function frame(html: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Message</title>
<style>
  body { background: #fff; color: #1f1b18; font: 14px/1.5 system-ui, sans-serif; margin: 16px; overflow-wrap: break-word }
  img { max-width: 100% }
</style>
${html}`
}

function textOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  return text.includes('\uFFFD') ? Buffer.from(bytes).toString('latin1') : text
}

function plain(status: number, text: string): Response {
  return new Response(text, {
    status,
    headers: {
      ...ownHeaders,
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  })
}
