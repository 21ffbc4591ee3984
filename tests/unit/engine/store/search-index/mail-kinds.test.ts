import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectMailKind } from '../../../../../src/engine/store/search-index/mail-kind.ts'
import type { ResolvedThreadQuery } from '../../../../../src/engine/store/search-index/search-query.ts'
import { openCache } from '../../../../../src/engine/store/cache.ts'
import { EMAIL_KINDS, RECEIVED_EMAIL_KINDS, NO_FILTER, type EmailKind } from '../../../../../src/shared/thread-query.ts'
import { emailOf, inboxOf, receivedEmailOf } from '../../../../support/raw-payloads.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'
import { listedThread, openTestCache } from '../../support/open-test-cache.ts'

type TestCache = Pick<ReturnType<typeof openTestCache>, 'cache' | 'inbox'>

const fresh = { askedAt: 0, inSent: false }
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
const LIST = { 'list-id': '<weekly.example.com>' }

const queryOf = (kinds: readonly EmailKind[], fields: Partial<ResolvedThreadQuery> = {}): ResolvedThreadQuery => ({
  ...NO_FILTER,
  inboxId: 'inbox-1',
  since: null,
  until: null,
  kinds,
  ...fields,
})
const found = ({ cache }: Pick<TestCache, 'cache'>, ...kinds: readonly EmailKind[]): readonly string[] =>
  cache.threadSearch.page(queryOf(kinds), null, 100).threads.map(({ id }) => id)

const storeThread = ({ cache, inbox }: TestCache, id: string, minute: number, ...emails: readonly object[]): void => {
  cache.threads.storePage(inbox, [listedThread(id, minute, { email_count: emails.length })], fresh)
  cache.emails.storePage(
    inbox,
    id,
    emails.map((fields, number) =>
      emailOf({
        ...{ id: `${id}-${number}`, direction: 'inbound', from: 'Ann <ann@example.com>', to: ['me@example.com'] },
        ...{ message_id: `<${id}-${number}@example.com>`, subject: `Subject ${id}`, received_at: at(minute) },
        ...fields,
      }),
    ),
  )
}
const received = (id: string, minute: number, fields: object = {}) =>
  receivedEmailOf({
    ...{ id, from: 'Ann <ann@example.com>', to: ['me@example.com'], created_at: at(minute), subject: '' },
    ...fields,
  })

describe('indexed kinds of mail', () => {
  it('come from the sender until the headers arrive, whichever copy is first', () => {
    const opened = openTestCache()
    storeThread(opened, 't1', 1, {})
    storeThread(opened, 't2', 2, { from: 'no-reply@example.com' })
    storeThread(opened, 't3', 3, { direction: 'outbound' })
    expect(found(opened, 'person')).toEqual(['t1'])
    expect(found(opened, 'robot')).toEqual(['t2'])
    expect(found(opened, 'sent', 'person')).toEqual(['t3', 't1'])
    // The listed copy has no headers, so it changes nothing.
    opened.cache.receivedEmails.storePage([received('t1-0', 1)])
    expect(found(opened, 'person')).toEqual(['t1'])
    opened.cache.receivedEmails.storeWhole(received('t1-0', 1, { headers: LIST }))
    expect(found(opened, 'person')).toEqual([])
    expect(found(opened, 'newsletter')).toEqual(['t1'])

    opened.cache.receivedEmails.storeWhole(received('t4-0', 4, { headers: { 'auto-submitted': 'auto-replied' } }))
    storeThread(opened, 't4', 4, {})
    expect(found(opened, 'robot')).toEqual(['t4', 't2'])
  })

  it('match a copy with another ID by Message-ID, sender and subject', () => {
    const opened = openTestCache()
    const names = { message_id: '<m1@example.com>', subject: 'Weekly' }
    storeThread(opened, 't1', 1, names)
    opened.cache.receivedEmails.storeWhole(received('r1', 1, { ...names, headers: LIST }))
    storeThread(opened, 't2', 2, names)
    expect(found(opened, 'newsletter')).toEqual(['t2', 't1'])
    // Anyone could forge the Message-ID of someone else's e-mail.
    storeThread(opened, 't3', 3, { ...names, from: 'bob@example.com' })
    storeThread(opened, 't4', 4, { ...names, subject: 'Lunch?' })
    expect(found(opened, 'person')).toEqual(['t4', 't3'])
  })

  it('survive moves and restarts, and go with their e-mail', () => {
    const { file, ...opened } = openTestCache()
    storeThread(opened, 't1', 1, {})
    opened.cache.receivedEmails.storeWhole(received('t1-0', 1, { headers: LIST }))
    opened.cache.threads.storePage(opened.inbox, [listedThread('t1', 9)], fresh)
    expect(found(opened, 'newsletter')).toEqual(['t1'])
    opened.cache.close()
    const again = openTestCache(file)
    expect(found(again, 'newsletter')).toEqual(['t1'])
    expect(again.cache.receivedEmails.remove('t1-0', true)).toBe(true)
    again.cache.threads.storePage(again.inbox, [listedThread('t1', 19)], fresh)
    expect(found(again, 'person')).toEqual(['t1'])
  })

  it('notify windows that show the thread, once per change', () => {
    const told: string[] = []
    const pending = {
      threads: { overlay: () => undefined, marks: () => undefined, confirmedSince: () => false },
      topics: () => new Map<string, string>(),
    }
    const { cache } = openCache(`${temporaryDirectory()}/cache.sqlite`, pending, {
      onBroken: () => undefined,
      onCorrupt: () => undefined,
      onKind: (inboxId, threadId) => told.push(`${inboxId} ${threadId}`),
    })
    cache.inboxes.storeListed([inboxOf({ id: 'inbox-1' })])
    const opened = { cache, inbox: { key: cache.inboxes.get('inbox-1')?.key ?? -1, id: 'inbox-1' } }
    storeThread(opened, 't1', 1, {})
    for (const headers of [{}, { subject: 'x' }, LIST, LIST]) {
      cache.receivedEmails.storeWhole(received('t1-0', 1, { headers }))
    }
    expect(told).toEqual(['inbox-1 t1'])
    cache.close()
  })

  it('equal a simple check of each e-mail while mail and headers arrive in any order', () => {
    const senders = ['ann@example.com', 'no-reply@example.com', 'newsletter@example.com'] as const
    const headers = [{}, LIST, { 'auto-submitted': 'auto-generated' }, { precedence: 'first-class' }] as const
    const step = fc.record({
      thread: fc.nat({ max: 3 }),
      email: fc.nat({ max: 2 }),
      kind: fc.constantFrom('stored', 'sent', 'headers', 'news'),
      of: fc.nat(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const opened = openTestCache()
        const emails = new Map<string, { from: string; isSent: boolean }>()
        const told = new Map<string, Record<string, string>>()
        const order = new Map<string, number>()
        let minute = 0
        for (const { thread, email, kind, of } of steps) {
          const [id, emailId] = [`t${thread}`, `t${thread}-${email}`]
          const from = senders[(thread + email) % senders.length] ?? senders[0]
          if (kind === 'headers') {
            const known = headers[of % headers.length] ?? {}
            // Headers never change once fetched.
            if (!told.has(emailId)) {
              told.set(emailId, known)
              opened.cache.receivedEmails.storeWhole(received(emailId, 1, { from, headers: known }))
            }
            continue
          }
          minute += 1
          if (kind === 'news') {
            if (order.has(id)) opened.cache.threads.storePage(opened.inbox, [listedThread(id, minute)], fresh)
          } else {
            opened.cache.threads.storePage(opened.inbox, [listedThread(id, minute)], fresh)
            const isSent = emails.get(emailId)?.isSent ?? kind === 'sent'
            const direction = isSent ? 'outbound' : 'inbound'
            const wire = { id: emailId, direction, from, subject: '', received_at: at(1) }
            opened.cache.emails.storePage(opened.inbox, id, [emailOf(wire)])
            emails.set(emailId, { from, isSent })
            order.set(id, minute)
          }
          if (order.has(id)) order.set(id, minute)
        }
        const kindOf = (emailId: string, { from, isSent }: { from: string; isSent: boolean }): EmailKind =>
          isSent ? 'sent' : detectMailKind(from, told.get(emailId) ?? null)
        const threadsOf = (kinds: readonly EmailKind[]): readonly string[] =>
          [...order]
            .toSorted(([, one], [, other]) => other - one)
            .map(([id]) => id)
            .filter((id) =>
              [...emails].some(
                ([emailId, each]) => emailId.startsWith(`${id}-`) && kinds.includes(kindOf(emailId, each)),
              ),
            )
        for (const kinds of [
          ...RECEIVED_EMAIL_KINDS.map((kind) => [kind]),
          EMAIL_KINDS.slice(0, 2),
          EMAIL_KINDS.slice(1, 3),
        ]) {
          const threads = threadsOf(kinds)
          expect([kinds, found(opened, ...kinds)]).toEqual([kinds, threads])
          expect(opened.cache.threadSearch.count(queryOf(kinds), null, 100).count).toBe(threads.length)
        }
        opened.cache.close()
      }),
      { numRuns: 60 },
    )
  })
})
