import type { Browser, Page } from '@playwright/test'
import type { Cache } from '../../src/engine/store/cache.ts'
import type { InboxRef } from '../../src/engine/store/inboxes.ts'
import { Random } from '../../packages/platform/src/random.ts'
import { measureOpening, type BlockedFrames } from '../support/blocked-frames.ts'
import { emailOf, threadOf } from '../support/raw-payloads.ts'
import { frameLength, launchBenchBrowser, makeOfflineAccount, type OfflineAccount } from './bench-window.ts'
import { median, percentile, type Figure } from './figure.ts'
import { drawRank, NOW, wordOfRank } from './filled-inbox.ts'

const LONG = 500
const SHORT = 5
/** Number of threads of each length. They are opened alternately. */
const OPENED = 5
const ROUNDS = 3
/** Enough further threads for the list to scroll. */
const BELOW = 20
/** Maximum time to the first words of a long thread, as a multiple of the time for a short one. */
const MAX_LONGER = 2
/** Maximum milliseconds without a frame. */
const FRAME_MS = 200
/** Extra window memory allowed for a long thread, in megabytes. */
const MAX_MEMORY = 20
const HOUR = 3_600_000

const drawWords = (random: Random, count: number): string =>
  Array.from({ length: count }, () => wordOfRank(drawRank(random))).join(' ')

/** A letter as mail programs write it: text, and the same in HTML with the quoted text below. */
const drawLetter = (random: Random): { readonly html: string; readonly text: string } => {
  const [own, quoted] = [drawWords(random, 120), drawWords(random, 300)]
  return {
    html: `<div dir="ltr"><p style="margin:0 0 8px">${own}</p></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Monday Ada Abel wrote:<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid">${quoted}</blockquote></div>`,
    text: `${own}\n\nOn Monday Ada Abel wrote:\n> ${quoted}`,
  }
}

const subjectOf = (count: number, at: number): string => `Of ${count} e-mails, number ${at}`

/** Stores threads of both lengths alternately, newest first, in HTML. Only the newest e-mail of each is unread. */
const fillThreads = (cache: Cache, inbox: InboxRef): void => {
  const random = new Random(11)
  const lengths = [
    ...Array.from({ length: OPENED }, () => [LONG, SHORT]).flat(),
    ...Array.from({ length: BELOW }, () => 1),
  ]
  for (const [at, count] of lengths.entries()) {
    const time = NOW - at * HOUR
    const subject = subjectOf(count, at)
    const [person, own] = ['Ada Abel <ada.abel@company.example>', 'Desk <inbox@linnet.example>']
    const emails = Array.from({ length: count }, (_, place) => {
      const isOutbound = place % 2 === 1
      return emailOf({
        id: random.uuid(),
        direction: isOutbound ? 'outbound' : 'inbound',
        from: isOutbound ? own : person,
        to: [isOutbound ? person : own],
        cc: [],
        bcc: [],
        reply_to: [],
        subject: place === 0 ? subject : `Re: ${subject}`,
        message_id: `<${random.uuid()}@mail.example>`,
        ...drawLetter(random),
        attachments: [],
        read: true,
        received_at: new Date(time - (count - 1 - place) * 60_000).toISOString(),
      })
    })
    const thread = threadOf({
      id: random.uuid(),
      subject,
      from: person,
      to: [own],
      cc: [],
      bcc: [],
      labels: [],
      email_count: count,
      has_attachment: false,
      has_draft: false,
      read: true,
      received_at: new Date(time).toISOString(),
      folder: 'inbox',
    })
    cache.inTransaction(() => {
      cache.threads.storePage(inbox, [thread], { askedAt: 0, inSent: false })
      cache.emails.storePage(inbox, thread.id, emails)
      cache.threads.storeReading(inbox, thread.id, { emailsAt: time, snippet: subject, hasOutbound: count > 1 })
    })
  }
}

/** Megabytes of the page's heap after garbage collection. */
const memoryOf = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1_000_000
}

interface Opening extends BlockedFrames {
  readonly memory: number
}

const openThread = async (page: Page, subject: string): Promise<Opening> => {
  await page.getByRole('listbox').evaluate((list) => list.scrollTo({ top: 0, behavior: 'instant' }))
  const row = page.getByRole('option', { name: new RegExp(`${subject}\\b`) })
  const blocked = await measureOpening(page, row, 'article .prose, article iframe')
  const memory = await memoryOf(page)
  await page.keyboard.press('Escape')
  await page.locator('article').first().waitFor({ state: 'detached' })
  return { ...blocked, memory }
}

/**
 * Opens threads of 500 and of five e-mails alternately, offline: time to the first painted words, longest time without
 * a frame, and the window's memory. Needs `npm run build`.
 */
export const measureLongThreads = async (): Promise<readonly Figure[]> => {
  const browser: Browser = await launchBenchBrowser()
  let account: OfflineAccount | null = null
  const [long, short]: readonly [Opening[], Opening[]] = [[], []]
  try {
    account = await makeOfflineAccount(browser, fillThreads)
    const { page, close } = await account.open(browser)
    await page.getByRole('listbox').getByRole('option').first().waitFor({ timeout: 120_000 })
    const frame = await frameLength(page)
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let at = 0; at < 2 * OPENED; at += 2) {
        long.push(await openThread(page, subjectOf(LONG, at)))
        short.push(await openThread(page, subjectOf(SHORT, at + 1)))
      }
    }
    await close()
    const medianOf = (openings: readonly Opening[], of: keyof Opening): number =>
      median(openings.map((opening) => opening[of]))
    const [longShown, shortShown] = [medianOf(long, 'untilShown'), medianOf(short, 'untilShown')]
    const most = percentile(
      long.map(({ longest }) => longest),
      0.95,
    )
    return [
      {
        name: `a thread of ${LONG} e-mails is clicked, until the first words are painted, against one of ${SHORT}`,
        measured: longShown / shortShown,
        unit: '×',
        bound: { kind: 'at most', value: MAX_LONGER },
        note: `medians ${longShown} ms and ${shortShown} ms of ${long.length} each; a frame ${frame.toFixed(1)} ms`,
      },
      {
        name: 'the longest time without a frame while such a thread opens: p95',
        measured: most,
        unit: 'ms',
        bound: { kind: 'at most', value: FRAME_MS },
        note: `medians ${medianOf(long, 'longest')} ms, and ${medianOf(short, 'longest')} ms of the short ones`,
      },
      {
        name: 'what the window holds while it is open, beyond a short one',
        measured: medianOf(long, 'memory') - medianOf(short, 'memory'),
        unit: 'MB',
        bound: { kind: 'at most', value: MAX_MEMORY },
        note: `${medianOf(long, 'memory').toFixed(1)} MB and ${medianOf(short, 'memory').toFixed(1)} MB of JavaScript's memory`,
      },
    ]
  } finally {
    await browser.close()
    account?.remove()
  }
}
