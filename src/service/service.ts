import type { Server } from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { loadMailbox } from './datasets/load-mailbox.ts'
import { createApp } from './http/app.ts'
import { createSmtpDoor } from './mail/smtp-door.ts'
import { type Platform, type Settings, defaultSettings } from './platform.ts'
import { newToken, renewServiceKey } from './storage/api-keys.ts'
import { type Database, openDatabase } from './storage/database.ts'
import { type InboxRow, addInbox } from './storage/inboxes.ts'
import { readSetting, signingSecret, writeSetting } from './storage/settings-table.ts'

export interface ServiceOptions {
  /** 0 for any free port. */
  readonly port: number
  readonly smtpPort: number
  readonly dataset: 'demo' | 'empty'
  /** The database file; `null` keeps everything in memory. */
  readonly data: string | null
  /** The full-access key; `null` mints one. */
  readonly apiKey: string | null
  readonly settings: Partial<Settings>
  /** Takes one line of log at a time. */
  readonly log: (line: string) => void
  /** Milliseconds since 1970; for tests that need another time. */
  readonly now?: () => number
}

/** What the first line of stdout says: all that a client needs. */
export interface Announcement {
  readonly base_url: string
  readonly api_key: string
  readonly inbox_id: string
  readonly inbox_address: string
  readonly smtp_port: number
}

export interface RunningService {
  readonly announcement: Announcement
  /** Lets requests under way finish, then frees ports and file. */
  close(): Promise<void>
}

/** The service talks to its own machine only. */
const loopback = '127.0.0.1'

/**
 * Starts the mail platform and resolves once it listens.
 * @throws Error with a sentence for a person when a port is taken or the file cannot be used
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const db = openDatabase(options.data ?? ':memory:')
  try {
    return await serve(options, db)
  } catch (error) {
    db.close()
    throw error
  }
}

async function serve(options: ServiceOptions, db: Database): Promise<RunningService> {
  let baseUrl = ''
  const platform: Platform = {
    db,
    settings: { ...defaultSettings, ...options.settings },
    now: options.now ?? Date.now,
    baseUrl: () => baseUrl,
    secret: signingSecret(db),
  }
  await loadDataset(platform, options.dataset)
  const apiKey = options.apiKey ?? newToken()
  renewServiceKey(db, apiKey, platform.now())
  const inbox = firstInbox(db)

  const smtp = createSmtpDoor(platform, options.log)
  await listening(smtp.server, options.smtpPort, 'SMTP')
  // The adaptor makes a plain HTTP server unless it is given another factory.
  const http = createAdaptorServer({ fetch: createApp(platform, options.log).fetch }) as Server
  try {
    await listening(http, options.port, 'HTTP')
  } catch (error) {
    await closed((done) => smtp.close(done))
    throw error
  }
  baseUrl = `http://${loopback}:${portOf(http)}`
  options.log(`Listening on ${baseUrl}, SMTP on ${loopback}:${portOf(smtp.server)}`)

  return {
    announcement: {
      base_url: baseUrl,
      api_key: apiKey,
      inbox_id: inbox.id,
      inbox_address: inbox.email_address,
      smtp_port: portOf(smtp.server),
    },
    async close() {
      await Promise.all([closeHttp(http), closed((done) => smtp.close(done))])
      db.close()
    },
  }
}

/** Loads the dataset into a new file; a file that has been served before keeps what it holds. */
async function loadDataset(platform: Platform, dataset: ServiceOptions['dataset']): Promise<void> {
  const { db } = platform
  if (readSetting(db, 'dataset') !== null) return
  if (dataset === 'demo') {
    // Its texts are large, and only this dataset needs them.
    const { demoMailbox } = await import('./demo/demo-mailbox.ts')
    await loadMailbox(platform, await demoMailbox(new Date(platform.now())))
  } else
    addInbox(
      db,
      { emailAddress: 'inbox@linnet.example', name: null, fromName: null, forwarding: false },
      platform.now(),
    )
  writeSetting(db, 'dataset', dataset)
}

function firstInbox(db: Database): Pick<InboxRow, 'id' | 'email_address'> {
  const inbox = db.get<Pick<InboxRow, 'id' | 'email_address'>>(
    'SELECT id, email_address FROM inboxes ORDER BY seq LIMIT 1',
  )
  // Every inbox can be deleted over the interface; what is announced then names none.
  return inbox ?? { id: '', email_address: '' }
}

async function listening(server: NetServer, port: number, name: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`${name} port ${port} is in use by another program.`, { cause: error })
          : new Error(`${name} cannot listen on port ${port}: ${error.message}`, { cause: error }),
      )
    })
    server.listen(port, loopback, resolve)
  })
}

function portOf(server: NetServer): number {
  // A server that listens on a port has an AddressInfo.
  return (server.address() as AddressInfo).port
}

/** Milliseconds that requests under way get to finish. */
const patience = 2000

async function closeHttp(server: Server): Promise<void> {
  const timer = setTimeout(() => {
    server.closeAllConnections()
  }, patience)
  await closed((done) => {
    server.close(done)
    server.closeIdleConnections()
  })
  clearTimeout(timer)
}

async function closed(close: (done: () => void) => void): Promise<void> {
  await new Promise<void>((resolve) => {
    close(resolve)
  })
}
