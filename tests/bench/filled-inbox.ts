import type { FetchedEmail } from '../../src/engine/platform/resources/thread-emails.ts'
import type { FetchedThread } from '../../src/engine/platform/resources/threads.ts'
import type { Cache } from '../../src/engine/store/cache.ts'
import type { InboxRef } from '../../src/engine/store/inboxes.ts'
import type { Folder } from '../../src/shared/model.ts'
import { emailOf, threadOf } from '../support/raw-payloads.ts'
import { Random } from '../../packages/platform/src/random.ts'

const HOUR = 3_600_000
/** About one thread per half hour. */
const SPACING = 0.4 * HOUR
/** Current time in the generated mailbox; the newest mail is slightly older. */
export const NOW = Date.UTC(2026, 10, 1)
const THREADS_A_PAGE = 100

/** Vocabulary size. Frequencies follow Zipf's law, as in natural language: proportional to 1/rank. */
const VOCABULARY = 20_000
const SYLLABLES = 'ba ce di fo gu ka le mi no pu ra se ti vo xu za che dri flo gle kna sto tri wem yal'.split(' ')
export const wordOfRank = (rank: number): string => {
  let word = ''
  for (let rest = rank + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length] ?? ''
  }
  return word
}
export const drawRank = (random: Random): number => Math.floor(VOCABULARY ** random.next())

export const FIRST_NAMES =
  'Ada Ben Cleo Dan Eva Finn Gita Hugo Ines Jan Kim Lena Milo Nora Omar Pia Rosa Sam Tara Uma'.split(' ')
export const LAST_NAMES =
  'Abel Brandt Costa Duarte Ekman Fischer Garcia Haddad Ito Jansen Kowalska Lindholm Novak'.split(' ')
export const LABELS = ['label-a', 'label-b', 'label-c']

/** A thread with its e-mails, oldest first, as the platform returns them. */
interface GeneratedThread {
  readonly thread: FetchedThread
  readonly emails: readonly FetchedEmail[]
}

const drawText = (random: Random, least: number, most: number): string =>
  Array.from({ length: least + random.below(most - least + 1) }, () => wordOfRank(drawRank(random))).join(' ')

const drawFolder = (random: Random): Folder => {
  const share = random.below(100)
  return share < 55 ? 'inbox' : share < 90 ? 'archive' : share < 94 ? 'sent' : share < 98 ? 'spam' : 'trash'
}

const generateThread = (random: Random, time: number, only: Folder | null): GeneratedThread => {
  const drawn = drawFolder(random)
  const folder = only ?? drawn
  const name = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`
  const person = `${name} <${name.toLowerCase().replace(' ', '.')}@company${random.below(40)}.example>`
  const own = 'Desk <inbox@linnet.example>'
  const subject = drawText(random, 2, 6)
  const count = random.next() < 0.5 ? 1 : 1 + random.below(5)
  const emails = Array.from({ length: count }, (_, at) => {
    const isOutbound = folder === 'sent' || at % 2 === 1
    return {
      id: random.uuid(),
      direction: isOutbound ? 'outbound' : 'inbound',
      from: isOutbound ? own : person,
      to: [isOutbound ? person : own],
      cc: [],
      bcc: [],
      reply_to: [],
      subject: at === 0 ? subject : `Re: ${subject}`,
      message_id: `<${random.uuid()}@mail.example>`,
      html: null,
      text: drawText(random, 60, 260),
      attachments:
        random.next() < 0.1 ? [{ id: random.uuid(), filename: `${drawText(random, 1, 1)}.pdf`, size: 1000 }] : [],
      read: true,
      received_at: new Date(time - (count - 1 - at) * HOUR).toISOString(),
    }
  })
  const newest = emails.at(-1)
  const thread = threadOf({
    id: random.uuid(),
    subject,
    from: newest?.from,
    to: newest?.to,
    cc: [],
    bcc: [],
    labels: random.next() < 0.1 ? [{ id: random.pick(LABELS) }] : [],
    email_count: count,
    has_attachment: (newest?.attachments ?? []).length > 0,
    has_draft: false,
    read: random.next() > 0.2,
    received_at: newest?.received_at,
    folder,
  })
  return { thread, emails: emails.map(emailOf) }
}

/**
 * Threads, newest first, in pages of 100, until they contain `size` e-mails: about two per thread. Deterministic.
 * @param only the folder of all threads, or null for any folder
 */
export function* generatePages(size: number, only: Folder | null = null): Generator<readonly GeneratedThread[]> {
  const random = new Random(7)
  for (let [emails, threads] = [0, 0]; emails < size; threads += THREADS_A_PAGE) {
    const page = Array.from({ length: THREADS_A_PAGE }, (_, at) =>
      generateThread(random, NOW - (threads + at + random.next()) * SPACING, only),
    )
    emails += page.reduce((sum, thread) => sum + thread.emails.length, 0)
    yield page
  }
}

/** Formats an e-mail as a Maildir file. */
export const messageOf = (email: FetchedEmail): string =>
  [
    `Message-ID: ${email.messageId}`,
    `Date: ${new Date(email.receivedAt).toUTCString()}`,
    `From: ${email.from}`,
    `To: ${String(email.to)}`,
    `Subject: ${email.subject}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    email.text,
  ].join('\r\n')

export interface Filling {
  readonly emails: number
  /** Total size of the messages as sent: headers and text. */
  readonly bytes: number
  /** Time of the oldest e-mail, in milliseconds since the epoch. */
  readonly oldest: number
  /** Time for writing alone, without generating the messages. */
  readonly secondsToFill: number
}

/** Fills an empty inbox with `size` e-mails, written page by page like sync. @param only as for `generatePages` */
export const fillInbox = (cache: Cache, inbox: InboxRef, size: number, only: Folder | null = null): Filling => {
  let [emails, threads, bytes, milliseconds] = [0, 0, 0, 0]
  for (const page of generatePages(size, only)) {
    const start = performance.now()
    cache.inTransaction(() => {
      cache.threads.storePage(
        inbox,
        page.map(({ thread }) => thread),
        { askedAt: 0, inSent: false },
      )
    })
    for (const { thread, emails: mails } of page) {
      cache.inTransaction(() => {
        cache.emails.storePage(inbox, thread.id, mails)
        const emailsAt = cache.threads.get(inbox, thread.id)?.receivedAt ?? 0
        const hasOutbound = mails.some(({ direction }) => direction === 'outbound')
        const snippet = mails.at(-1)?.text?.slice(0, 200) ?? null
        cache.threads.storeReading(inbox, thread.id, { emailsAt, snippet, hasOutbound })
      })
    }
    milliseconds += performance.now() - start
    threads += page.length
    for (const { emails: mails } of page) {
      emails += mails.length
      for (const mail of mails) bytes += messageOf(mail).length
    }
  }
  return { emails, bytes, oldest: NOW - threads * SPACING, secondsToFill: milliseconds / 1000 }
}
