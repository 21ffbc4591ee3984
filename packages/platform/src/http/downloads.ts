import { decodeAttachments } from '../mail/parse-message.ts'
import type { Database } from '../storage/database.ts'
import { type AttachmentRow, findEmail, loadRawMessage } from '../storage/emails.ts'

/** The raw message as a file. @param id ID of a received or sent e-mail */
export function createMessageDownload(db: Database, id: string): Response {
  const email = findEmail(db, id)
  if (!email) return createTextResponse(404, 'This e-mail is gone.')
  return new Response(new Uint8Array(loadRawMessage(db, email.seq)), {
    headers: downloadHeaders('message/rfc822', `${email.id}.eml`),
  })
}

export async function createAttachmentDownload(db: Database, id: string): Promise<Response> {
  const attachment = db.get<AttachmentRow>('SELECT * FROM attachments WHERE id = ?', id)
  const contents = attachment ? await decodeAttachments(loadRawMessage(db, attachment.email_seq)) : []
  const content = attachment && contents[attachment.position]
  if (!content) return createTextResponse(404, 'This attachment is gone.')
  return new Response(new Uint8Array(content), {
    headers: downloadHeaders(attachment.content_type, attachment.filename ?? 'attachment'),
  })
}

export function createTextResponse(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

/** The type and name come from the sender, so the browser must save the file and never render it on this origin. */
function downloadHeaders(contentType: string, filename: string): Record<string, string> {
  const isType = /^[\w.+-]+\/[\w.+-]+(?:; charset=[\w-]+)?$/.test(contentType)
  return {
    'content-type': isType ? contentType : 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename.toWellFormed())}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  }
}
