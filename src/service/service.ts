import type { Server } from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { createAdaptorServer } from '@hono/node-server'
import { generateThreads } from './datasets/generate-threads.ts'
import { importMail } from './datasets/import-mail.ts'
import { loadMailbox } from './datasets/load-mailbox.ts'
import { ApiError } from './http/api-error.ts'
import { createApp } from './http/app.ts'
import type { MovableClock } from './http/control.ts'
import { keepHouse } from './housekeeping.ts'
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
  /** Mail to load into the first inbox: mbox files, single messages, folders of them. */
  readonly imports?: readonly string[]
  /** Generated threads for a new database. */
  readonly generate?: { readonly threads: number; readonly seed: number } | null
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
  let ahead = 0
  const machineTime = options.now ?? Date.now
  const platform: Platform = {
    db,
    settings: { ...defaultSettings, ...options.settings },
    now: () => machineTime() + ahead,
    baseUrl: () => baseUrl,
    secret: signingSecret(db),
  }
  await loadDataset(platform, options)
  await loadImports(platform, options)
  const apiKey = options.apiKey ?? newToken()
  db.transaction(() => renewServiceKey(db, apiKey, platform.now()))
  const inbox = firstInbox(db)
  const clock: MovableClock = {
    advance(milliseconds) {
      ahead += milliseconds
    },
  }

  const smtp = createSmtpDoor(platform, options.log)
  await listening(smtp.server, options.smtpPort, 'SMTP')
  // The adaptor makes a plain HTTP server unless it is given another factory.
  const http = createAdaptorServer({ fetch: createApp(platform, clock, options.log).fetch }) as Server
  try {
    await listening(http, options.port, 'HTTP')
  } catch (error) {
    await closed((done) => smtp.close(done))
    throw error
  }
  baseUrl = `http://${loopback}:${portOf(http)}`
  http.on('clientError', answerMalformedHttp)
  const stopHousekeeping = startHousekeeping(platform, options.log)
  options.log(`Listening on ${baseUrl}, SMTP on ${loopback}:${portOf(smtp.server)}`)

  return {
    announcement: {
      base_url: baseUrl,
      api_key: apiKey,
      // Every inbox can be deleted over the interface; then there is none to name.
      inbox_id: inbox?.id ?? '',
      inbox_address: inbox?.email_address ?? '',
      smtp_port: portOf(smtp.server),
    },
    async close() {
      await Promise.all([closeHttp(http), closed((done) => smtp.close(done)), stopHousekeeping()])
      db.close()
    },
  }
}

/** Loads the dataset into a new file; a file that has been served before keeps what it holds. */
async function loadDataset(platform: Platform, { dataset, generate }: ServiceOptions): Promise<void> {
  const { db } = platform
  const known = readSetting(db, 'dataset')
  if (known === unfinished) {
    throw new Error('The service ended while this database was being filled. Delete the file and start again.')
  }
  if (known !== null) return
  writeSetting(db, 'dataset', unfinished)
  if (dataset === 'demo') {
    // Its texts are large, and only this dataset needs them.
    const { demoMailbox } = await import('./demo/demo-mailbox.ts')
    await loadMailbox(platform, await demoMailbox(new Date(platform.now())))
  } else addInbox(db, emptyInbox, platform.now())
  if (generate) generateThreads(platform, neededInbox(db), generate.threads, generate.seed)
  writeSetting(db, 'dataset', dataset)
}

/** Stands in place of the dataset's name until all of it is stored, so that half a mailbox is not taken for one. */
const unfinished = 'unfinished'

const emptyInbox = { emailAddress: 'inbox@linnet.example', name: null, fromName: null, forwarding: false }

async function loadImports(platform: Platform, { imports = [], log }: ServiceOptions): Promise<void> {
  for (const path of imports) {
    const { stored, known } = await importMail(platform, neededInbox(platform.db), path)
    log(`Imported ${path}: ${stored} messages, ${known} were here already`)
  }
}

/** The oldest inbox: the one that is announced and that mail is loaded into. */
function firstInbox(db: Database): InboxRow | undefined {
  return db.get<InboxRow>('SELECT * FROM inboxes ORDER BY seq LIMIT 1')
}

function neededInbox(db: Database): InboxRow {
  const inbox = firstInbox(db)
  if (!inbox) throw new Error('There is no inbox to load mail into.')
  return inbox
}

/** Keeps house every second. @returns what ends it, once the round under way is done */
function startHousekeeping(platform: Platform, log: (line: string) => void): () => Promise<void> {
  let round: Promise<void> | null = null
  const timer = setInterval(() => {
    round ??= keepHouse(platform)
      .catch((error: unknown) => {
        log(`Housekeeping failed: ${String(error)}`)
      })
      .finally(() => {
        round = null
      })
  }, 1000)
  return async () => {
    clearInterval(timer)
    await round
  }
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

/** What is no HTTP never reaches the app, but is answered like any bad request. */
function answerMalformedHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const body = JSON.stringify(new ApiError(400, 'validation_error', 'The request is not valid HTTP.').body())
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
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
