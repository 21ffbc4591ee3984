import { expect, it } from 'vitest'
import type { CommandInput, CommandName, CommandOutput } from '../../../src/shared/contract.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { ALL_INBOXES, parseUnifiedThreadId, toUnifiedThreadId } from '../../../src/shared/unified-ids.ts'
import { eventually } from '../engine/support/eventually.ts'
import { expectOk } from '../engine/support/test-engine.ts'
import { startTestPlatform } from '../engine/support/test-platform.ts'
import { openTestMachine } from './support/test-host.ts'

it('serves a window of all inboxes: lists, files and events', async () => {
  const platforms = [await startTestPlatform(), await startTestPlatform()]
  const machine = openTestMachine()
  const host = machine.start()
  const accountIds: string[] = []
  for (const { baseUrl, apiKey } of platforms) {
    accountIds.push((await host.ask('account.connect', { baseUrl, apiKey }))?.id ?? '')
  }
  for (const [at, platform] of platforms.entries()) {
    const attachments = [{ filename: `notes ${at}.txt`, content: `notes ${at}` }]
    await platform.deliver({ subject: `Letter ${at}`, attachments })
  }
  const ask = async <Name extends CommandName>(name: Name, input: CommandInput<Name>): Promise<CommandOutput<Name>> =>
    expectOk(await host.host.call(name, input, { accountId: ALL_INBOXES, caller: 'window' })) as CommandOutput<Name>
  const { items } = await eventually(
    () => ask('thread.list', { query: createFolderQuery(ALL_INBOXES, 'inbox'), offset: 0, limit: 50 }),
    ({ total }) => total === 2,
  )
  const owners = Object.fromEntries(
    items.map(({ id, subject }) => [subject ?? '', parseUnifiedThreadId(id)?.accountId]),
  )
  expect(owners).toEqual({ 'Letter 0': accountIds[0], 'Letter 1': accountIds[1] })
  for (const { id, subject } of items) {
    const { emails } = await ask('thread.open', { inboxId: ALL_INBOXES, threadId: id })
    const of = { list: 'threads', inboxId: ALL_INBOXES, threadId: id, emailId: emails[0]?.id ?? '' } as const
    await ask('attachment.saveAll', { of })
    await ask('original.save', { of })
    const [file, original] = machine.saved.splice(0)
    expect(Buffer.from(file?.content ?? []).toString()).toBe(`notes ${String(subject?.at(-1))}`)
    expect(Buffer.from(original?.content ?? []).toString()).toContain(`Subject: ${String(subject)}`)
  }

  const [first] = items
  await ask('thread.change', { inboxId: ALL_INBOXES, threadIds: [first?.id ?? ''], change: { star: true } })
  const at = parseUnifiedThreadId(first?.id ?? '')
  const toldTo = (accountId: string): readonly string[] =>
    host.events.flatMap((event) =>
      event.name === 'threads.changed' && event.accountId === accountId ? event.payload.threadIds : [],
    )
  await eventually(
    () => Promise.resolve(toldTo(ALL_INBOXES)),
    (threadIds) => at !== null && threadIds.includes(toUnifiedThreadId(at)),
  )
  expect(toldTo(at?.accountId ?? '')).toContain(at?.threadId)
})
