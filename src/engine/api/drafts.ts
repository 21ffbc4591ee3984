import { z } from 'zod'
import { formatRecipient } from '../../shared/recipients.ts'
import type { Recipient } from '../../shared/writing.ts'
import type { OutgoingFile } from './outgoing-body.ts'
import { readSentId, type Copies, type OutgoingContent } from './outgoing-message.ts'
import { path } from './path.ts'
import { parsePlatformTime } from './platform-time.ts'
import { count, each, id, readMadeId, readPageOf, readWith, text, texts } from './read-answer.ts'
import type { CallOptions, PageOptions, Requests, SendOptions } from './requests.ts'
import type { ThreadEmailRef } from './thread-emails.ts'

const maybeId = id.nullable().optional().catch(undefined)

/** A draft of the platform (platform facts 3.7); in a list with a `snippet` in place of its bodies. */
const wireDraft = z.looseObject({
  id,
  to: texts.nullable(),
  cc: texts.nullable(),
  bcc: texts.nullable(),
  subject: text,
  html: text,
  text,
  snippet: text,
  thread_id: maybeId,
  reply_to_email_id: maybeId,
  email_id: maybeId,
  updated_at: text,
  attachments: each(z.looseObject({ id, filename: text, content_type: text, size: count })),
})
type WireDraft = z.infer<typeof wireDraft>

/** What a list and a draft on its own have alike. */
const headOf = (wire: WireDraft) => ({
  id: wire.id,
  subject: wire.subject ?? null,
  threadId: wire.thread_id ?? null,
  replyToEmailId: wire.reply_to_email_id ?? null,
  /** Milliseconds since the epoch; null where the platform does not say. */
  updatedAt: parsePlatformTime(wire.updated_at ?? ''),
})

const readDraft = readWith(wireDraft, (wire) => ({
  ...headOf(wire),
  /** Null where nobody has named a recipient. */
  to: wire.to ?? null,
  cc: wire.cc ?? [],
  bcc: wire.bcc ?? [],
  html: wire.html ?? null,
  text: wire.text ?? null,
  /** The e-mail it became, once it was sent. */
  emailId: wire.email_id ?? null,
  files: (wire.attachments ?? []).map(({ filename, content_type, size, ...file }) => ({
    id: file.id,
    filename: filename ?? null,
    contentType: content_type ?? null,
    size: size ?? null,
  })),
}))

/** A draft of the platform, whole. */
export type FetchedDraft = Readonly<ReturnType<typeof readDraft>>

const toListed = (wire: WireDraft) => ({
  ...headOf(wire),
  to: wire.to ?? [],
  snippet: wire.snippet ?? null,
  /** How many files it has. */
  files: wire.attachments?.length ?? 0,
})

/** A draft in the platform's list. */
export type ListedDraft = Readonly<ReturnType<typeof toListed>>

const readDrafts = readPageOf(wireDraft, toListed)

/** Platform facts 3.7: all of a draft, whatever it had before. */
export interface OutgoingDraft extends OutgoingContent, Copies {
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

/** The platform empties the body part that is not sent along with the other one (platform facts 3.7). */
const changedFields = (before: OutgoingDraft, draft: OutgoingDraft): Partial<ReturnType<typeof draftBody>> => {
  const [was, is] = [draftBody(before), draftBody(draft)]
  const isBodyChanged = was.html !== is.html || was.text !== is.text
  const { html, text: plain, ...head } = is
  const changed = Object.entries(head).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name as keyof typeof head]),
  )
  return { ...Object.fromEntries(changed), ...(isBodyChanged && { html, text: plain }) }
}

export const draftCalls = (requests: Requests) => ({
  /** Platform facts 3.0, 22: those that were not sent. */
  listDrafts: async (inboxId: string, options: PageOptions) =>
    requests.page(readDrafts, path`/inboxes/${inboxId}/drafts`, options),

  /** Platform facts 3.7, also of one that was sent. */
  getDraft: async (inboxId: string, draftId: string, options: CallOptions) =>
    readDraft(await requests.get(path`/inboxes/${inboxId}/drafts/${draftId}`, options), draftId),

  /**
   * Platform facts 3.7. Returns the draft's ID: for a reply that of the unsent one that the e-mail already has, whoever
   * began it.
   * @param answers the e-mail that it replies to
   */
  createDraft: async (
    inboxId: string,
    draft: OutgoingDraft,
    answers: Pick<ThreadEmailRef, 'threadId' | 'emailId'> | null,
    files: readonly OutgoingFile[],
    options: SendOptions,
  ) => {
    const place = answers !== null && { thread_id: answers.threadId, reply_to_email_id: answers.emailId }
    const body = { ...draftBody(draft), ...place }
    return readMadeId(await requests.send(path`/inboxes/${inboxId}/drafts`, body, files, options))
  },

  /**
   * Platform facts 3.7: sends what differs from before, so that what nobody set stays null. 409 where it was sent.
   * @param before the draft as the platform has it
   * @param files null leaves them as they are
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
    await requests.patch(path`/inboxes/${inboxId}/drafts/${draftId}`, body, options, files ?? [])
  },

  /** Platform facts 3.7. 409 where it was sent. */
  deleteDraft: async (inboxId: string, draftId: string, options: CallOptions): Promise<void> => {
    await requests.delete(path`/inboxes/${inboxId}/drafts/${draftId}`, options)
  },

  /** Platform facts 3.7. Returns the ID of the sent e-mail. 409 where it was sent already. */
  sendDraft: async (inboxId: string, draftId: string, options: SendOptions) =>
    readSentId(await requests.send(path`/inboxes/${inboxId}/drafts/${draftId}/send`, {}, [], options)),
})
