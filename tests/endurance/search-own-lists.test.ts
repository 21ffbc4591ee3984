import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { EmailSearches } from '../../src/engine/mail/search/email-searches.ts'
import type { Cache } from '../../src/engine/store/cache.ts'
import { EMAIL_LISTS, type EmailList, type EmailQuery } from '../../src/shared/email-query.ts'
import { openUnchangedCache } from '../support/open-cache.ts'
import { receivedEmailOf, sentEmailOf } from '../support/raw-payloads.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { counts, runs } from './support/endurance.ts'
import { header, matches, type LookedAt } from './support/reference-match.ts'
import { randomEmail, randomSearch, type RandomEmail } from './support/random-mailbox.ts'

const LISTS = counts(60, { long: 5_000 })

const openEmptyCache = (): Cache => {
  const cache = openUnchangedCache(`${temporaryDirectory()}/cache.sqlite`)
  onTestFinished(() => cache.close())
  return cache
}

/** Never aborted in these tests. */
const ending = new AbortController()
const clock = () => ({ now: Date.UTC(2026, 5, 1), timeZone: 'UTC' })

interface Row extends LookedAt {
  readonly id: string
  readonly order: number
}

/** An e-mail as listed by the platform, or as fetched alone. Conversion of formatted text is tested elsewhere. */
const wordsOfRow = (list: EmailList, { id, email, isWhole }: Row) => ({
  id,
  created_at: new Date(email.time).toISOString(),
  from: email.from === null ? '' : header(email.from),
  to: email.to.map(header),
  cc: email.cc.map(header),
  bcc: email.bcc.map(header),
  subject: email.subject,
  ...(isWhole ? { text: email.text, html: null } : {}),
  ...(list === 'sent'
    ? { last_event: 'delivered' }
    : { attachments: email.attachments.map(({ filename }, at) => ({ id: `${id}-${at}`, filename })) }),
})

/** A later listing of an e-mail. A field that is empty in it keeps its earlier value, because e-mails don't change. */
const listedAgain = (before: RandomEmail, later: RandomEmail): RandomEmail => ({
  ...later,
  from: later.from ?? before.from,
  to: later.to.length > 0 ? later.to : before.to,
  cc: later.cc.length > 0 ? later.cc : before.cc,
  bcc: later.bcc.length > 0 ? later.bcc : before.bcc,
  subject: later.subject === null || later.subject === '' ? before.subject : later.subject,
  attachments: later.attachments.length > 0 ? later.attachments : before.attachments,
})

const randomStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('new' as const), email: randomEmail }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('opened' as const), at: fc.nat({ max: 40 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('changed' as const), at: fc.nat({ max: 40 }), email: randomEmail }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('gone' as const), at: fc.nat({ max: 40 }) }) },
)
const randomQuery: fc.Arbitrary<EmailQuery> = fc
  .record({ search: randomSearch, lastWordIsPrefix: fc.boolean(), isInSubject: fc.nat({ max: 2 }) })
  .map(({ search: { text, from, to, cc, bcc, hasAttachment, since, until }, lastWordIsPrefix, isInSubject }) => ({
    ...{ from, to, cc, bcc, hasAttachment, kinds: null },
    // Every third search has its terms in the subject, some only the first term.
    text: text.map((term, at) =>
      isInSubject === 0 && !term.isExcluded && at !== 1 ? { ...term, isInSubject: true as const } : term,
    ),
    since: since === null ? null : { kind: 'instant', at: since },
    until: until === null ? null : { kind: 'instant', at: until },
    lastWordIsPrefix,
  }))

it('finds what a plain check of each e-mail finds, in list order, while the list changes', async () => {
  let found = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...EMAIL_LISTS),
      fc.array(randomEmail, { minLength: 1, maxLength: 12 }),
      fc.array(fc.record({ query: randomQuery, steps: fc.array(randomStep, { maxLength: 2 }) }), {
        minLength: 4,
        maxLength: 8,
      }),
      async (list, emails, searches) => {
        const cache = openEmptyCache()
        const store = list === 'received' ? cache.receivedEmails : cache.sentEmails
        let rows: readonly Row[] = []
        const put = (row: Row): void => {
          rows = [...rows.filter(({ id }) => id !== row.id), row]
          const words = wordsOfRow(list, row)
          if (list === 'received' && row.isWhole) cache.receivedEmails.storeWhole(receivedEmailOf(words))
          else if (list === 'received') cache.receivedEmails.storePage([receivedEmailOf(words)])
          else if (row.isWhole) cache.sentEmails.storeWhole(sentEmailOf(words))
          else cache.sentEmails.storePage([sentEmailOf(words)])
        }
        const add = (email: RandomEmail): void =>
          put({ id: `e${rows.length}`, order: rows.length, email, isWhole: false })
        emails.forEach(add)
        const sessions = new EmailSearches<{ readonly id: string }>(store, clock, ending.signal)
        for (const { query, steps } of searches) {
          // Results are cached; after the changes they must be computed again.
          await sessions.read(query, { offset: 0, limit: 3 })
          for (const step of steps) {
            const row = 'at' in step ? rows[step.at % rows.length] : undefined
            if (step.kind === 'new') add(step.email)
            else if (row === undefined) continue
            else if (step.kind === 'gone') store.markGone(row.id)
            else if (step.kind === 'opened') put({ ...row, isWhole: true })
            // A list must not overwrite a fully stored e-mail.
            else if (!row.isWhole) put({ ...row, email: listedAgain(row.email, step.email) })
          }
          const expected = rows
            .filter((row) => matches(list, row, query))
            .toSorted((a, b) => b.email.time - a.email.time || b.order - a.order)
            .map(({ id }) => id)
          found += expected.length
          // Windows of rows, as when scrolling, some at the same time.
          const windows = await Promise.all([0, 3, 6, 9].map((offset) => sessions.read(query, { offset, limit: 3 })))
          const seen = windows.map(({ items }) => items.map(({ id }) => id))
          expect(seen).toEqual([0, 3, 6, 9].map((offset) => expected.slice(offset, offset + 3)))
          for (const { total, hasMore } of windows)
            expect(hasMore ? total < expected.length : total).toBe(hasMore || expected.length)
          const all = await sessions.read(query, { offset: 0, limit: 200 })
          expect(all.items.map(({ id }) => id)).toEqual(expected)
          expect(all).toMatchObject({ total: expected.length, hasMore: false })
        }
      },
    ),
    runs(LISTS),
  )
  expect(found).toBeGreaterThan(0)
}, 1_200_000)
