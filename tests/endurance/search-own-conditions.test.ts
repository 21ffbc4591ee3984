import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ResolvedThreadQuery } from '../../src/engine/store/search-index/search-query.ts'
import type { FoundThread } from '../../src/engine/store/search-index/search-threads.ts'
import type { StoredMarks } from '../../src/engine/store/pending-changes.ts'
import { FOLDERS, type Folder } from '../../src/shared/model.ts'
import { parseSearch } from '../../src/shared/search/parse-search.ts'
import { isInScope, toCachedList } from '../../src/shared/thread-query.ts'
import { emailOf, receivedEmailOf } from '../support/raw-payloads.ts'
import { listedThread, openTestCache } from '../unit/engine/support/open-test-cache.ts'
import { counts, runs } from './support/endurance.ts'
import {
  asksEmails,
  expectedOf,
  headersOf,
  LABELS,
  ME,
  modelEmail,
  modelFolder,
  modelLabels,
  modelMarks,
  modelSearch,
  modelThread,
  typedConditions,
  type ModelEmail,
  type ModelSearch,
  type ModelThread,
} from './support/local-conditions-model.ts'
import { header } from './support/reference-match.ts'

const MAILBOXES = counts(150, { long: 10_000 })

interface Change {
  readonly at: number
  readonly folder: Folder | null
  readonly read: boolean | null
  readonly labels: readonly number[] | null
  readonly marks: StoredMarks | null
  readonly email: ModelEmail | null
  /** Index of the e-mail whose headers arrive with this change, or null. */
  readonly told: number | null
}
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat({ max: 20 }),
  folder: fc.option(modelFolder),
  read: fc.option(fc.boolean()),
  labels: fc.option(modelLabels),
  marks: fc.option(modelMarks),
  email: fc.option(modelEmail, { freq: 2 }),
  told: fc.option(fc.nat({ max: 3 })),
})

/** A mailbox in a cache, filled the way the platform and the outbox do it. */
const openMailbox = () => {
  const { cache, inbox, pending } = openTestCache()
  const threads: ModelThread[] = []
  let emails = 0
  /** Gives each e-mail a different time. */
  const timed = (email: ModelEmail, folder: string): ModelEmail => {
    emails += 1
    return { ...email, sent: email.sent || folder === 'sent', time: Math.floor(email.time / 1_000) * 1_000 + emails }
  }
  const wordsOf = (id: string, email: ModelEmail) => ({
    id,
    message_id: `<${id}@x.example>`,
    from: email.from === null ? '' : header(email.from),
    to: email.to.map(header),
    cc: email.cc.map(header),
    bcc: email.bcc.map(header),
    subject: email.subject,
    text: email.text,
    attachments: email.attachments.map(({ filename }, at) => ({ id: `${id}-${at}`, filename })),
  })
  const put = (at: number, thread: ModelThread): void => {
    const id = `t${at}`
    threads[at] = thread
    pending.marks.set(id, thread.marks)
    const activity = Math.max(...thread.emails.map(({ time }) => time))
    const fields = {
      folder: thread.folder,
      read: thread.read,
      labels: thread.labels.map((label) => ({ ...LABELS[label], color: '#000000' })),
      received_at: new Date(activity).toISOString(),
      email_count: thread.emails.length,
    }
    cache.threads.storePage(inbox, [listedThread(id, 0, fields)], { askedAt: 0, inSent: false })
    const stored = thread.emails.map((email) =>
      emailOf({
        ...wordsOf(`e${email.time}`, email),
        direction: email.sent ? 'outbound' : 'inbound',
        received_at: new Date(email.time).toISOString(),
      }),
    )
    cache.emails.storePage(inbox, id, stored)
    const hasOutbound = thread.emails.some(({ sent }) => sent)
    cache.threads.storeReading(inbox, id, { emailsAt: activity, snippet: null, hasOutbound })
    cache.threads.project(inbox, [id])
    for (const email of thread.emails.filter(({ sent, isTold }) => isTold && !sent)) {
      const words = { ...wordsOf(`e${email.time}`, email), created_at: new Date(email.time).toISOString() }
      // Platforms may give the two copies of an e-mail different IDs; its Message-ID then links them.
      const receivedId = email.time % 2 === 0 ? {} : { id: `r${email.time}` }
      cache.receivedEmails.storeWhole(receivedEmailOf({ ...words, ...receivedId, headers: headersOf(email) }))
    }
  }
  return {
    ...{ cache, inbox, threads },
    add: (thread: ModelThread) =>
      put(threads.length, { ...thread, emails: thread.emails.map((email) => timed(email, thread.folder)) }),
    apply: ({ at: number, folder, read, labels, marks, email, told }: Change): void => {
      const at = number % threads.length
      const before = threads[at]
      if (before === undefined) return
      const emails = [...before.emails, ...(email === null ? [] : [timed(email, '')])]
      // The platform keeps a thread in `sent` while all its e-mails are outbound.
      const to = folder ?? before.folder
      put(at, {
        folder: to === 'sent' && emails.some(({ sent }) => !sent) ? 'archive' : to,
        read: read ?? before.read,
        labels: labels ?? before.labels,
        marks: marks ?? before.marks,
        emails: emails.map((each, index) => (index === told ? { ...each, isTold: true } : each)),
      })
    },
  }
}

type Mailbox = ReturnType<typeof openMailbox>

const compare = ({ cache, inbox, threads }: Mailbox, search: ModelSearch): number => {
  const context = { labels: LABELS, me: ME, now: 0, timeZone: 'UTC' }
  const { filter, faults } = parseSearch(typedConditions(search), context)
  const everywhere = expectedOf(threads, { ...search, folders: FOLDERS })
  if (faults.length > 0) {
    expect([faults.map(({ code }) => code), everywhere]).toEqual([faults.map(() => 'contradiction'), []])
    return 0
  }
  const { changes: _changes, conditions: _conditions, limit, labels, ...rest } = search
  const { kinds, assignedTo, notAssignedTo, marks, withoutMarks } = filter
  const query: ResolvedThreadQuery = {
    ...{ ...rest, dropped: null, kinds, assignedTo, notAssignedTo, marks, withoutMarks, inboxId: inbox.id },
    labelIds: labels.map((label) => LABELS[label]?.id ?? ''),
  }
  const idOf = (thread: ModelThread): string => `t${threads.indexOf(thread)}`
  const activity = (thread: ModelThread): number => Math.max(...thread.emails.map(({ time }) => time))
  const expected = expectedOf(threads, search)
    .filter(({ emails }) => emails.length > 0)
    .toSorted((one, other) => activity(other.thread) - activity(one.thread))
  const ids = expected.map(({ thread }) => idOf(thread))

  const found: FoundThread[] = []
  for (let after: FoundThread | null = null; ;) {
    const page = cache.threadSearch.page(query, after, limit)
    found.push(...page.threads)
    after = page.threads.at(-1) ?? null
    if (!page.hasMore || after === null) break
  }
  expect(found.map(({ id }) => id)).toEqual(ids)
  for (const [at, { emailId }] of found.entries()) {
    const { thread, emails } = expected[at] ?? {}
    const times = (asksEmails(search) ? emails : thread?.emails)?.map(({ time }) => time) ?? []
    // The choice of the most relevant e-mail is tested against the platform.
    const fitting = search.text.length === 0 ? [Math.max(...times)] : times
    expect(fitting.map((time) => `e${time}`)).toContain(emailId)
  }
  const all = threads.map(idOf)
  expect(cache.threadSearch.matching(query, all).map(({ id }) => id)).toEqual(all.filter((id) => ids.includes(id)))
  expect(cache.threadSearch.count(query, null, 10_000).count).toBe(ids.length)
  const byFolder = FOLDERS.map((folder) => everywhere.filter(({ folders }) => folders.includes(folder)).length)
  const counted = cache.threadSearch.countByFolder(query, null, 10_000).folders
  expect(FOLDERS.map((folder) => counted[folder])).toEqual(byFolder)

  if (asksEmails(search)) return ids.length
  // For threads found by the platform, the same conditions are checked on their visible state.
  const inScope = threads.filter((thread) => {
    const shown = cache.threads.get(inbox, idOf(thread))
    if (shown === undefined) return false
    const { folder, read, marks: shownMarks } = shown
    const labelIds = thread.labels.map((label) => LABELS[label]?.id ?? '')
    const hasOutbound = thread.emails.some(({ sent }) => sent)
    return isInScope(query, { folder, read, labelIds, marks: shownMarks, hasOutbound, onServer: true })
  })
  expect(inScope.map(idOf)).toEqual(all.filter((id) => ids.includes(id)))
  const list = toCachedList({ ...query, since: null, until: null, inboxIds: [inbox.id] })
  if (list !== null) {
    const listed = cache.threads.list(inbox, list, { offset: 0, limit: 100 }).map(({ id }) => id)
    expect(listed.toSorted()).toEqual(ids.toSorted())
  }
  return ids.length
}

it('finds what a plain check of each thread finds, for marks, assignees and kinds of mail', () => {
  let found = 0
  fc.assert(
    fc.property(
      fc.array(modelThread, { minLength: 1, maxLength: 10 }),
      fc.array(fc.record({ search: modelSearch, changes: fc.array(change, { maxLength: 2 }) }), {
        minLength: 10,
        maxLength: 10,
      }),
      (threads, asked) => {
        const mailbox = openMailbox()
        threads.forEach(mailbox.add)
        for (const { search, changes } of asked) {
          changes.forEach(mailbox.apply)
          found += compare(mailbox, search)
        }
        mailbox.cache.close()
      },
    ),
    runs(MAILBOXES),
  )
  expect(found).toBeGreaterThan(0)
})
