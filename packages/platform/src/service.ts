import { type Server, createServer } from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { RequestError, getRequestListener } from '@hono/node-server'
import { type DatasetOptions, fillDatabase, findFirstInbox } from './datasets/fill-database.ts'
import { ApiError } from './http/api-error.ts'
import { createApp } from './http/app.ts'
import type { FaultRule } from './http/fault-rule.ts'
import { Faults } from './http/faults.ts'
import { createSmtpServer } from './mail/smtp-server.ts'
import type { Platform } from './platform.ts'
import { type Settings, defaultSettings } from './settings.ts'
import { StepScheduler } from './search/step-scheduler.ts'
import { deleteOtherKeys, generateToken, setServiceKey } from './storage/api-keys.ts'
import { Database } from './storage/database.ts'
import { finishDomainChecks } from './storage/domains.ts'
import { getOrCreateSigningSecret } from './storage/settings-table.ts'
import { ThreadChanges } from './storage/thread-changes.ts'
import { applyDueDeliveryEvents } from './mail/delivery-events.ts'
import { sendScheduled } from './mail/send.ts'
import { refreshThread } from './storage/threads.ts'
import { deleteOldEvents } from './storage/webhooks.ts'
import { Deliveries } from './webhooks/deliveries.ts'
import { Events } from './webhooks/events.ts'
import { WebhookInboxes } from './webhooks/webhook-inboxes.ts'

export interface ServiceOptions extends DatasetOptions {
  /** 0 for any free port. */
  readonly port: number
  readonly smtpPort: number
  /** The database file, or `null` for a database in memory. */
  readonly data: string | null
  /** The full-access key, or `null` to create one. */
  readonly apiKey: string | null
  readonly settings: Partial<Settings>
  /** Faults to inject from the first request on. */
  readonly faults?: readonly FaultRule[]
  /** Clock for tests; returns milliseconds since 1970. */
  readonly now?: () => number
}

/** First line of stdout, with everything that a client needs to connect. */
export interface StartupAnnouncement {
  readonly base_url: string
  readonly api_key: string
  readonly inbox_id: string
  readonly inbox_address: string
  readonly smtp_port: number
}

export interface RunningService {
  readonly announcement: StartupAnnouncement
  readonly platform: Platform
  readonly faults: Faults
  readonly webhookInboxes: WebhookInboxes
  /** Resolves once everything that is due was done: scheduled e-mails, delivery events, checks of domains, webhooks. */
  settled(): Promise<void>
  advanceClock(milliseconds: number): void
  /** Empties the database except for the announced inbox and key, and clears all faults. */
  reset(): void
  /** Lets requests in flight finish, then releases ports and file. */
  close(): Promise<void>
}

const loopback = '127.0.0.1'

/** Limited because each search holds its matches in memory. */
const searchesAtOnce = 4

/** Resolves once listening. @throws Error with a message for the user if a port is taken or the file is unusable */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const db = new Database(options.data ?? ':memory:')
  try {
    return await serve(options, db)
  } catch (error) {
    db.close()
    throw error
  }
}

/** Tables that survive a reset, at least in part. */
const keptTables = new Set(['settings', 'domains', 'api_keys', 'inboxes'])

/** @param inboxId the inbox to keep, without its mail @param apiKey the key to keep */
function resetDatabase(db: Database, inboxId: string, apiKey: string): void {
  db.transaction(() => {
    // Until the commit, rows may refer to deleted rows.
    db.run('PRAGMA defer_foreign_keys = ON')
    const tables = db.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    for (const { name } of tables) if (!keptTables.has(name)) db.run(`DELETE FROM "${name}"`)
    db.run('DELETE FROM inboxes WHERE id <> ?', inboxId)
    db.run('DELETE FROM domains WHERE id NOT IN (SELECT domain_id FROM inboxes)')
    deleteOtherKeys(db, apiKey)
  })
}

async function serve(options: ServiceOptions, db: Database): Promise<RunningService> {
  let [baseUrl, smtpPort] = ['', 0]
  let ahead = 0
  const machineTime = options.now ?? Date.now
  const now = (): number => machineTime() + ahead
  const platform: Platform = {
    db,
    threadChanges: new ThreadChanges(db),
    events: new Events(db, now),
    scheduler: new StepScheduler(searchesAtOnce),
    settings: { ...defaultSettings, ...options.settings },
    now,
    baseUrl: () => baseUrl,
    smtpPort: () => smtpPort,
    secret: getOrCreateSigningSecret(db),
  }
  await fillDatabase(platform, options)
  const apiKey = options.apiKey ?? generateToken()
  db.transaction(() => setServiceKey(db, apiKey, platform.now()))
  const inbox = findFirstInbox(db)
  const deliveries = new Deliveries(platform, options.log)
  // Only now, because the messages of a dataset or an import are no events.
  platform.events.start(() => deliveries.wake())
  const webhookInboxes = new WebhookInboxes(db)
  const advanceClock = (milliseconds: number): void => {
    ahead += milliseconds
    deliveries.wake()
  }

  const smtp = createSmtpServer(platform, options.log)
  await startListening(smtp.server, options.smtpPort, 'SMTP')
  const faults = new Faults(options.faults)
  const app = createApp(platform, faults, webhookInboxes, advanceClock, options.log)
  const answer = getRequestListener(app.fetch, { errorHandler: (error) => answerUnreadable(error, options.log) })
  const http = createServer(
    // By default Node rejects a request without Host with an empty body, and its timeout of five minutes is too short
    // for 25 MB on a slow connection.
    { requireHostHeader: false, requestTimeout: 0 },
    (incoming, outgoing) => void answer(incoming, outgoing),
  )
  try {
    await startListening(http, options.port, 'HTTP')
  } catch (error) {
    await waitForClose((done) => smtp.close(done))
    throw error
  }
  baseUrl = `http://${loopback}:${portOf(http)}`
  smtpPort = portOf(smtp.server)
  http.on('clientError', answerMalformedHttp)
  const housekeeping = startHousekeeping(platform, deliveries, options.log)
  deliveries.wake()
  options.log(`Listening on ${baseUrl}, SMTP on ${loopback}:${smtpPort}`)

  return {
    announcement: {
      base_url: baseUrl,
      api_key: apiKey,
      // Empty if every inbox was deleted through the API.
      inbox_id: inbox?.id ?? '',
      inbox_address: inbox?.email_address ?? '',
      smtp_port: smtpPort,
    },
    platform,
    faults,
    webhookInboxes,
    async settled() {
      await housekeeping.runNow()
      await deliveries.settled()
    },
    advanceClock,
    reset() {
      resetDatabase(db, inbox?.id ?? '', apiKey)
      faults.set([])
      webhookInboxes.clear()
    },
    async close() {
      await deliveries.close()
      webhookInboxes.clear()
      await Promise.all([closeHttp(http), waitForClose((done) => smtp.close(done)), housekeeping.stop()])
      platform.scheduler.end()
      db.close()
    },
  }
}

const day = 24 * 60 * 60 * 1000

/** Events that the log of one webhook keeps. The platform's own limit is unknown. */
const keptEvents = 10_000

/**
 * Time-driven work: sends scheduled e-mails, applies delivery events, finishes checks of domains, retries webhooks and
 * deletes expired data.
 */
async function runHousekeeping(platform: Platform, deliveries: Deliveries): Promise<void> {
  await sendScheduled(platform)
  platform.db.transaction(() => {
    applyDueDeliveryEvents(platform)
    finishDomainChecks(platform.db, platform.now())
    emptyTrash(platform)
    applyRetention(platform)
    forgetIdempotencyKeys(platform)
    deleteOldEvents(platform.db, keptEvents)
  })
  deliveries.wake()
}

/** A thread in the trash is deleted after 30 days (platform.md 7.3). */
function emptyTrash({ db, now }: Platform): void {
  db.run('DELETE FROM threads WHERE purge_at <= ?', now())
}

/** E-mails are kept for a number of days, and a thread is kept while it has e-mails (platform.md 2.6). */
function applyRetention({ db, now, settings }: Platform): void {
  if (settings.retentionDays === null) return
  const oldest = now() - settings.retentionDays * day
  // Naming both directions makes the query use the index that starts with `direction`.
  const isOld = "direction IN ('inbound', 'outbound') AND received_at < ? AND last_event IS NOT 'scheduled'"
  const threads = db.all<{ seq: number | null }>(`SELECT DISTINCT thread_seq AS seq FROM emails WHERE ${isOld}`, oldest)
  db.run(`DELETE FROM emails WHERE ${isOld}`, oldest)
  for (const { seq } of threads) {
    if (seq === null) continue
    const isEmpty = db.get('SELECT 1 FROM emails WHERE thread_seq = ?', seq) === undefined
    if (isEmpty) db.run('DELETE FROM threads WHERE seq = ?', seq)
    else {
      refreshThread(db, seq)
      leaveInbox(db, seq)
    }
  }
}

/** A thread in `inbox` has a received message; one in `sent` has only outbound ones (platform.md 7.1). */
function leaveInbox(db: Database, thread: number): void {
  db.run(
    "UPDATE threads SET folder = 'sent' WHERE seq = ? AND folder = 'inbox' AND outbound_count = email_count",
    thread,
  )
}

/** Idempotency keys expire after 24 hours (platform.md 1.10). */
function forgetIdempotencyKeys({ db, now }: Platform): void {
  db.run('DELETE FROM idempotency_keys WHERE created_at <= ?', now() - day)
}

interface Housekeeping {
  /** Runs a complete round that begins now. */
  runNow(): Promise<void>
  /** Stops after the current round. */
  stop(): Promise<void>
}

/** Runs housekeeping every second. */
function startHousekeeping(platform: Platform, deliveries: Deliveries, log: (line: string) => void): Housekeeping {
  let round: Promise<void> | null = null
  const run = (): Promise<void> =>
    (round ??= runHousekeeping(platform, deliveries)
      .catch((error: unknown) => {
        log(`Housekeeping failed: ${String(error)}`)
      })
      .finally(() => {
        round = null
      }))
  const timer = setInterval(() => void run(), 1000)
  return {
    async runNow() {
      await round
      await run()
    },
    async stop() {
      clearInterval(timer)
      await round
    },
  }
}

async function startListening(server: NetServer, port: number, name: string): Promise<void> {
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
  // A server listening on a port has an AddressInfo.
  return (server.address() as AddressInfo).port
}

const malformed = JSON.stringify(new ApiError(400, 'validation_error', 'The request is not valid HTTP.').body())
const jsonType = 'application/json; charset=utf-8'

/**
 * Answers requests that never reach the app because their Host and path don't form a valid URL. They get the same
 * response as any bad request.
 */
function answerUnreadable(error: unknown, log: (line: string) => void): Response {
  if (error instanceof RequestError)
    return new Response(malformed, { status: 400, headers: { 'content-type': jsonType } })
  log(`Unexpected: ${String(error)}`)
  return new Response(null, { status: 500 })
}

/** Sends the same response for data that isn't HTTP. */
function answerMalformedHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${jsonType}\r\nContent-Length: ${malformed.length}\r\nConnection: close\r\n\r\n${malformed}`,
  )
}

/** Milliseconds to wait for requests in flight. */
const closeTimeoutMs = 2000

async function closeHttp(server: Server): Promise<void> {
  const timer = setTimeout(() => {
    server.closeAllConnections()
  }, closeTimeoutMs)
  await waitForClose((done) => {
    server.close(done)
    server.closeIdleConnections()
  })
  clearTimeout(timer)
}

async function waitForClose(close: (done: () => void) => void): Promise<void> {
  await new Promise<void>((resolve) => {
    close(resolve)
  })
}
