import { parseRecipient } from '../../../shared/recipients.ts'
import type { DraftContent, DraftFile, Recipient } from '../../../shared/drafts.ts'
import { DRAFT_BOUNDS } from '../../../shared/message-limits.ts'
import type { FetchedDraft } from '../../platform/resources/drafts.ts'
import { htmlToText, htmlToWords } from '../../../shared/mail-text/html-to-text.ts'
import { assembleMessage } from './assemble-message.ts'

/** Parses a platform recipient. An entry that isn't an address is shown as it is. */
export const toRecipient = (text: string): Recipient =>
  parseRecipient(text) ?? { name: null, address: text.slice(0, DRAFT_BOUNDS.address) }

/** Converts a platform draft for the composer. @param known local files, matched by name and size */
export const toDraftContent = (draft: FetchedDraft, known: readonly DraftFile[] = []): DraftContent => {
  const left = [...known]
  const files = draft.files.map(({ id, filename, contentType, size }): DraftFile => {
    const place = left.findIndex((file) => file.filename === filename && (size === null || file.size === size))
    const [same] = place === -1 ? [] : left.splice(place, 1)
    return same !== undefined
      ? { ...same, platformId: id }
      : {
          ...{
            id,
            filename: (filename ?? 'attachment').slice(0, 1_000),
            size: size ?? 0,
            digest: null,
            contentId: null,
            platformId: id,
          },
          contentType: (contentType ?? 'application/octet-stream').slice(0, 255),
        }
  })
  const html = (draft.html ?? '').slice(0, DRAFT_BOUNDS.body)
  return {
    to: (draft.to ?? []).map(toRecipient),
    cc: draft.cc.map(toRecipient),
    bcc: draft.bcc.map(toRecipient),
    subject: (draft.subject ?? '').slice(0, DRAFT_BOUNDS.subject),
    format: html === '' ? 'plain' : 'rich',
    html,
    text: (draft.text ?? (html === '' ? '' : htmlToText(html))).slice(0, DRAFT_BOUNDS.body),
    // The platform doesn't mark where the quoted text starts.
    quote: null,
    files,
  }
}

const people = (recipients: readonly Recipient[]): readonly string[] =>
  recipients.map(({ name, address }) => `${name ?? ''} <${address.toLowerCase()}>`)

/** A fingerprint of a draft's content; drafts with the same content have the same fingerprint. */
export const fingerprintContent = (content: DraftContent): string => {
  const { html, text } = assembleMessage(content)
  return JSON.stringify([
    people(content.to),
    people(content.cc),
    people(content.bcc),
    content.subject,
    html ?? '',
    // With HTML, the plain text is derived from it.
    html === null || html === '' ? text.trim() : '',
    content.files.map(({ filename, size }) => [filename, size]),
  ])
}

/** A fingerprint that ignores HTML rewriting, to recognise our own draft when the platform returns it. */
const fingerprintText = (content: DraftContent): string => {
  const { html, text } = assembleMessage(content)
  const words = html === null || html === '' ? text : htmlToWords(html)
  const addresses = [content.to, content.cc, content.bcc].map((each) =>
    each.map(({ address }) => address.toLowerCase()),
  )
  const sizes = content.files.map(({ filename, size }) => [filename, size])
  return JSON.stringify([addresses, content.subject.trim(), words.replace(/\s+/g, ' ').trim(), sizes])
}

/** Compares the text, ignoring how the platform rewrote the HTML. */
export const haveSameText = (one: DraftContent, other: DraftContent): boolean =>
  fingerprintText(one) === fingerprintText(other)

export const haveSameFiles = (one: DraftContent, other: DraftContent): boolean =>
  JSON.stringify(one.files.map(({ filename, size, digest }) => [filename, size, digest])) ===
  JSON.stringify(other.files.map(({ filename, size, digest }) => [filename, size, digest]))
