import { describe, expect, it } from 'vitest'
import { AccountEmailsManager } from '../../../src/renderer/features/lists/account-emails-manager.svelte.ts'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { createFixtureTransport, type FixtureHandlers } from './support/fixture-transport.ts'
import { until } from './support/until.ts'

const open = (handlers: FixtureHandlers = {}) => {
  const transport = createFixtureTransport({ handlers })
  const backend = createBackend(transport)
  const emails = new AccountEmailsManager(backend, 'received')
  const queries = () =>
    transport.calls.flatMap(({ name, input }) =>
      name === 'receivedEmail.list' ? [(input as { query?: { lastWordIsPrefix?: boolean } }).query] : [],
    )
  return { transport, emails, queries }
}

describe('the list of received e-mails', () => {
  it('shows search results, and the list again afterwards', async () => {
    const { emails } = open()
    emails.show(null)
    await until(() => emails.list.phase === 'ready')
    const whole = emails.list
    const all = whole.total
    const [word = ''] = /[a-z]{4,}/iu.exec(whole.at(0)?.subject ?? '') ?? []
    emails.show(null, word)
    await until(() => emails.list.phase === 'ready')
    expect(emails.list).not.toBe(whole)
    expect(emails.list.total).toBeLessThan(all)
    expect(emails.searched).toMatchObject({ emails: all, of: all })
    expect(emails.search?.marks).not.toBeNull()
    emails.show(null)
    expect(emails.list).toBe(whole)
    expect(emails.search).toBeNull()
  })

  it('keeps its rows until the next keystroke’s arrive, and searches a prefix only while typing', async () => {
    const answers: (() => void)[] = []
    const page = { items: [], total: 0, hasMore: false, freshness: { state: 'live', at: 1 } } as const
    const { emails, queries } = open({
      'receivedEmail.list': ({ offset, query }) =>
        new Promise((resolve) => {
          const searched = query === undefined ? null : { emails: 1, of: 1, isWhole: true }
          answers.push(() => resolve({ ...page, offset, searched }))
        }),
    })
    emails.show(null)
    await until(() => answers.length === 1)
    answers[0]?.()
    await until(() => emails.list.phase === 'ready')
    const whole = emails.list
    emails.type('fo')
    emails.show(null, 'fo')
    emails.type('fog')
    emails.show(null, 'fog')
    await until(() => answers.length === 3)
    expect(emails).toMatchObject({ isArriving: true, isTyped: true })
    // A response to an earlier keystroke is ignored.
    answers[1]?.()
    await Promise.resolve()
    expect(emails.list).toBe(whole)
    answers[2]?.()
    await until(() => !emails.isArriving)
    expect(emails).toMatchObject({ search: { text: 'fog' }, isTyped: true })
    emails.ask()
    await until(() => answers.length === 4)
    answers[3]?.()
    await until(() => !emails.isArriving)
    expect(emails).toMatchObject({ search: { text: 'fog' }, isTyped: false })
    expect(queries().map((query) => query?.lastWordIsPrefix)).toEqual([undefined, true, true, true])
  })

  it('searches nothing if the query is invalid', async () => {
    const { emails, queries } = open()
    emails.show(null, 'fog label:urgent')
    await until(() => emails.list.phase === 'ready')
    expect(emails).toMatchObject({ search: { query: null }, searched: null })
    expect(queries()).toEqual([])
  })

  it('repeats the search when an e-mail arrives', async () => {
    const { emails, transport, queries } = open()
    emails.show(null, 'fog')
    await until(() => emails.list.phase === 'ready')
    transport.emit({ name: 'receivedEmails.changed', payload: null })
    await until(() => queries().length === 2)
    expect(queries().every((query) => query !== undefined)).toBe(true)
  })
})
