import { decodeText } from 'linnet-mime/charsets'
import { isReportType, normalizeMediaType } from '../../../shared/attachment-filename.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { Attachment, ListedAttachment } from '../../../shared/attachments.ts'
import type { ParsedAttachment } from '../../../shared/parsed-attachment.ts'
import { ProblemError, toProblem, createProblem } from '../../../shared/result.ts'
import type { BlobContent } from '../../store/blobs.ts'
import { createRecentMap, createResultCache } from '../../timing/recent-map.ts'
import type { Attachments } from './attachments.ts'
import type { MessageParseResults } from './parse-in-worker.ts'
import { isSignatureType, isSmimeType } from './smime-types.ts'

/** Maximum attachments to check per e-mail. */
const MAX_CHECKED_ATTACHMENTS = 50
/** Maximum attachments of unknown type to fetch for type detection. */
const MAX_FETCHED = 10
/** Maximum attachments to read; each may take ten seconds. */
const MAX_READ = 8
/** Largest downloads that the user didn't ask for, in bytes. */
const MAX_DOWNLOAD_BYTES = {
  calendar: 1024 * 1024,
  report: 4 * 1024 * 1024,
  unknown: 1024 * 1024,
  signed: 40 * 1024 * 1024,
  pgp: 40 * 1024 * 1024,
} as const
const MAX_REPORT_LENGTH = 20_000
/** Number of attachments whose parsed content is cached. */
const MAX_CACHED = 30

type ReadKind = 'calendar' | 'signed' | 'report' | 'pgp'
type Kind = ReadKind | 'pgp version' | 'packed' | 'unknown'

const UNREADABLE: Readonly<Record<ReadKind, Extract<ParsedAttachment, { kind: 'unreadable' }>['what']>> = {
  calendar: 'invitation',
  signed: 'signed',
  report: 'report',
  pgp: 'encrypted',
}
const isReadKind = (kind: Kind | null): kind is ReadKind => kind !== null && kind in UNREADABLE

const CALENDAR_TYPES = /^(?:text\/(?:x-v)?calendar|application\/(?:ics|x-ics|calendar))$/
const OUTLOOK_TYPES = /^application\/(?:vnd\.)?ms-tnef$/

/** Null for a plain file. */
const kindOf = ({ filename, contentType }: Pick<ListedAttachment, 'filename' | 'contentType'>): Kind | null => {
  const type = normalizeMediaType(contentType)
  const name = (filename ?? '').toLowerCase()
  if (isReportType(type)) return 'report'
  if (isSignatureType(type) || name.endsWith('.p7s')) return null
  if (isSmimeType(type) || /\.p7[mz]$/.test(name)) return 'signed'
  if (type === 'application/pgp-encrypted') return 'pgp version'
  if (CALENDAR_TYPES.test(type) || name.endsWith('.ics')) return 'calendar'
  if (OUTLOOK_TYPES.test(type) || /^win(?:mail|dat)?\d*\.dat$/.test(name)) return 'packed'
  if (/\.(?:asc|pgp|gpg)$/.test(name)) return 'pgp'
  // Placeholder name until the type is known.
  return type === '' && name === 'attachment' ? 'unknown' : null
}

const aboutOf = (type: string): Extract<ParsedAttachment, { kind: 'report' }>['about'] => {
  if (type.includes('headers')) return 'headers'
  if (type.includes('disposition')) return 'reading'
  return type.includes('feedback') ? 'complaint' : 'delivery'
}

const ARMOR = '-----BEGIN PGP MESSAGE-----'
/** Binary OpenPGP starts with a session-key packet (RFC 9580, 4.2, 5.1, 5.3). */
const isPgpMessage = (bytes: Uint8Array): boolean =>
  [0x84, 0x85, 0x8c, 0xc1, 0xc3].includes(bytes[0] ?? 0) ||
  new TextDecoder().decode(bytes.subarray(0, 1_000)).includes(ARMOR)

/** Converts a calendar in another charset to UTF-8. Unfolds lines first: folding may split a character. */
const toUtf8 = (content: BlobContent): BlobContent => {
  const charset = /;\s*charset=(?!utf-?(?:8|16))([\w-]+)/i.exec(content.contentType ?? '')?.[1]
  if (charset === undefined) return content
  const lines = Buffer.from(content.bytes).toString('latin1')
  const unfolded = Buffer.from(lines.replace(/\r?\n[ \t]/g, ''), 'latin1')
  return { ...content, digest: `${content.digest} ${charset}`, bytes: Buffer.from(decodeText(unfolded, charset)) }
}

const toAttachment = ({ isHere: _here, fetching: _fetching, ...attachment }: ListedAttachment): Attachment => attachment

const parseReport = (attachment: Attachment, bytes: Uint8Array): ParsedAttachment => {
  const text = new TextDecoder()
    .decode(bytes.subarray(0, 4 * MAX_REPORT_LENGTH))
    .replace(/\r\n?/g, '\n')
    .trim()
  return {
    kind: 'report',
    attachment,
    about: aboutOf(normalizeMediaType(attachment.contentType)),
    text: text.slice(0, MAX_REPORT_LENGTH),
    isCut: text.length > MAX_REPORT_LENGTH || bytes.byteLength > 4 * MAX_REPORT_LENGTH,
  }
}

interface AttachmentContentParts {
  readonly attachments: Pick<Attachments, 'list' | 'find' | 'fetch' | 'storeNested'>
  /** Runs in a worker thread. */
  readonly read: <Work extends 'calendar' | 'signed'>(
    work: Work,
    bytes: Uint8Array,
  ) => Promise<MessageParseResults[Work]>
  readonly signal: AbortSignal
  readonly report: (thrown: unknown) => void
}

/** Content that Linnet reads from attachments: invitations, S/MIME and reports. */
export class AttachmentContent {
  readonly #parts: AttachmentContentParts
  /** Parsed content by digest. */
  readonly #invitations = createResultCache<MessageParseResults['calendar']>(MAX_CACHED)
  readonly #signed = createResultCache<MessageParseResults['signed']>(MAX_CACHED)
  readonly #signedHtml = createRecentMap<string | null>(MAX_CACHED)

  constructor(parts: AttachmentContentParts) {
    this.#parts = parts
  }

  /** HTML inside an e-mail's signed content, or null until it has been read. */
  signedHtml(of: BodyOwner): string | null {
    return this.#signedHtml.get(JSON.stringify(of)) ?? null
  }

  /** Reads invitations, S/MIME and reports, fetching them if necessary. Duplicate invitations are read once. */
  async list(of: BodyOwner): Promise<readonly ParsedAttachment[]> {
    const listed = await this.#parts.attachments.list(of)
    const { items, failed } = await this.#withDetectedTypes(of, listed.items.slice(0, MAX_CHECKED_ATTACHMENTS))
    const readings: ParsedAttachment[] = []
    let begun = 0
    // PGP/MIME (RFC 3156, 4): a version part, then the encrypted part.
    const version = items.findIndex((item) => kindOf(item) === 'pgp version')
    const encrypted = version === -1 ? undefined : (items[version + 1] ?? items[version])
    if (encrypted !== undefined) readings.push({ kind: 'encrypted', attachment: toAttachment(encrypted), by: 'PGP' })
    const queue = [...items]
    for (const item of queue) {
      const kind = kindOf(item)
      if (kind === 'packed') readings.push({ kind, attachment: toAttachment(item) })
      if (!isReadKind(kind) || item.id === encrypted?.id || (begun += 1) > MAX_READ) continue
      const reading = await this.#tryToRead(kind, of, item)
      if (reading !== null) readings.push(reading)
      // Also read signed content, such as an invitation.
      if (reading?.kind === 'signed') queue.push(...(await this.#newlyListed(of, queue)))
    }
    const invitations = new Set<string>()
    return [...readings, ...failed].filter((reading) => {
      if (reading.kind !== 'invitation') return true
      const words = JSON.stringify(reading.invitation)
      return invitations.size < invitations.add(words).size
    })
  }

  /** Fetches attachments of unknown type to determine it. */
  async #withDetectedTypes(
    of: BodyOwner,
    items: readonly ListedAttachment[],
  ): Promise<{ readonly items: readonly ListedAttachment[]; readonly failed: readonly ParsedAttachment[] }> {
    const { attachments, signal } = this.#parts
    const failed: ParsedAttachment[] = []
    const known: ListedAttachment[] = []
    let fetched = 0
    for (const item of items) {
      if (kindOf(item) !== 'unknown' || (item.size ?? 0) > MAX_DOWNLOAD_BYTES.unknown || (fetched += 1) > MAX_FETCHED) {
        known.push(item)
        continue
      }
      try {
        await attachments.fetch(of, item.id)
        known.push({ ...item, ...(await attachments.find(of, item.id)) })
      } catch (thrown) {
        signal.throwIfAborted()
        failed.push({ kind: 'unreadable', attachment: toAttachment(item), what: 'file', problem: toProblem(thrown) })
      }
    }
    return { items: known, failed }
  }

  async #newlyListed(of: BodyOwner, known: readonly ListedAttachment[]): Promise<readonly ListedAttachment[]> {
    const ids = new Set(known.map(({ id }) => id))
    return (await this.#parts.attachments.list(of)).items
      .filter(({ id }) => !ids.has(id))
      .slice(0, MAX_CHECKED_ATTACHMENTS)
  }

  async #tryToRead(kind: ReadKind, of: BodyOwner, item: ListedAttachment): Promise<ParsedAttachment | null> {
    const { read, signal } = this.#parts
    const attachment = toAttachment(item)
    try {
      const content = await this.#fetch(of, item, MAX_DOWNLOAD_BYTES[kind])
      switch (kind) {
        case 'calendar': {
          const { digest, bytes } = toUtf8(content)
          const invitation = await this.#invitations.get(digest, () => read('calendar', bytes))
          return invitation === null ? null : { kind: 'invitation', attachment, invitation }
        }
        case 'signed':
          return await this.#readSigned(of, attachment, content)
        case 'report':
          return parseReport(attachment, content.bytes)
        case 'pgp':
          return isPgpMessage(content.bytes) ? { kind: 'encrypted', attachment, by: 'PGP' } : null
      }
    } catch (thrown) {
      signal.throwIfAborted()
      if (!(thrown instanceof ProblemError)) throw thrown
      return { kind: 'unreadable', attachment, what: UNREADABLE[kind], problem: thrown.problem }
    }
  }

  async #readSigned(of: BodyOwner, attachment: Attachment, content: BlobContent): Promise<ParsedAttachment | null> {
    const { attachments, read, signal, report } = this.#parts
    const message = await this.#signed.get(content.digest, () => read('signed', content.bytes))
    if (message.kind === 'none') return null
    if (message.kind === 'encrypted') return { kind: 'encrypted', attachment, by: message.by }
    await attachments.storeNested(of, attachment.id, message.files).catch((thrown: unknown) => {
      signal.throwIfAborted()
      report(thrown)
    })
    this.#signedHtml.put(JSON.stringify(of), message.html)
    return { kind: 'signed', attachment, html: message.html, text: message.text }
  }

  async #fetch(of: BodyOwner, { id, size }: ListedAttachment, largest: number): Promise<BlobContent> {
    const tooLarge = (): ProblemError =>
      createProblem('refused', 'This attachment is too large to show. Save it instead.')
    if ((size ?? 0) > largest) throw tooLarge()
    const content = await this.#parts.attachments.fetch(of, id)
    if (content.bytes.byteLength > largest) throw tooLarge()
    return content
  }
}
