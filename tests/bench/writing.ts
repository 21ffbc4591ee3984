import type { Page } from '@playwright/test'
import { emailOf, threadOf } from '../support/raw-payloads.ts'
import {
  frameLength,
  launchBenchBrowser,
  makeOfflineAccount,
  openPage,
  pressAndWatch,
  watchPaints,
} from './bench-window.ts'
import { percentile, type Figure } from './figure.ts'
import { FIRST_NAMES, fillInbox, NOW, wordOfRank } from './filled-inbox.ts'

/** Number of e-mails: two thousand threads with different people, so well over a thousand addresses. */
const EMAILS = 5_000
/** Size of the quoted text, in bytes. */
const QUOTED = 200_000
const ROUNDS = 3
const LETTERS_A_ROUND = 80
/** Number of letters typed before each pause, in which the draft is saved. */
const LETTERS_A_PAUSE = 20
const PAUSE_MS = 700
/** Milliseconds between letters. */
const LETTER_MS = 90
/** Milliseconds to wait after a letter in To for the list of suggestions to be painted. */
const LISTED_MS = 200
const MAX_FRAMES = 2
const MAX_FRAMES_TO_LIST = 1
const LONG_SUBJECT = 'What was written before'

const EMPTY_PAGE =
  '<!doctype html><main><input id="field" oninput="line.textContent = this.value"><p id="line"></p></main>'

/** @returns milliseconds per letter until it was painted */
const typeLetters = async (page: Page, round: number): Promise<readonly number[]> => {
  const times: number[] = []
  const words = Array.from({ length: 40 }, (_, at) => wordOfRank(round * 100 + at)).join('')
  for (const [at, letter] of Array.from(words.slice(0, LETTERS_A_ROUND)).entries()) {
    times.push((await pressAndWatch(page, letter, LETTER_MS)).first)
    if (at % LETTERS_A_PAUSE === LETTERS_A_PAUSE - 1) await page.waitForTimeout(PAUSE_MS)
  }
  return times.filter((time) => time > 0)
}

/** @returns milliseconds per letter of a name until its last change, the list of suggestions, was painted */
const typeName = async (page: Page, name: string): Promise<readonly number[]> => {
  const times: number[] = []
  for (const letter of name) times.push((await pressAndWatch(page, letter, LISTED_MS)).last)
  return times.filter((time) => time > 0)
}

/** Typing a message and completing its recipients in Chromium, without a platform. Needs `npm run build`. */
export const measureWriting = async (): Promise<readonly Figure[]> => {
  const browser = await launchBenchBrowser()
  const line = `${Array.from({ length: 12 }, (_, at) => wordOfRank(at + 1)).join(' ')}\n`
  const account = await makeOfflineAccount(browser, (cache, inbox) => {
    fillInbox(cache, inbox, EMAILS)
    const about = { id: 'thread-of-the-bench', subject: LONG_SUBJECT, from: 'Ada Abel <ada@quill.example>' }
    const people = { to: ['Desk <inbox@linnet.example>'], cc: [], bcc: [] }
    const received_at = new Date(NOW + 60_000).toISOString()
    const flags = { labels: [], email_count: 1, has_attachment: false, has_draft: false, read: true, folder: 'inbox' }
    const email = {
      ...{ id: 'email-of-the-bench', direction: 'inbound', from: about.from, ...people, reply_to: [] },
      ...{ subject: LONG_SUBJECT, message_id: '<bench@quill.example>', html: null, attachments: [], read: true },
      ...{ text: line.repeat(Math.ceil(QUOTED / line.length)), received_at },
    }
    cache.inTransaction(() => {
      const thread = threadOf({ ...about, ...people, ...flags, received_at })
      cache.threads.storePage(inbox, [thread], { askedAt: 0, inSent: false })
      cache.emails.storePage(inbox, about.id, [emailOf(email)])
      const emailsAt = cache.threads.get(inbox, about.id)?.receivedAt ?? 0
      cache.threads.storeReading(inbox, about.id, { emailsAt, snippet: line, hasOutbound: false })
    })
  })
  try {
    const { page, close } = await account.open(browser)
    await page.getByRole('listbox', { name: 'Threads' }).getByRole('option').first().waitFor({ timeout: 60_000 })
    const blank = await openPage(browser)
    await blank.setContent(EMPTY_PAGE)
    const frame = await frameLength(blank)
    await watchPaints(page, 'body')
    await watchPaints(blank)

    const message = page.getByRole('form', { name: 'New message' })
    const reply = page.getByRole('form', { name: 'Reply' })
    const words = {
      empty: message.getByRole('textbox', { name: 'Message' }),
      quoted: reply.getByRole('textbox', { name: 'Message' }),
    }
    await page.bringToFront()
    await page.getByRole('option', { name: new RegExp(LONG_SUBJECT) }).click()
    await page.getByRole('article').last().waitFor()
    await page.getByRole('button', { name: 'Reply', exact: true }).last().click()
    await words.quoted.waitFor()
    const quoted = await reply.getByRole('button', { name: 'Show quoted text' }).isVisible()
    if (!quoted) throw new Error('The answer quotes nothing.')
    await page.getByRole('button', { name: 'New message' }).click()
    await words.empty.waitFor()

    const times = { quoted: [] as number[], empty: [] as number[], listed: [] as number[], blank: [] as number[] }
    for (let round = 0; round < ROUNDS; round += 1) {
      await words.empty.focus()
      times.empty.push(...(await typeLetters(page, round)))
      await words.quoted.focus()
      times.quoted.push(...(await typeLetters(page, round)))
    }
    const to = message.getByRole('combobox', { name: 'To', exact: true })
    for (const name of FIRST_NAMES) {
      await page.bringToFront()
      await to.fill('')
      await page.waitForTimeout(LISTED_MS)
      times.listed.push(...(await typeName(page, name.toLowerCase())))
      if (!(await message.getByRole('listbox').isVisible())) throw new Error(`Nobody is called ${name}.`)
      await blank.bringToFront()
      await blank.locator('#field').fill('')
      times.blank.push(...(await typeName(blank, name.toLowerCase())))
    }
    await close()
    const p95 = {
      ...{ quoted: percentile(times.quoted, 0.95), empty: percentile(times.empty, 0.95) },
      ...{ listed: percentile(times.listed, 0.95), blank: percentile(times.blank, 0.95) },
    }
    const median = (values: readonly number[]): string => percentile(values, 0.5).toFixed(1)
    return [
      {
        name: 'a letter in an answer with 200 kB of what was written before, until it is painted, beyond one in an empty message',
        measured: (p95.quoted - p95.empty) / frame,
        unit: 'frames',
        bound: { kind: 'at most', value: MAX_FRAMES },
        note: `p95 ${p95.quoted.toFixed(1)} ms, median ${median(times.quoted)} ms of ${times.quoted.length} letters; empty message p95 ${p95.empty.toFixed(1)} ms, median ${median(times.empty)} ms; a frame ${frame.toFixed(1)} ms`,
      },
      {
        name: 'a letter of a name in To among 1,000 addresses, until those whom it may mean are painted, beyond a letter in an empty page',
        measured: (p95.listed - p95.blank) / frame,
        unit: 'frames',
        bound: { kind: 'at most', value: MAX_FRAMES_TO_LIST },
        note: `p95 ${p95.listed.toFixed(1)} ms, median ${median(times.listed)} ms of ${times.listed.length} letters; empty page p95 ${p95.blank.toFixed(1)} ms, median ${median(times.blank)} ms`,
      },
    ]
  } finally {
    await browser.close()
    account.remove()
  }
}
