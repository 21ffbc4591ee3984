import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { joinAssistantStore } from '../../src/engine/own/assistant-store.ts'
import { StoredAccounts } from '../../src/host/stored-accounts.ts'
import { openSettingsFile } from '../../src/host/settings-file.ts'
import { SETTINGS_NAME } from '../../src/host/settings-names.ts'
import { FOLDERS } from '../../src/shared/model.ts'
import { BUILT, root } from '../support/program.ts'
import { launchBenchBrowser, makeOfflineAccount } from './bench-window.ts'
import { median, percentile, type Figure } from './figure.ts'
import { fillInbox, wordOfRank } from './filled-inbox.ts'

const EMAILS = Number(process.env.BENCH_EMAILS ?? 100_000)
const ROUNDS = 40
/** Number of servers started, each for a single request. */
const SERVERS = 20
const MAX_MS = 20

/** Searches for common, middling and rare words, two words, a phrase, and conditions. */
const QUERIES = [
  wordOfRank(2),
  wordOfRank(150),
  wordOfRank(16_000),
  `${wordOfRank(6)} ${wordOfRank(260)}`,
  `"${wordOfRank(2)} ${wordOfRank(3)}"`,
  'is:unread has:attachment',
]

interface Ids {
  readonly threads: readonly { readonly id: string }[]
  readonly messages: readonly { readonly id: string }[]
}

/** Response times for an assistant in a large mailbox, with a window open. Needs `npm run build`. */
export const measureAssistants = async (): Promise<readonly Figure[]> => {
  const browser = await launchBenchBrowser()
  let emails = 0
  const account = await makeOfflineAccount(browser, (cache, inbox) => {
    emails = fillInbox(cache, inbox, EMAILS).emails
  })
  const ending: (() => Promise<void>)[] = []
  try {
    // Mark the account as connected in a window. For an account from the environment, a server would query the running
    // Linnet.
    const settings = new StoredAccounts(openSettingsFile(join(account.dataDirectory, `${SETTINGS_NAME}.json`)))
    for (const record of settings.all()) settings.keep({ ...record, isConnected: true })
    const { page, close } = await account.open(browser)
    ending.push(close)
    await page.getByRole('listbox', { name: 'Threads' }).getByRole('option').first().waitFor({ timeout: 60_000 })
    const [cache = ''] = globSync(join(account.dataDirectory, '**/cache.sqlite'))
    const joined = joinAssistantStore(dirname(cache))
    const folders = FOLDERS.map((folder) => ({ inboxId: account.inboxId, folder }))
    joined.store.setAccess({ folders, lists: ['received', 'sent', 'contacts'] })
    joined.close()

    const args = [join(root, BUILT.linnet), 'mcp', '--data', account.dataDirectory]
    const connect = async (): Promise<Client> => {
      const client = new Client({ name: 'bench', version: '1' })
      ending.push(() => client.close())
      await client.connect(new StdioClientTransport({ command: process.execPath, args }))
      return client
    }
    const times = new Map<string, number[]>()
    const askOf = async (
      client: Client,
      name: string,
      input: Readonly<Record<string, unknown>>,
      under = name,
    ): Promise<Ids> => {
      const at = performance.now()
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: { ...input } })
      times.set(under, [...(times.get(under) ?? []), performance.now() - at])
      if (isError === true) throw new Error(JSON.stringify(content))
      return structuredContent as Ids
    }
    for (let server = 0; server < SERVERS; server += 1) {
      const started = performance.now()
      const client = await connect()
      times.set('start', [...(times.get('start') ?? []), performance.now() - started])
      await askOf(client, 'search_mail', { query: QUERIES[server % QUERIES.length] ?? '' }, 'first')
      await client.close()
    }
    const client = await connect()
    const ask = (name: string, input: Readonly<Record<string, unknown>>): Promise<Ids> => askOf(client, name, input)
    const { threads } = await ask('list_threads', { limit: 50 })
    for (let round = 0; round < ROUNDS; round += 1) {
      const thread = threads[round % threads.length]?.id ?? ''
      for (const query of QUERIES) await ask('search_mail', { query })
      await ask('list_threads', {})
      const { messages } = await ask('read_thread', { thread })
      await ask('read_message', { message: messages[0]?.id ?? '' })
      await ask('list_inboxes', {})
      await ask('list_contacts', { query: 'ada' })
      await ask('propose_move', { threads: [thread], folder: 'archive' })
      const at = performance.now()
      await client.ping()
      times.set('ping', [...(times.get('ping') ?? []), performance.now() - at])
    }
    const of = (name: string): readonly number[] => times.get(name) ?? []
    const p95 = (values: readonly number[]): number => percentile(values, 0.95)
    const others = ['first', 'start', 'ping']
    const inARow = [...times.keys()].filter((name) => !others.includes(name))
    const bound = { kind: 'at most', value: MAX_MS } as const
    const words = `among ${emails.toLocaleString('en')} e-mails beside a window`
    return [
      {
        name: `an assistant’s question ${words}, until it is answered (p95)`,
        measured: p95(inARow.flatMap(of)),
        unit: 'ms',
        bound,
        note: `${inARow.map((name) => `${name} ${p95(of(name)).toFixed(1)}`).join(', ')}; a ping ${p95(of('ping')).toFixed(1)} ms`,
      },
      {
        name: `the first question of a server that was just started ${words} (p95)`,
        measured: p95(of('first')),
        unit: 'ms',
        bound,
        note: `median ${median(of('first')).toFixed(1)} ms of ${SERVERS}; each was connected after ${median(of('start')).toFixed(0)} ms`,
      },
    ]
  } finally {
    for (const end of ending.toReversed()) await end()
    await browser.close()
    account.remove()
  }
}
