import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandInput } from '../../../src/shared/contract.ts'
import { parseSearch } from '../../../src/shared/search/parse-search.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { eventually } from './support/eventually.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'
import { testClock } from './support/test-time.ts'

type Wanted = Partial<CommandInput<'rule.save'>>

interface PlatformThread {
  readonly id: string
  readonly subject: string
  readonly folder: string
  readonly read: boolean
  readonly labels: readonly { readonly name: string }[]
}

const threadsOn = async ({ ask, inboxId }: TestPlatform): Promise<ReadonlyMap<string, PlatformThread>> => {
  const folders = 'inbox,archive,spam,trash,sent'
  const { data } = await ask<{ data: readonly PlatformThread[] }>(
    'GET',
    `/inboxes/${inboxId}/threads?limit=100&folders=${folders}`,
  )
  return new Map(data.map((thread) => [thread.subject, thread]))
}

const addRule = (engine: TestEngine, { inboxId }: TestPlatform, wanted: Wanted) =>
  engine.call('rule.save', {
    ...{ id: null, name: 'A rule', inboxId, text: 'bill', addLabels: [], move: null },
    ...{ markRead: false, star: false, notify: null, isOn: true, ...wanted },
  })

/** Syncs, and waits until the rules have run. */
const look = async (engine: TestEngine): Promise<void> => {
  await engine.call('sync.now', {})
  await engine.settled()
  await engine.advance(1_000)
  await engine.settled()
}

/** Starts a draft reply. With a draft, the engine looks for replies sent elsewhere only in the thread's new e-mails. */
const beginAnswer = async (engine: TestEngine, { inboxId }: TestPlatform, threadId: string) => {
  const { emails } = await engine.call('thread.open', { inboxId, threadId })
  const content = {
    ...{ to: [], cc: [], bcc: [], subject: 'Re: Case', format: 'plain' as const },
    ...{ html: '', text: 'Yes.', quote: null, files: [] },
  }
  const target = { threadId, emailId: emails.at(-1)?.id ?? '' }
  const { draftId } = await engine.call('draft.create', { inboxId, kind: 'reply', target, content })
  return { readOn: () => engine.call('draft.elsewhere', { draftId }) }
}

const logged = (engine: TestEngine, count: number) =>
  eventually(
    () => engine.call('rule.log', { id: null, before: null, limit: 100 }),
    ({ length }) => length >= count,
  )

describe('rules', () => {
  it('act on new mail in order, and not on existing mail', async () => {
    const platform = await startTestPlatform()
    await platform.deliver({ subject: 'Old bill', text: 'a bill' })
    const engine = await openSettledEngine(platform)
    const { inboxId } = platform
    const { labelId } = await engine.call('label.create', { inboxId, name: 'Billing', color: '#112233' })
    await engine.settled()
    const [label] = await engine.call('label.list', { inboxId })
    const bills = await addRule(engine, platform, { name: 'Bills', addLabels: [label?.id ?? labelId], markRead: true })
    await addRule(engine, platform, { name: 'Ada', text: 'from:ada', move: 'archive' })
    await addRule(engine, platform, { name: 'Trash', text: 'subject:bill', move: 'trash' })
    await platform.deliver({ subject: 'New bill', text: 'a bill to pay' })
    await platform.deliver({ subject: 'Lunch', from: 'bob@example.com', text: 'At noon' })
    await look(engine)
    const log = await logged(engine, 3)
    expect(log.map(({ ruleName, subject, did, threads }) => [ruleName, subject, did, threads])).toEqual([
      ['Trash', 'New bill', { labels: [], folder: null, read: false, star: false }, 1],
      ['Ada', 'New bill', { labels: [], folder: 'archive', read: false, star: false }, 1],
      ['Bills', 'New bill', { labels: ['Billing'], folder: null, read: true, star: false }, 1],
    ])
    await engine.settled()
    const there = await threadsOn(platform)
    expect(there.get('New bill')).toMatchObject({ folder: 'archive', read: true, labels: [{ name: 'Billing' }] })
    expect(there.get('Old bill')).toMatchObject({ folder: 'inbox', read: false, labels: [] })
    expect(there.get('Lunch')).toMatchObject({ folder: 'inbox', read: false })
    expect(await engine.call('rule.list', {})).toMatchObject([
      { id: bills.id, threads: 1, problem: null },
      { threads: 1 },
      { threads: 1 },
    ])
    const { changeId } = log[0] ?? {}
    expect(await engine.call('change.undo', { changeId: changeId ?? '' })).toMatchObject({ undone: true })
    await engine.settled()
    expect((await threadsOn(platform)).get('New bill')).toMatchObject({ folder: 'inbox', read: false, labels: [] })
    await look(engine)
    expect(await logged(engine, 3)).toHaveLength(3)
  })

  it('find the same as the search bar', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    const texts = [
      ...['from:"Ann Lee"', 'from:(ann, bob)', 'subject:straße', 'strasse -rain', '"two words"', 'has:attachment'],
      ...['-has:attachment to:desk', 'after:2000-01-01', 'before:2001-01-01', 'resume', 'from:nobody'],
    ]
    const { inboxId } = platform
    const names: string[] = []
    for (const [at, text] of texts.entries()) {
      const { labelId } = await engine.call('label.create', { inboxId, name: `Rule ${at}`, color: '#112233' })
      await addRule(engine, platform, { name: text, text, addLabels: [labelId] })
      names.push(`Rule ${at}`)
    }
    await engine.settled()
    const attachments = [{ filename: 'a.txt', content: 'a' }]
    const messages = [
      { subject: 'Straße', from: 'Ann Lee <ann@example.com>', text: 'two words in the rain' },
      { subject: 'Die Strasse', from: 'bob@example.com', text: 'words two', attachments },
      { subject: 'Résumé', from: 'Lee, Ann <lee@example.com>', text: 'a resume of two words' },
    ]
    for (const message of messages) await platform.deliver(message)
    await look(engine)
    await engine.settled()
    const there = await threadsOn(platform)
    for (const [at, text] of texts.entries()) {
      const { filter } = parseSearch(text, { now: Date.now(), timeZone: 'UTC', labels: [] })
      const { items } = await engine.call('thread.list', {
        query: { ...filter, inboxIds: [inboxId] },
        ...{ offset: 0, limit: 50, localOnly: true },
      })
      const labelled = [...there.values()].filter(({ labels }) => labels.some(({ name }) => name === names[at]))
      expect([text, labelled.map(({ subject }) => subject).toSorted()]).toEqual([
        text,
        items.map(({ subject }) => subject ?? '').toSorted(),
      ])
    }
  })

  it('act once per message, through restarts and a lost cache', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    const { inboxId } = platform
    await addRule(engine, platform, { move: 'archive' })
    await platform.deliver({ subject: 'First bill', messageId: '<first@example.com>' })
    await look(engine)
    await logged(engine, 1)
    await engine.settled()
    const { id = '' } = (await threadsOn(platform)).get('First bill') ?? {}
    await platform.ask('PATCH', `/inboxes/${inboxId}/threads/${id}`, { folder: 'inbox' })
    await look(engine)
    expect((await threadsOn(platform)).get('First bill')?.folder).toBe('inbox')
    await platform.deliver({
      subject: 'Re: First bill',
      inReplyTo: '<first@example.com>',
      references: '<first@example.com>',
    })
    await look(engine)
    await logged(engine, 2)
    await engine.settled()
    expect((await threadsOn(platform)).get('First bill')?.folder).toBe('archive')
    await platform.ask('PATCH', `/inboxes/${inboxId}/threads/${id}`, { folder: 'inbox' })
    await look(engine)
    await engine.close()
    await platform.deliver({ subject: 'Second bill' })
    for (const end of ['', '-wal', '-shm']) rmSync(join(engine.directory, `cache.sqlite${end}`), { force: true })
    const again = await openTestEngine(platform, engine.directory)
    await look(again)
    await logged(again, 3)
    await again.settled()
    await again.advance(2_000)
    expect((await logged(again, 3)).map(({ subject }) => subject)).toEqual(['Second bill', 'First bill', 'First bill'])
    const folders = [...(await threadsOn(platform)).values()].map(({ subject, folder }) => [
      subject.replace('Re: ', ''),
      folder,
    ])
    expect(folders.toSorted()).toEqual([
      ['First bill', 'inbox'],
      ['Second bill', 'archive'],
    ])
  })

  it('skip a thread with another person’s unread mail, and say so', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    await addRule(engine, platform, { name: 'Robot', text: 'from:robot', move: 'archive', markRead: true, star: true })
    const inThread = { inReplyTo: '<case@example.com>', references: '<case@example.com>' }
    await platform.deliver({ subject: 'Case', from: 'Carl <carl@customer.example>', messageId: '<case@example.com>' })
    await platform.deliver({ subject: 'Re: Case', from: 'robot@tickets.example', ...inThread })
    await look(engine)
    const [entry] = await logged(engine, 1)
    expect(entry).toMatchObject({ did: { folder: null, read: false, star: true, isHeld: true } })
    expect((await threadsOn(platform)).get('Case')).toMatchObject({ folder: 'inbox', read: false })
    // Once the thread has been read, the robot's next message is archived.
    await platform.ask('PATCH', `/inboxes/${platform.inboxId}/threads/${entry?.threadId ?? ''}`, { read: true })
    await platform.deliver({ subject: 'Re: Case', from: 'robot@tickets.example', ...inThread })
    await look(engine)
    await logged(engine, 2)
    await engine.settled()
    expect((await threadsOn(platform)).get('Case')).toMatchObject({ folder: 'archive', read: true })
  })

  it('hide no other person’s mail and miss no message with two engines', async () => {
    const platform = await startTestPlatform()
    const [a, b] = [await openTestEngine(platform), await openTestEngine(platform)]
    const both = [a, b]
    for (const engine of both) {
      await engine.settled()
      await addRule(engine, platform, { text: 'from:robot', move: 'archive', markRead: true })
    }
    const senders = { robot: 'robot@tickets.example', carl: 'carl@customer.example', dora: 'dora@customer.example' }
    const orders: readonly (readonly (keyof typeof senders)[])[] = [
      ...([
        ['robot', 'robot', 'robot', 'robot'],
        ['carl', 'robot', 'robot', 'robot'],
      ] as const),
      ...([
        ['robot', 'carl', 'robot', 'dora'],
        ['robot', 'robot', 'carl', 'robot'],
      ] as const),
      ...([
        ['robot', 'robot', 'robot', 'carl'],
        ['dora', 'carl', 'robot', 'robot'],
      ] as const),
    ]
    // Engines that poll after each message. At the end both poll.
    const turns = [
      [[a], [b], [a, b], [b, a]],
      [[], [b], [], [a, b]],
      [[], [], [], [b, a]],
      [both, [b, a], both, [b, a]],
    ]
    for (const [round, looks] of turns.entries()) {
      for (const [step, engines] of looks.entries()) {
        for (const [at, order] of orders.entries()) {
          const subject = `Case ${round}.${at}`
          const first = `<${round}.${at}@tickets.example>`
          const sender = senders[order[step] ?? 'robot']
          await platform.deliver({
            ...{ subject, from: sender, ...(step === 0 && { messageId: first }) },
            ...(step > 0 && { inReplyTo: first, references: first }),
          })
        }
        for (const engine of engines) await look(engine)
        for (const engine of both) await engine.settled()
      }
    }
    const there = await threadsOn(platform)
    const expected = turns.flatMap((_, round) =>
      orders.map((order, at) => {
        const isPut = order.every((sender) => sender === 'robot')
        return [`Case ${round}.${at}`, isPut ? 'archive' : 'inbox', isPut]
      }),
    )
    expect([...there.values()].map(({ subject, folder, read }) => [subject, folder, read]).toSorted()).toEqual(
      expected.toSorted(),
    )
    for (const { id, subject } of there.values()) {
      await platform.ask('PATCH', `/inboxes/${platform.inboxId}/threads/${id}`, { read: true })
      const first = `<${subject.replace('Case ', '')}@tickets.example>`
      await platform.deliver({ subject, from: senders.robot, inReplyTo: first, references: first })
    }
    for (const engine of both) {
      await look(engine)
      await engine.settled()
    }
    const after = [...(await threadsOn(platform)).values()]
    expect(after.filter(({ folder, read }) => folder !== 'archive' || !read)).toEqual([])
    for (const engine of both) await engine.close()
  })

  it('act on no thread by an outdated row', async () => {
    const platform = await startTestPlatform()
    const engine = await openTestEngine(platform)
    const { inboxId } = platform
    const robot = { from: 'robot@tickets.example' }
    const inThread = (name: string) => ({
      inReplyTo: `<${name}@tickets.example>`,
      references: `<${name}@tickets.example>`,
    })
    await platform.deliver({ subject: 'Case', from: 'carl@customer.example', messageId: '<case@tickets.example>' })
    await platform.deliver({ subject: 'Build', ...robot, messageId: '<build@tickets.example>' })
    await look(engine)
    for (const { id } of (await threadsOn(platform)).values()) {
      await platform.ask('PATCH', `/inboxes/${inboxId}/threads/${id}`, { read: true })
    }
    await look(engine)
    await addRule(engine, platform, { text: 'from:robot', move: 'archive', markRead: true })
    const ids = [...(await threadsOn(platform)).values()].map(({ id }) => id)
    const answers = await Promise.all(ids.map((id) => beginAnswer(engine, platform, id)))
    await engine.settled()
    const lists = `/inboxes/${inboxId}/threads`
    await platform.fault({ kind: 'delay', delay_ms: 0, path: `${lists}/` }, { kind: 'error_503', path: lists })
    await platform.deliver({ subject: 'Re: Build', ...robot, ...inThread('build') })
    await platform.deliver({ subject: 'Re: Case', ...robot, ...inThread('case') })
    await platform.deliver({ subject: 'Re: Case', from: 'carl@customer.example', ...inThread('case') })
    for (const { readOn } of answers) await readOn()
    await engine.advance(2_000)
    await platform.fault()
    await look(engine)
    await logged(engine, 2)
    await engine.settled()
    const there = await threadsOn(platform)
    expect(there.get('Build')).toMatchObject({ folder: 'archive', read: true })
    expect(there.get('Case')).toMatchObject({ folder: 'inbox', read: false })
  })

  it('skip a thread that stays unknown', async () => {
    const platform = await startTestPlatform()
    const engine = await openTestEngine(platform)
    const { inboxId } = platform
    await platform.deliver({ subject: 'Case', from: 'carl@customer.example', messageId: '<case@tickets.example>' })
    await look(engine)
    const { id = '' } = (await threadsOn(platform)).get('Case') ?? {}
    await platform.ask('PATCH', `/inboxes/${inboxId}/threads/${id}`, { read: true })
    await look(engine)
    await addRule(engine, platform, { text: 'from:robot', move: 'archive', markRead: true })
    const { readOn } = await beginAnswer(engine, platform, id)
    await engine.settled()
    const lists = `/inboxes/${inboxId}/threads`
    await platform.fault({ kind: 'delay', delay_ms: 0, path: `${lists}/` }, { kind: 'error_503', path: lists })
    await platform.deliver({
      ...{ subject: 'Re: Case', from: 'robot@tickets.example' },
      ...{ inReplyTo: '<case@tickets.example>', references: '<case@tickets.example>' },
    })
    await readOn()
    await engine.advance(2_000)
    expect(await logged(engine, 0)).toEqual([])
    await engine.advance(62_000)
    expect(await logged(engine, 1)).toMatchObject([{ did: { folder: null, read: false, isHeld: true } }])
    await platform.fault()
    await look(engine)
    expect((await threadsOn(platform)).get('Case')).toMatchObject({ folder: 'inbox', read: false })
  })

  it.each([
    ['right', 0],
    ['a day ahead', 24 * 60 * 60_000],
  ])('act on new mail after running on existing mail, with a clock that is %s', async (_, ahead) => {
    const platform = await startTestPlatform()
    await platform.deliver({ subject: 'First bill', messageId: '<first@example.com>' })
    await platform.deliver({ subject: 'Second bill' })
    const clock = { ...testClock(), now: () => testClock().now() + ahead }
    const engine = await openSettledEngine(platform, undefined, undefined, undefined, clock)
    const rule = await addRule(engine, platform, { move: 'archive', markRead: true })
    const receipt = await engine.call('rule.run', { id: rule.id })
    expect(receipt.threads).toBe(2)
    const first = async () => {
      await platform.deliver({
        ...{ subject: 'Re: First bill', inReplyTo: '<first@example.com>', references: '<first@example.com>' },
      })
      await look(engine)
      await engine.settled()
      return [...(await threadsOn(platform)).values()].find(({ subject }) => subject.endsWith('First bill'))
    }
    const undo = async (changeId: string): Promise<string> => {
      const undone = await engine.call('change.undo', { changeId })
      if (!('changeId' in undone)) throw new Error('Nothing was undone.')
      await engine.settled()
      return undone.changeId
    }
    await engine.settled()
    expect(await first()).toMatchObject({ folder: 'archive', read: true })
    const undone = await undo(receipt.changeId ?? '')
    expect(await first()).toMatchObject({ folder: 'inbox', read: false })
    const redone = await undo(undone)
    expect(await first()).toMatchObject({ folder: 'archive', read: true })
    await undo(redone)
    expect(await first()).toMatchObject({ folder: 'inbox', read: false })
  })

  it('act on a thread’s tenth message as on the first, but not after undo', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    await addRule(engine, platform, { name: 'CI', text: 'from:ci@build.example', move: 'archive', markRead: true })
    const deliver = async (number: number) => {
      await platform.deliver({
        ...{ subject: 'Build failed', from: 'ci@build.example', messageId: `<build-${number}@build.example>` },
        ...(number > 1 && { inReplyTo: '<build-1@build.example>', references: '<build-1@build.example>' }),
      })
      await look(engine)
      await engine.settled()
      return (await threadsOn(platform)).get('Build failed')
    }
    for (let number = 1; number <= 10; number += 1) {
      expect(await deliver(number)).toMatchObject({ folder: 'archive', read: true })
    }
    const log = await logged(engine, 10)
    expect(log).toHaveLength(10)
    const { changeId } = await engine.call('change.undo', { changeId: log[0]?.changeId ?? '' }).then((undone) => {
      if (!('changeId' in undone)) throw new Error('Nothing was undone.')
      return undone
    })
    await engine.settled()
    expect(await deliver(11)).toMatchObject({ folder: 'inbox', read: false })
    expect(await logged(engine, 10)).toHaveLength(10)
    const redone = await engine.call('change.undo', { changeId })
    await engine.settled()
    expect(await deliver(12)).toMatchObject({ folder: 'archive', read: true })
    if (!('changeId' in redone)) throw new Error('Nothing was undone.')
    await engine.call('change.undo', { changeId: redone.changeId })
    await engine.settled()
    expect(await deliver(13)).toMatchObject({ folder: 'inbox', read: false })
  })

  it('suppress notifications, or cause them for archived mail', async () => {
    const platform = await startTestPlatform()
    const engine = await openTestEngine(platform)
    await platform.deliver({ subject: 'Before' })
    await look(engine)
    await addRule(engine, platform, { text: 'subject:quiet', notify: false })
    await addRule(engine, platform, { text: 'subject:loud', move: 'archive', markRead: true, notify: true })
    await addRule(engine, platform, { text: 'subject:away', move: 'archive' })
    for (const subject of ['Quiet', 'Loud', 'Away', 'Plain']) await platform.deliver({ subject })
    await look(engine)
    await logged(engine, 3)
    const told = await eventually(
      () => engine.events('mail.arrived').flatMap(({ threads }) => threads.map(({ subject }) => subject)),
      (subjects) => subjects.includes('Plain'),
    )
    expect(told.filter((subject) => subject !== 'Before').toSorted()).toEqual(['Loud', 'Plain'])
  })

  it('suppress only the notification of their own mail', async () => {
    const platform = await startTestPlatform()
    const engine = await openTestEngine(platform)
    await platform.deliver({ subject: 'Before' })
    await look(engine)
    await addRule(engine, platform, { text: 'from:robot', notify: false })
    const inThread = (name: string) => ({
      inReplyTo: `<${name}@tickets.example>`,
      references: `<${name}@tickets.example>`,
    })
    const told = () =>
      engine.events('mail.arrived').flatMap(({ threads }) => threads.map(({ subject }) => subject ?? ''))
    const isTold = (name: string) => eventually(told, (subjects) => subjects.some((subject) => subject.endsWith(name)))
    await platform.deliver({ subject: 'Quiet', from: 'robot@tickets.example', messageId: '<quiet@tickets.example>' })
    await look(engine)
    await logged(engine, 1)
    await engine.advance(15_000)
    expect(told()).not.toContain('Quiet')
    await platform.deliver({ subject: 'Re: Quiet', from: 'dora@customer.example', ...inThread('quiet') })
    await look(engine)
    await isTold('Quiet')
    await platform.deliver({ subject: 'Case', from: 'dora@customer.example', messageId: '<case@tickets.example>' })
    await platform.deliver({ subject: 'Re: Case', from: 'robot@tickets.example', ...inThread('case') })
    await look(engine)
    await isTold('Case')
  })

  it('count and run by received mail, not by replies', async () => {
    const platform = await startTestPlatform()
    const engine = await openTestEngine(platform)
    const { inboxId } = platform
    await platform.deliver({ subject: 'Question', messageId: '<question@example.com>' })
    await look(engine)
    const [thread] = [...(await threadsOn(platform)).values()]
    const [email] = (await engine.call('thread.open', { inboxId, threadId: thread?.id ?? '' })).emails
    await platform.ask('POST', `/inboxes/${inboxId}/threads/${thread?.id ?? ''}/emails/${email?.id ?? ''}/reply`, {
      text: 'The zebra crossing is closed.',
    })
    await look(engine)
    await eventually(
      async () => (await engine.call('thread.open', { inboxId, threadId: thread?.id ?? '' })).emails,
      ({ length }) => length === 2,
    )
    expect(await engine.call('rule.preview', { inboxId, text: 'zebra' })).toEqual({ threads: 0 })
    expect(await engine.call('rule.preview', { inboxId, text: 'subject:question' })).toEqual({ threads: 1 })
  })

  it('skip spam, trash and sent mail', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    await addRule(engine, platform, { text: 'from:ada', move: 'archive', markRead: true })
    await platform.deliver({ subject: 'Bad bill' })
    const { id = '' } = (await threadsOn(platform)).get('Bad bill') ?? {}
    await platform.ask('PATCH', `/inboxes/${platform.inboxId}/threads/${id}`, { folder: 'spam' })
    await look(engine)
    expect(await logged(engine, 1)).toMatchObject([{ leftIn: 'spam', changeId: null }])
    expect((await threadsOn(platform)).get('Bad bill')).toMatchObject({ folder: 'spam', read: false })
  })

  it('run on existing mail on request, once, as one change', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 120, seed: 4 } })
    const engine = await openSettledEngine(platform)
    const { inboxId } = platform
    const before = [...(await threadsOn(platform)).values()]
    expect(before.length).toBeGreaterThan(50)
    const text = 'after:2000-01-01'
    const { threads } = await engine.call('rule.preview', { inboxId, text })
    expect(threads).toBeGreaterThan(30)
    const rule = await addRule(engine, platform, { text, markRead: true, move: 'archive' })
    const receipt = await engine.call('rule.run', { id: rule.id })
    expect(receipt.threads).toBeGreaterThan(20)
    await engine.settled()
    const inbox = await engine.call('thread.list', {
      query: createFolderQuery(inboxId, 'inbox'),
      ...{ offset: 0, limit: 5 },
    })
    expect(inbox.total).toBe(0)
    expect(await logged(engine, 1)).toMatchObject([{ threads, ruleId: rule.id, changeId: receipt.changeId }])
    await engine.call('change.undo', { changeId: receipt.changeId ?? '' })
    await engine.settled()
    expect([...(await threadsOn(platform)).values()].map(({ id, folder, read }) => [id, folder, read])).toEqual(
      before.map(({ id, folder, read }) => [id, folder, read]),
    )
    expect(await engine.call('rule.run', { id: rule.id })).toEqual({ changeId: null, threads: 0 })
  })

  it('report unsupported conditions, and follow a renamed label', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    const { inboxId } = platform
    const { labelId } = await engine.call('label.create', { inboxId, name: 'Two words', color: '#112233' })
    const refused = (wanted: Wanted) =>
      engine.problemOf('rule.save', {
        ...{ id: null, name: 'A rule', inboxId, text: 'bill', addLabels: [], move: 'archive' },
        ...{ markRead: false, star: false, notify: null, isOn: true, ...wanted },
      })
    expect(await refused({ text: '' })).toMatchObject({ code: 'invalid_input', message: /match everything/ })
    expect(await refused({ text: 'in:inbox' })).toMatchObject({ message: /Remove in:inbox/ })
    await addRule(engine, platform, { name: 'Setter', addLabels: [labelId] })
    expect(await refused({ text: 'label:"two words"' })).toMatchObject({ message: /“Setter” adds the label/ })
    await engine.settled()
    const [label] = await engine.call('label.list', { inboxId })
    await engine.call('label.update', { inboxId, labelId: label?.id ?? '', name: 'Renamed' })
    await engine.settled()
    expect(await engine.call('rule.portable', {})).toMatchObject({
      rules: [{ name: 'Setter', addLabels: ['Renamed'] }],
    })
    const file = await engine.call('rule.portable', {})
    for (const text of ['*', '!!!', '€', 'from:@', 'subject:!!']) {
      expect(await refused({ text })).toMatchObject({ code: 'invalid_input', message: /match everything/ })
    }
    expect(await engine.call('rule.import', file)).toEqual({ added: 0, same: 1, leftOut: [] })
    const [setter] = file.rules
    if (setter === undefined) throw new Error('There is no rule.')
    const others = [
      { ...setter, name: 'Elsewhere', inbox: 'nobody@example.com' },
      { ...setter, name: 'Unlabelled', addLabels: ['Nothing'] },
      { ...setter, name: 'Faulty', search: 'is:unread' },
      { ...setter, name: 'Good' },
    ]
    expect(await engine.call('rule.import', { rules: others })).toMatchObject({
      added: 1,
      leftOut: [
        { name: 'Elsewhere', reason: /no inbox/ },
        { name: 'Unlabelled', reason: /no label “Nothing”/ },
        { name: 'Faulty', reason: /is:unread/ },
      ],
    })
    // An imported rule stays off until the user has reviewed it.
    expect((await engine.call('rule.list', {})).find(({ name }) => name === 'Good')).toMatchObject({ isOn: false })
  })
})
