import { createNotFoundError } from '../http/api-error.ts'
import type { ApiRequest } from '../http/endpoint.ts'
import { type InboxRow, findInbox } from '../storage/inboxes.ts'
import { type LabelRow, type ThreadRow, findLabel, findThread } from '../storage/threads.ts'
import { type EmailRow, findThreadEmail } from '../storage/emails.ts'

/** The inbox in the path, by ID or e-mail address. @throws ApiError 404 `Inbox not found.` (platform.md 4.5) */
export function requireInbox(request: ApiRequest): InboxRow {
  const inbox = findInbox(request.platform.db, request.param('inbox'))
  if (!inbox) throw createNotFoundError('Inbox not found.')
  return inbox
}

/** The thread in the path. @throws ApiError 404 in this service's own wording (platform.md 4.5) */
export function requireThread(request: ApiRequest, inbox: InboxRow): ThreadRow {
  const thread = findThread(request.platform.db, inbox.seq, request.param('thread'))
  if (!thread) throw createNotFoundError('Thread not found.')
  return thread
}

/** The e-mail in the path, by ID or a search's `matched_email_id`. @throws ApiError 404 */
export function requireThreadEmail(request: ApiRequest, thread: ThreadRow): EmailRow {
  const email = findThreadEmail(request.platform.db, thread.seq, request.param('email'))
  if (!email) throw createNotFoundError('Email not found.')
  return email
}

/** @throws ApiError 404 naming the label (platform.md 10.13) */
export function requireLabelById(request: ApiRequest, inbox: InboxRow, id: string): LabelRow {
  const label = findLabel(request.platform.db, inbox.seq, id.toLowerCase())
  if (!label) throw createNotFoundError(`Label "${id}" not found.`)
  return label
}
