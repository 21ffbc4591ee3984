import { parseRecipient } from '../../shared/recipients.ts'
import type { DraftContent, DraftFile, Recipient } from '../../shared/writing.ts'
import { DRAFT_BOUNDS } from '../../shared/writing-limits.ts'
import type { FetchedDraft } from '../api/drafts.ts'
import { textOfHtml } from '../search-index/text-of-html.ts'
import { assembleMessage } from './assemble-message.ts'

/** A recipient as the platform has it, shown as it is there: it need not have the form of an address. */
export const toRecipient = (text: string): Recipient =>
  parseRecipient(text) ?? { name: null, address: text.slice(0, DRAFT_BOUNDS.address) }

/**
 * A draft of the platform as the composer shows it.
 * @param known files of this computer: those of the same names and lengths are the same
 */
export const contentOfPlatform = (draft: FetchedDraft, known: readonly DraftFile[] = []): DraftContent => {
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
    text: (draft.text ?? (html === '' ? '' : textOfHtml(html).trim())).slice(0, DRAFT_BOUNDS.body),
    // The platform does not say where the quoted text begins.
    quote: null,
    files,
  }
}

const people = (recipients: readonly Recipient[]): readonly string[] =>
  recipients.map(({ name, address }) => `${name ?? ''} <${address.toLowerCase()}>`)

/** What a draft says, whoever shows it: the same where two say the same. */
export const sayingOf = (content: DraftContent): string => {
  const { html, text } = assembleMessage(content)
  return JSON.stringify([
    people(content.to),
    people(content.cc),
    people(content.bcc),
    content.subject,
    html ?? '',
    // With HTML the plain text follows from it.
    html === null || html === '' ? text.trim() : '',
    content.files.map(({ filename, size }) => [filename, size]),
  ])
}

/** The words of a draft, whatever the platform makes of its HTML: for what came back of what was sent there. */
export const wordsOf = (content: DraftContent): string => {
  const { html, text } = assembleMessage(content)
  const words = html === null || html === '' ? text : textOfHtml(html)
  const addresses = [content.to, content.cc, content.bcc].map((each) =>
    each.map(({ address }) => address.toLowerCase()),
  )
  const sizes = content.files.map(({ filename, size }) => [filename, size])
  return JSON.stringify([addresses, content.subject.trim(), words.replace(/\s+/g, ' ').trim(), sizes])
}

export const haveSameFiles = (one: DraftContent, other: DraftContent): boolean =>
  JSON.stringify(one.files.map(({ filename, size, digest }) => [filename, size, digest])) ===
  JSON.stringify(other.files.map(({ filename, size, digest }) => [filename, size, digest]))
