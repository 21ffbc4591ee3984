import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { createFolderQuery } from '../../src/shared/thread-query.ts'
import { FEED_EVENTS } from '../../src/shared/webhooks.ts'
import { accountDirectory, openBenchEngine, synced, type BenchEngine } from './bench-engine.ts'
import { startBenchPlatform, type BenchPlatform } from './bench-platform.ts'
import { percentile, type Figure } from './figure.ts'
import { askPlatform, LARGE } from './platforms.ts'

const DESKS = Array.from({ length: 59 }, (_, number) => `desk-${number}@linnet.example`)
const LIMIT = '10'
const CLIENTS = 5
/** After the start, each inbox is polled once. */
const SETTLED_MS = 15_000
/** Long compared with the pauses between polls, so that one more or less hardly counts. */
const IDLE_MS = 120_000
const TEAM_IDLE_MS = 45_000
const CHANGES = 200
/** At any moment between two reads of the log, which are five seconds apart. */
const CHANGE_EVERY_MS = 1_070
const MAILS = 40
const MAIL_EVERY_MS = 1_100
const CLICKS = 30
const CLICK_EVERY_MS = 700
const LOOK_EVERY_MS = 50
const LONGEST_MS = 60_000

/** Sends mail over SMTP, which has no rate limit. */
const startMail = ({ smtpPort }: BenchPlatform) => {
  const smtp = createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true, pool: true })
  return {
    deliver: (to: string, subject: string) => smtp.sendMail({ from: 'ada@example.com', to, subject, text: 'Hello' }),
    close: () => smtp.close(),
  }
}

interface Account {
  readonly engine: BenchEngine
  readonly platform: BenchPlatform
  /** IDs by address. */
  readonly inboxes: ReadonlyMap<string, string>
}

/** A change by another client. @returns a function that looks for it in the cache */
type Change = (account: Account, number: number) => Promise<() => Promise<boolean>>

const listInbox = async ({ engine }: Account, inboxId: string, limit: number) =>
  (await engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit })).items

const listSubjects = async (account: Account, inboxId: string): Promise<readonly (string | null)[]> => {
  const items = await listInbox(account, inboxId, 10)
  // The inbox that was listed last is polled more often.
  await listInbox(account, account.platform.inboxId, 1)
  return items.map(({ subject }) => subject)
}
const newestThreads = (account: Account) => listInbox(account, account.platform.inboxId, 200)

const deskOf = (number: number): string => DESKS[number % DESKS.length] ?? ''
const receive =
  (mail: ReturnType<typeof startMail>, subject: string): Change =>
  async (account, number) => {
    await mail.deliver(deskOf(number), `${subject} ${number}`)
    const inboxId = account.inboxes.get(deskOf(number)) ?? ''
    return async () => (await listSubjects(account, inboxId)).includes(`${subject} ${number}`)
  }

const startChanges = async (account: Account, mail: ReturnType<typeof startMail>, sent: readonly string[]) => {
  const { engine, platform, inboxes } = account
  const { inboxId } = platform
  const threads = (await newestThreads(account)).map(({ id }) => id)
  const dashboard = `/_control/as/dashboard/inboxes`
  const label = await askPlatform<{ id: string }>(platform, `/inboxes/${inboxId}/labels`, 'POST', { name: 'Bench' })
  const move: Change = async (_, number) => {
    const id = threads[number] ?? ''
    await askPlatform(platform, `${dashboard}/${inboxId}/threads/${id}`, 'PATCH', { folder: 'archive' })
    return async () => !(await newestThreads(account)).some((thread) => thread.id === id)
  }
  const addLabel: Change = async (_, number) => {
    const id = threads[number] ?? ''
    await askPlatform(platform, `${dashboard}/${inboxId}/threads/${id}/labels`, 'POST', { labels: [label.id] })
    return async () =>
      (await newestThreads(account)).some(
        (thread) => thread.id === id && thread.labels.some((one) => one.id === label.id),
      )
  }
  const draft: Change = async (_, number) => {
    const desk = inboxes.get(deskOf(number)) ?? ''
    const content = { to: ['ada@example.com'], subject: `Draft ${number}`, text: 'Hello' }
    const { id } = await askPlatform<{ id: string }>(platform, `${dashboard}/${desk}/drafts`, 'POST', content)
    return async () =>
      (await engine.call('draft.list', { inboxId: desk, cacheOnly: true })).some((listed) => listed.id === id)
  }
  const bounce: Change = async (_, number) => {
    const id = sent[Math.floor(number / KINDS)] ?? ''
    const report = { last_event: 'bounced', bounce: { type: 'Permanent', subType: 'NoEmail', message: 'No such user' } }
    await askPlatform(platform, `/_control/emails/${id}`, 'PUT', report)
    return async () => {
      const { items } = await engine.call('sentEmail.list', { offset: 0, limit: 100 })
      return items.find((email) => email.id === id)?.lastEvent === 'bounced'
    }
  }
  return [receive(mail, 'With a webhook'), move, addLabel, draft, bounce]
}
const KINDS = 5

/** Makes changes at a steady pace. @returns the milliseconds until each was in the cache */
const measureDelays = async (
  account: Account,
  changes: readonly Change[],
  count: number,
  everyMs: number,
): Promise<readonly number[]> => {
  const delays: number[] = []
  const waiting = new Map<number, { readonly since: number; readonly isHere: () => Promise<boolean> }>()
  let made = 0
  const making = (async () => {
    for (const start = performance.now(); made < count; made += 1) {
      await sleep(Math.max(0, start + made * everyMs - performance.now()))
      const since = performance.now()
      const isHere = await changes[made % changes.length]?.(account, made)
      if (isHere !== undefined) waiting.set(made, { since, isHere })
    }
  })()
  const end = performance.now() + count * everyMs + LONGEST_MS
  while ((made < count || waiting.size > 0) && performance.now() < end) {
    await sleep(LOOK_EVERY_MS)
    for (const [number, { since, isHere }] of waiting) {
      if (!(await isHere())) continue
      waiting.delete(number)
      delays.push(performance.now() - since)
    }
  }
  await making
  return [...delays, ...Array.from(waiting, () => Infinity)]
}

const measureIdleRate = async (platform: BenchPlatform, milliseconds: number): Promise<number> => {
  const [before, since] = [platform.answered().length, performance.now()]
  await sleep(milliseconds)
  return ((platform.answered().length - before) * 1000) / (performance.now() - since)
}

const openFocused = async (platform: BenchPlatform, directory: string): Promise<Account> => {
  const engine = await openBenchEngine(platform, directory)
  await engine.call('window.activity', { activity: 'focused' })
  const { inboxes } = await engine.call('inbox.list', {})
  return { engine, platform, inboxes: new Map(inboxes.map(({ emailAddress, id }) => [emailAddress, id])) }
}

/** Fills the platform and the cache without a limit. @returns the IDs of sent e-mails */
const prepare = async (data: string, directory: string): Promise<readonly string[]> => {
  const platform = await startBenchPlatform(LARGE, 'off', '--data', data, '--faults')
  for (const email_address of DESKS) await askPlatform(platform, '/inboxes', 'POST', { email_address })
  const sent: string[] = []
  for (let number = 0; number < CHANGES / KINDS; number += 1) {
    const email = { from: platform.inboxAddress, to: 'ada@example.com', subject: `Sent ${number}`, text: 'Hello' }
    sent.push((await askPlatform<{ id: string }>(platform, '/emails', 'POST', email)).id)
  }
  // Nobody listens there: events are logged anyway.
  const webhook = { endpoint: 'http://127.0.0.1:9/hook', events: FEED_EVENTS }
  await askPlatform(platform, '/webhooks', 'POST', webhook)
  const engine = await openBenchEngine(platform, directory)
  await synced(engine)
  await engine.stop()
  await platform.stop()
  return sent
}

/** Opens threads without stored e-mails. @returns the milliseconds until each was opened, and the number of refusals */
const measureClicks = async ({ engine, platform }: Account) => {
  const query = createFolderQuery(platform.inboxId, 'inbox')
  const { items } = await engine.call('thread.list', { query, offset: 500, limit: CLICKS })
  const before = platform.answered().length
  const clicks: number[] = []
  for (const { id } of items) {
    const since = performance.now()
    await engine.call('thread.open', { inboxId: platform.inboxId, threadId: id })
    clicks.push(performance.now() - since)
    await sleep(CLICK_EVERY_MS)
  }
  const refused = platform
    .answered()
    .slice(before)
    .filter((answer) => answer.endsWith(' 429') && items.some(({ id }) => answer.includes(id)))
  return { clicks, refused: refused.length }
}

const seconds = (values: readonly number[], share: number): number => percentile(values, share) / 1000

/** How soon changes by others are in the cache, and the requests that this takes, with and without a webhook. */
export const measureEventFeed = async (): Promise<readonly Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-bench-feed-'))
  try {
    const data = join(folder, 'platform.sqlite')
    const directory = await accountDirectory({ days: 1 })
    const sent = await prepare(data, directory)
    const others = Array.from({ length: CLIENTS - 1 }, (_, number) => join(folder, `client-${number}`))
    for (const other of others) cpSync(directory, other, { recursive: true })

    const platform = await startBenchPlatform(0, LIMIT, '--data', data, '--faults')
    const mail = startMail(platform)
    const account = await openFocused(platform, directory)
    await sleep(SETTLED_MS)
    const idle = await measureIdleRate(platform, IDLE_MS)
    const team = [account]
    for (const other of others) team.push(await openFocused(platform, other))
    await sleep(CLIENTS * SETTLED_MS)
    const resting = await measureIdleRate(platform, TEAM_IDLE_MS)
    const { refused, clicks } = await measureClicks(account)
    for (const { engine } of team.slice(1)) await engine.stop()

    const changes = await startChanges(account, mail, sent)
    const delays = await measureDelays(account, changes, CHANGES, CHANGE_EVERY_MS)
    await account.engine.stop()

    const { data: webhooks } = await askPlatform<{ data: readonly { id: string }[] }>(platform, '/webhooks')
    for (const { id } of webhooks) await askPlatform(platform, `/webhooks/${id}`, 'DELETE')
    const polling = await openFocused(platform, directory)
    await sleep(SETTLED_MS)
    const polled = await measureIdleRate(platform, IDLE_MS)
    const mails = await measureDelays(polling, [receive(mail, 'Without')], MAILS, MAIL_EVERY_MS)
    await polling.engine.stop()
    mail.close()
    await platform.stop()

    const about = `${DESKS.length + 1} inboxes, ${LARGE.toLocaleString('en')} threads`
    const rate = (name: string, measured: number, value: number, note: string): Figure => ({
      ...{ name, measured, unit: 'a second', bound: { kind: 'at most', value }, note },
    })
    const delay = (name: string, of: readonly number[], share: number, value: number): Figure => ({
      name,
      measured: seconds(of, share),
      unit: 's',
      bound: { kind: 'at most', value },
      note: `median ${seconds(of, 0.5).toFixed(1)} s, p95 ${seconds(of, 0.95).toFixed(1)} s, longest ${seconds(of, 1).toFixed(1)} s of ${of.length}`,
    })
    return [
      rate('requests of an idle client that reads a webhook’s log', idle, 0.3, about),
      delay('changes by others until cached, with a webhook: median', delays, 0.5, 3),
      delay('the same: p95', delays, 0.95, 6),
      rate(`requests of ${CLIENTS} idle clients`, resting, 10, about),
      {
        name: 'refused answers to clicks beside them',
        measured: refused,
        unit: '',
        bound: { kind: 'at most', value: 0 },
        note: `${clicks.length} clicks, p95 ${percentile(clicks, 0.95).toFixed(0)} ms`,
      },
      rate('requests of an idle client without a webhook', polled, 0.4, about),
      delay('new mail until cached, without a webhook: p95', mails, 0.95, 10),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
