import { isReportType, knownType } from '../../shared/attachment-filename.ts'
import type { BodyOwner } from '../../shared/contract.ts'
import type { Attachment, ListedAttachment } from '../../shared/attachments.ts'
import type { Reading } from '../../shared/reading.ts'
import { ProblemError, toProblem } from '../../shared/result.ts'
import type { Content } from '../contents/contents.ts'
import { createRecent } from '../timing/recent.ts'
import { problem } from '../saying.ts'
import type { Attachments } from './attachments.ts'
import type { PartsWork } from './read-parts.ts'
import { isSignatureType, isSmimeType } from './smime-types.ts'

/** Attachments of an e-mail that are looked at, and of them those whose type is not known: each is fetched for it. */
const MOST_LOOKED_AT = 50
const MOST_FETCHED = 10
/** Attachments that are read: each may take its ten seconds. */
const MOST_READ = 8
/** Bytes: more than these are not fetched to be read by themselves. */
const LARGEST = {
  calendar: 1024 * 1024,
  report: 4 * 1024 * 1024,
  unknown: 1024 * 1024,
  signed: 40 * 1024 * 1024,
} as const
/** Characters of a report. */
const LONGEST_REPORT = 20_000
/** Attachments of which is remembered what they say. */
const REMEMBERED = 30

type Kind = 'calendar' | 'signed' | 'report' | 'pgp version' | 'pgp' | 'packed' | 'unknown'

const CALENDAR_TYPES = /^(?:text\/(?:x-v)?calendar|application\/(?:ics|x-ics|calendar))$/
const OUTLOOK_TYPES = /^application\/(?:vnd\.)?ms-tnef$/

/** What an attachment is to be read as; null for one that is a file and nothing else. */
const kindOf = ({ filename, contentType }: Pick<ListedAttachment, 'filename' | 'contentType'>): Kind | null => {
  const type = knownType(contentType)
  const name = (filename ?? '').toLowerCase()
  if (isReportType(type)) return 'report'
  if (isSignatureType(type) || name.endsWith('.p7s')) return null
  if (isSmimeType(type) || /\.p7[mz]$/.test(name)) return 'signed'
  if (type === 'application/pgp-encrypted') return 'pgp version'
  if (CALENDAR_TYPES.test(type) || name.endsWith('.ics')) return 'calendar'
  if (OUTLOOK_TYPES.test(type) || /^win(?:mail|dat)?\d*\.dat$/.test(name)) return 'packed'
  if (/\.(?:asc|pgp|gpg)$/.test(name)) return 'pgp'
  // What has no name is called so, as long as nothing says what it is.
  return type === '' && name === 'attachment' ? 'unknown' : null
}

const aboutOf = (type: string): Extract<Reading, { kind: 'report' }>['about'] => {
  if (type.includes('headers')) return 'headers'
  if (type.includes('disposition')) return 'reading'
  return type.includes('feedback') ? 'complaint' : 'delivery'
}

const ARMOUR = '-----BEGIN PGP MESSAGE-----'
/** OpenPGP without armour begins with a packet for the session's key (RFC 9580, 4.2, 5.1, 5.3). */
const isPgpMessage = (bytes: Uint8Array): boolean =>
  [0x84, 0x85, 0x8c, 0xc1, 0xc3].includes(bytes[0] ?? 0) ||
  new TextDecoder().decode(bytes.subarray(0, 1_000)).includes(ARMOUR)

const plain = ({ isHere: _here, fetching: _fetching, ...attachment }: ListedAttachment): Attachment => attachment

/** What an e-mail's attachments say beside its text. */
export interface Readings {
  /**
   * Reads the attachments that are read and not only kept: invitations, S/MIME, reports. They are fetched where they are
   * not here; files alone are not. An invitation that is there twice is read once.
   */
  readonly list: (of: BodyOwner) => Promise<readonly Reading[]>
  /** The HTML within signatures of an e-mail that was read; null where there is none. */
  readonly signedHtml: (of: BodyOwner) => string | null
}

export const createReadings = ({
  attachments,
  read,
  signal,
  report,
}: {
  readonly attachments: Pick<Attachments, 'list' | 'find' | 'fetch' | 'keepWithin'>
  /** In a thread of its own. */
  readonly read: <Work extends 'calendar' | 'signed'>(work: Work, bytes: Uint8Array) => Promise<PartsWork[Work]>
  readonly signal: AbortSignal
  readonly report: (thrown: unknown) => void
}): Readings => {
  const calendars = createRecent<Promise<PartsWork['calendar']>>(REMEMBERED)
  const signedHtml = createRecent<string | null>(REMEMBERED)
  const signedMessages = createRecent<Promise<PartsWork['signed']>>(REMEMBERED)

  /** What a file says, read once as long as it is remembered. */
  const once = async <Work extends 'calendar' | 'signed'>(
    recent: ReturnType<typeof createRecent<Promise<PartsWork[Work]>>>,
    work: Work,
    { digest, bytes }: Content,
  ): Promise<PartsWork[Work]> => {
    const reading = recent.get(digest) ?? recent.put(digest, read(work, bytes))
    return reading.catch((thrown: unknown) => {
      recent.drop(digest)
      throw thrown
    })
  }

  const fetch = async (of: BodyOwner, { id, size }: ListedAttachment, largest: number): Promise<Content> => {
    const tooLarge = (): ProblemError => problem('refused', 'This is too large to show. Save it instead.')
    if ((size ?? 0) > largest) throw tooLarge()
    const content = await attachments.fetch(of, id)
    if (content.bytes.byteLength > largest) throw tooLarge()
    return content
  }

  const readers: Readonly<
    Record<
      'calendar' | 'signed' | 'report' | 'pgp',
      {
        readonly what: Extract<Reading, { kind: 'unreadable' }>['what']
        readonly read: (of: BodyOwner, attachment: ListedAttachment) => Promise<Reading | null>
      }
    >
  > = {
    calendar: {
      what: 'invitation',
      read: async (of, attachment) => {
        const invitation = await once(calendars, 'calendar', await fetch(of, attachment, LARGEST.calendar))
        return invitation === null ? null : { kind: 'invitation', attachment: plain(attachment), invitation }
      },
    },
    signed: {
      what: 'signed',
      read: async (of, attachment) => {
        const message = await once(signedMessages, 'signed', await fetch(of, attachment, LARGEST.signed))
        if (message.kind === 'none') return null
        if (message.kind === 'encrypted') return { kind: 'encrypted', attachment: plain(attachment), by: message.by }
        await attachments.keepWithin(of, attachment.id, message.files).catch((thrown: unknown) => {
          signal.throwIfAborted()
          report(thrown)
        })
        signedHtml.put(JSON.stringify(of), message.html)
        return { kind: 'signed', attachment: plain(attachment), html: message.html, text: message.text }
      },
    },
    report: {
      what: 'report',
      read: async (of, attachment) => {
        const { bytes } = await fetch(of, attachment, LARGEST.report)
        const text = new TextDecoder()
          .decode(bytes.subarray(0, 4 * LONGEST_REPORT))
          .replace(/\r\n?/g, '\n')
          .trim()
        return {
          kind: 'report',
          attachment: plain(attachment),
          about: aboutOf(knownType(attachment.contentType)),
          text: text.slice(0, LONGEST_REPORT),
          isCut: text.length > LONGEST_REPORT || bytes.byteLength > 4 * LONGEST_REPORT,
        }
      },
    },
    pgp: {
      what: 'encrypted',
      read: async (of, attachment) => {
        const { bytes } = await fetch(of, attachment, LARGEST.signed)
        return isPgpMessage(bytes) ? { kind: 'encrypted', attachment: plain(attachment), by: 'PGP' } : null
      },
    },
  }

  /** Fetches what nothing says the type of: it has one then. */
  const recognised = async (
    of: BodyOwner,
    items: readonly ListedAttachment[],
  ): Promise<{ readonly items: readonly ListedAttachment[]; readonly failed: readonly Reading[] }> => {
    const failed: Reading[] = []
    const known: ListedAttachment[] = []
    let fetched = 0
    for (const item of items) {
      if (kindOf(item) !== 'unknown' || (item.size ?? 0) > LARGEST.unknown || (fetched += 1) > MOST_FETCHED) {
        known.push(item)
        continue
      }
      try {
        await attachments.fetch(of, item.id)
        known.push({ ...item, ...(await attachments.find(of, item.id)) })
      } catch (thrown) {
        signal.throwIfAborted()
        failed.push({ kind: 'unreadable', attachment: plain(item), what: 'file', problem: toProblem(thrown) })
      }
    }
    return { items: known, failed }
  }

  const newlyListed = async (
    of: BodyOwner,
    known: readonly ListedAttachment[],
  ): Promise<readonly ListedAttachment[]> => {
    const ids = new Set(known.map(({ id }) => id))
    return (await attachments.list(of)).items.filter(({ id }) => !ids.has(id)).slice(0, MOST_LOOKED_AT)
  }

  return {
    signedHtml: (of) => signedHtml.get(JSON.stringify(of)) ?? null,
    list: async (of) => {
      const listed = await attachments.list(of)
      const { items, failed } = await recognised(of, listed.items.slice(0, MOST_LOOKED_AT))
      const readings: Reading[] = []
      let begun = 0
      // PGP/MIME (RFC 3156, 4): a part that says so, and behind it the one that is encrypted.
      const version = items.findIndex((item) => kindOf(item) === 'pgp version')
      const encrypted = version === -1 ? undefined : (items[version + 1] ?? items[version])
      if (encrypted !== undefined) readings.push({ kind: 'encrypted', attachment: plain(encrypted), by: 'PGP' })
      const queue = [...items]
      for (const item of queue) {
        const kind = kindOf(item)
        if (kind === 'packed') readings.push({ kind, attachment: plain(item) })
        if (kind === null || !(kind in readers) || item.id === encrypted?.id || (begun += 1) > MOST_READ) continue
        const { what, read: readIt } = readers[kind as keyof typeof readers]
        try {
          const reading = await readIt(of, item)
          if (reading !== null) readings.push(reading)
          // What is within a signature is read as well, such as an invitation.
          if (reading?.kind === 'signed') queue.push(...(await newlyListed(of, queue)))
        } catch (thrown) {
          signal.throwIfAborted()
          if (!(thrown instanceof ProblemError)) throw thrown
          readings.push({ kind: 'unreadable', attachment: plain(item), what, problem: thrown.problem })
        }
      }
      const said = new Set<string>()
      return [...readings, ...failed].filter((reading) => {
        if (reading.kind !== 'invitation') return true
        const words = JSON.stringify(reading.invitation)
        return said.size < said.add(words).size
      })
    },
  }
}
