import { z } from 'zod'
import { formatRecipient } from '../../../shared/recipients.ts'
import type { Recipient } from '../../../shared/drafts.ts'
import type { OutgoingFile } from '../outgoing-body.ts'
import { parseSentId, type CopyRecipients, type OutgoingContent } from '../outgoing-message.ts'
import { apiPath } from '../api-path.ts'
import {
  wireCount,
  wireListOf,
  wireId,
  parseCreatedId,
  createParser,
  wireText,
  wireTexts,
  parsePlatformTime,
} from '../parse-response.ts'
import type { CallOptions, PageOptions, Requests, IdempotentCallOptions } from '../requests.ts'
import type { ThreadEmailRef } from './thread-emails.ts'

const maybeId = wireId.nullable().optional().catch(undefined)

/** A platform draft (platform.md 14.1); lists have a `snippet` instead of the bodies. */
const wireDraft = z.looseObject({
  id: wireId,
  to: wireTexts.nullable(),
  cc: wireTexts.nullable(),
  bcc: wireTexts.nullable(),
  subject: wireText,
  html: wireText,
  text: wireText,
  snippet: wireText,
  thread_id: maybeId,
  reply_to_email_id: maybeId,
  email_id: maybeId,
  updated_at: wireText,
  attachments: wireListOf(z.looseObject({ id: wireId, filename: wireText, content_type: wireText, size: wireCount })),
})
type WireDraft = z.infer<typeof wireDraft>

/** Fields shared by listed and complete drafts. */
const headOf = (wire: WireDraft) => ({
  id: wire.id,
  subject: wire.subject ?? null,
  threadId: wire.thread_id ?? null,
  replyToEmailId: wire.reply_to_email_id ?? null,
  /** Milliseconds since the epoch, or null. */
  updatedAt: parsePlatformTime(wire.updated_at ?? ''),
})

const parseDraft = createParser(wireDraft, (wire) => ({
  ...headOf(wire),
  /** Null if no recipients were set. */
  to: wire.to ?? null,
  cc: wire.cc ?? [],
  bcc: wire.bcc ?? [],
  html: wire.html ?? null,
  text: wire.text ?? null,
  /** ID of the sent e-mail, once sent. */
  emailId: wire.email_id ?? null,
  files: (wire.attachments ?? []).map(({ filename, content_type, size, ...file }) => ({
    id: file.id,
    filename: filename ?? null,
    contentType: content_type ?? null,
    size: size ?? null,
  })),
})).one

export type FetchedDraft = Readonly<ReturnType<typeof parseDraft>>

const toListed = (wire: WireDraft) => ({
  ...headOf(wire),
  to: wire.to ?? [],
  snippet: wire.snippet ?? null,
  files: wire.attachments?.length ?? 0,
})

export type ListedDraft = Readonly<ReturnType<typeof toListed>>

const parseDraftPage = createParser(wireDraft, toListed).page

/** The complete draft, replacing any earlier content (platform.md 14.7). */
export interface OutgoingDraft extends OutgoingContent, CopyRecipients {
  readonly to: readonly Recipient[]
}

const draftBody = ({ to, cc, bcc, subject, html, text: plain }: OutgoingDraft) => ({
  to: to.map(formatRecipient),
  cc: cc.map(formatRecipient),
  bcc: bcc.map(formatRecipient),
  subject,
  html,
  text: plain,
})

/** Sends both body parts: the platform clears the one that is omitted (platform.md 14.7). */
const changedFields = (before: OutgoingDraft, draft: OutgoingDraft): Partial<ReturnType<typeof draftBody>> => {
  const [was, is] = [draftBody(before), draftBody(draft)]
  const isBodyChanged = was.html !== is.html || was.text !== is.text
  const { html, text: plain, ...head } = is
  const changed = Object.entries(head).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name as keyof typeof head]),
  )
  return { ...Object.fromEntries(changed), ...(isBodyChanged && { html, text: plain }) }
}

export const createDraftCalls = (requests: Requests) => ({
  /** Unsent drafts (platform.md 14.2). */
  listDrafts: async (inboxId: string, options: PageOptions) =>
    requests.page(parseDraftPage, apiPath`/inboxes/${inboxId}/drafts`, options),

  /** Also finds sent drafts (platform.md 14.3). */
  getDraft: async (inboxId: string, draftId: string, options: CallOptions) =>
    parseDraft(await requests.get(apiPath`/inboxes/${inboxId}/drafts/${draftId}`, options), draftId),

  /** Returns the draft's ID; for a reply (`answers`), that of an existing unsent draft, if any (platform.md 14.5). */
  createDraft: async (
    inboxId: string,
    draft: OutgoingDraft,
    answers: Pick<ThreadEmailRef, 'threadId' | 'emailId'> | null,
    files: readonly OutgoingFile[],
    options: IdempotentCallOptions,
  ) => {
    const place = answers !== null && { thread_id: answers.threadId, reply_to_email_id: answers.emailId }
    const body = { ...draftBody(draft), ...place }
    return parseCreatedId(await requests.post(apiPath`/inboxes/${inboxId}/drafts`, body, options, files))
  },

  /**
   * Sends only the differences from `before`, so unset fields stay null (platform.md 14.7). If `files` is null, the
   * draft keeps its files. Fails with 409 once the draft is sent.
   */
  updateDraft: async (
    inboxId: string,
    draftId: string,
    before: OutgoingDraft,
    draft: OutgoingDraft,
    files: readonly OutgoingFile[] | null,
    options: CallOptions,
  ): Promise<void> => {
    const body = { ...changedFields(before, draft), ...(files?.length === 0 && { attachments: [] }) }
    if (files === null && Object.keys(body).length === 0) return
    await requests.patch(apiPath`/inboxes/${inboxId}/drafts/${draftId}`, body, options, files ?? [])
  },

  /** Fails with 409 once the draft is sent (platform.md 14.10). */
  deleteDraft: async (inboxId: string, draftId: string, options: CallOptions) =>
    requests.delete(apiPath`/inboxes/${inboxId}/drafts/${draftId}`, options),

  /** Returns the sent e-mail's ID (platform.md 14.9). Fails with 409 if the draft was already sent. */
  sendDraft: async (inboxId: string, draftId: string, options: IdempotentCallOptions) =>
    parseSentId(await requests.post(apiPath`/inboxes/${inboxId}/drafts/${draftId}/send`, {}, options)),
})
