import { join } from 'node:path'
import { createDispatcher, type AccountUsage, type BodyOwner } from '../shared/contract.ts'
import type { ConnectionStep } from '../shared/connection-test.ts'
import { toAttachmentFilename } from '../shared/attachment-filename.ts'
import { normalizeContentId, parseCidUrl, buildPictureFilename } from '../shared/embedded-picture.ts'
import type { AccountKey, EngineDiagnostics, EngineApi, HostLink, RequestedFile } from '../shared/engine-api.ts'
import { describeThrown, logLine } from '../shared/log.ts'
import type { RouteSource } from '../shared/proxy.ts'
import { ok, type ProblemError, type Result, toProblem, createProblem } from '../shared/result.ts'
import { CACHE_NAME, OWN_NAME } from './own/account-files.ts'
import { OpenAccount } from './account.ts'
import type { MailPart } from './account-mail.ts'
import { partsWorkerFile } from './mail/attachments/parse-in-worker.ts'
import { filesWorkerFile } from './files/run-file-task.ts'
import { parseBaseUrl } from './platform/base-url.ts'
import { allowNetwork } from './platform/load-undici.ts'
import { createNetworkChangeDebouncer, Network } from './platform/network.ts'
import { testConnection, type ConnectionTestDependencies } from './platform/test-connection.ts'
import { countTrustedCertificates } from './platform/trusted-certificates.ts'
import { testCredentials } from './platform/test-credentials.ts'
import { serializeContactTable } from './files/export/contact-table.ts'
import { createHandlers } from './handlers/index.ts'
import { decodeEmbeddedPicture } from './mail/pictures/fetch-picture.ts'
import { ReopeningAccount, type OpenFiles } from './reopening-account.ts'
import { readDirectoryUsage } from './store/directory-usage.ts'
import { countLocalOnlyDrafts } from './own/drafts/draft-store.ts'
import { readSqliteVersion, countRows, readInboxNames } from './store/read-database-file.ts'
import { toStorageError } from './store/storage-problem.ts'
import { ViewerActivity } from './sync/viewer-activity.ts'
import { AllInboxes, joinAccount, type JoinedAccount } from './handlers/all-inboxes.ts'
import { ALL_INBOXES } from '../shared/unified-ids.ts'
import { systemClock, type Clock } from './timing/clock.ts'
import { decodeGrant, encodeGrant } from '../shared/grant.ts'
import { AuthorizationServer } from './platform/authorization-server.ts'

/** Time for a window to paint a list. */
const PAINTED_MS = 200

interface Opened extends JoinedAccount {
  readonly account: ReopeningAccount
  /** Key for reopening the account. */
  readonly keyed: { key: AccountKey | null }
  readonly directory: string
  readonly watchers: ViewerActivity
  tested?: readonly ConnectionStep[]
}

const notOpen = (): ProblemError =>
  createProblem('no_account', 'This account is not open. Open it, or connect another.')

const asPromise = (work: () => void): Promise<void> => {
  work()
  return Promise.resolve()
}

const usageOf = async (directory: string, accounts: Iterable<Opened>): Promise<AccountUsage> => {
  const open = [...accounts].find((each) => each.directory === directory)
  const usage = {
    ...(await readDirectoryUsage(directory, { cache: CACHE_NAME, own: OWN_NAME })),
    drafts: countLocalOnlyDrafts(directory, open !== undefined),
  }
  // The account itself also counts the messages that it is sending.
  return open === undefined ? usage : { ...usage, unsentChanges: open.account.current().unsentChanges() }
}

const fetchAttachment = async (
  { attachments }: MailPart,
  of: BodyOwner,
  attachmentId: string,
): Promise<RequestedFile> => {
  const { bytes } = await attachments.fetch(of, attachmentId)
  const attachment = await attachments.find(of, attachmentId)
  return { filename: toAttachmentFilename(attachment), content: bytes }
}

const fetchPictureFile = async (
  { pictures, attachments }: MailPart,
  of: BodyOwner,
  url: string,
): Promise<RequestedFile> => {
  const { type, content } = decodeEmbeddedPicture(url) ?? (await pictures.read(of, url, false))
  const contentId = parseCidUrl(url)
  const { items } = contentId === null ? { items: [] } : await attachments.list(of, 'localOnly')
  const attachment = items.find((each) => normalizeContentId(each.contentId) === contentId)
  return { filename: buildPictureFilename(url, type, attachment?.filename), content }
}

const testOpened = async (
  opened: Opened,
  by: RouteSource,
  parts: ConnectionTestDependencies,
): Promise<readonly ConnectionStep[]> => {
  const { account } = opened
  const toTest = {
    baseUrl: account.current().platform.baseUrl.href,
    apiKey: await account.current().platform.access.bearer(),
    hasAnswered: () => account.current().status().lastSyncAt !== null,
  }
  opened.tested = await testConnection({ ...toTest, by }, parts)
  return opened.tested
}

const diagnose = ({ account, directory, tested = [] }: Opened): EngineDiagnostics => ({
  counts: countRows(join(directory, CACHE_NAME)),
  sync: account.current().status(),
  trusted: countTrustedCertificates(),
  tested,
})

/** A slow platform must not delay signing out. */
const END_SIGN_IN_MS = 5_000

/** @param signal returns the signal that aborts the current request */
const signInCalls = (
  network: Pick<Network, 'open'>,
  attempt: <Value>(work: () => Value | Promise<Value>) => Promise<Result<Value>>,
  signal: () => AbortSignal,
): Pick<EngineApi, 'beginSignIn' | 'finishSignIn' | 'endSignIn'> => {
  const serverAt = (baseUrl: string): AuthorizationServer => new AuthorizationServer(network, parseBaseUrl(baseUrl))
  return {
    beginSignIn: (baseUrl, redirectUri, clientId) =>
      attempt(() => serverAt(baseUrl).begin(redirectUri, clientId, signal())),
    finishSignIn: (begun, answered) =>
      attempt(async () =>
        encodeGrant(await serverAt(begun.baseUrl).finish(begun, new URLSearchParams(answered), signal())),
      ),
    endSignIn: ({ baseUrl, apiKey }) =>
      attempt(async () => {
        const held = decodeGrant(apiKey)
        if (held !== null) await serverAt(baseUrl).revoke(held, AbortSignal.timeout(END_SIGN_IN_MS))
        return null
      }),
  }
}

/**
 * The mail engine: independent accounts, no knowledge of windows or Electron. Runs in a worker thread or plain Node.
 * @param options `routesTo` finds a server's proxy; `connectionTested` gets test steps; `isSafe` skips the index, older
 * mail and images
 */
export const createEngine = (
  host: Pick<HostLink, 'event' | 'keyAccepted' | 'keyRenewed' | 'log'>,
  {
    partsWorker = partsWorkerFile(import.meta.filename),
    filesWorker = filesWorkerFile(import.meta.filename),
    isSafe = false,
    routesTo,
    connectionTested,
    clock = systemClock,
  }: {
    readonly partsWorker?: string
    readonly filesWorker?: string
    readonly isSafe?: boolean
    readonly routesTo?: HostLink['routesTo']
    readonly connectionTested?: HostLink['connectionTested']
    readonly clock?: Clock
  } = {},
): EngineApi => {
  const accounts = new Map<string, Opened>()
  const network = new Network({ ...(routesTo !== undefined && { routesTo }) })
  /** Aborts key tests. */
  let tests = new AbortController()

  const applyNetworkChange = (renew: () => void): void => {
    renew()
    for (const { account } of accounts.values()) account.current().networkChanged()
  }
  const networkChanged = createNetworkChangeDebouncer(clock, () => applyNetworkChange(() => network.renew()))

  const report = (thrown: unknown): void => host.log('error', logLine`engine: ${describeThrown(thrown)}`)
  const find = (accountId: string): Opened => {
    const opened = accounts.get(accountId)
    if (opened === undefined) throw notOpen()
    return opened
  }
  const current = (accountId: string): OpenAccount => find(accountId).account.current()
  const attempt = async <Data>(work: () => Promise<Data> | Data): Promise<Result<Data>> => {
    try {
      return ok(await work())
    } catch (thrown) {
      const problem = toProblem(toStorageError(thrown))
      if (problem.code === 'internal') report(thrown)
      return { ok: false, error: problem }
    }
  }
  const allInboxes = new AllInboxes(accounts, (event) => host.event(ALL_INBOXES, event), report)
  const close = async (accountId: string): Promise<void> => {
    const closing = accounts.get(accountId)
    if (accounts.delete(accountId)) allInboxes.accountsChanged()
    await closing?.account.close()
  }

  return {
    parseBaseUrl: (text) => attempt(() => parseBaseUrl(text).href.replace(/\/$/, '')),
    test: (credentials) => {
      allowNetwork()
      return attempt(() => testCredentials(credentials, { network, signal: tests.signal, clock }))
    },
    ...signInCalls(network, attempt, () => tests.signal),
    testConnection: (tested, run, by) => {
      allowNetwork()
      const progress = (steps: readonly ConnectionStep[]): void => connectionTested?.(run, steps)
      const parts = { network, signal: tests.signal, progress, clock }
      return attempt(() => {
        if ('accountId' in tested) return testOpened(find(tested.accountId), by, parts)
        return testConnection({ ...tested, by }, parts)
      })
    },
    cancelTests: () => {
      tests.abort(createProblem('cancelled', 'Cancelled. Nothing was saved.'))
      tests = new AbortController()
      return Promise.resolve()
    },
    inboxesIn: (directory) => attempt(() => readInboxNames(join(directory, CACHE_NAME))),
    open: (toOpen) =>
      attempt(async () => {
        const { id } = toOpen
        await close(id)
        const keyed = { key: toOpen.key }
        let isKnown = toOpen.isKnown === true
        const open: OpenFiles = (onCorrupt, cacheFile) => {
          const opened = new OpenAccount(
            { ...toOpen, key: keyed.key, isKnown },
            {
              emit: (event) => {
                host.event(id, event)
                allInboxes.forward(id, event)
              },
              keyAccepted: (apiKey, inboxes) => host.keyAccepted(id, apiKey, inboxes),
              keyRenewed: async (was, now) => {
                if (keyed.key?.apiKey === was) keyed.key = { ...keyed.key, apiKey: now }
                await host.keyRenewed(id, was, now)
              },
              ...{ network, report, onCorrupt, cacheFile, partsWorker, filesWorker, isSafe, clock },
            },
          )
          isKnown = true
          return opened
        }
        const account = new ReopeningAccount(open, report, clock.now)
        const watchers = new ViewerActivity((activity) => account.current().background.sync.setActivity(activity))
        const dispatch = createDispatcher('engine', createHandlers(account, watchers), report)
        accounts.set(id, {
          ...{ account, keyed, directory: toOpen.directory, watchers },
          call: (name, input, caller) => dispatch(name, input, { accountId: id, caller }),
          ...joinAccount(account),
        })
        allInboxes.accountsChanged()
        if (account.current().own.cache.inboxes.all().length === 0) allowNetwork()
        return null
      }),
    setKey: (accountId, key) =>
      attempt(() => {
        const { account, keyed } = find(accountId)
        keyed.key = key
        account.current().setKey(key)
        return null
      }),
    close,
    usageOf: (directory) => attempt(() => usageOf(directory, accounts.values())),
    call: async (asked, name, input, caller) => {
      const called = typeof asked === 'string' ? accounts.get(asked) : null
      if (called === undefined) return { ok: false, error: notOpen().problem }
      const answered = called?.call(name, input, caller) ?? allInboxes.call([asked].flat(), name, input, caller)
      if (name === 'thread.list') void answered.then(() => clock.after(PAINTED_MS, allowNetwork, { unref: true }))
      return answered
    },
    leave: async (caller) => {
      allInboxes.leave(caller)
      for (const { watchers } of accounts.values()) await attempt(() => watchers.leave(caller))
    },
    networkChanged: () => asPromise(networkChanged),
    proxyChanged: () => asPromise(() => applyNetworkChange(() => network.proxyChanged())),
    diagnostics: (accountId) => attempt(() => diagnose(find(accountId))),
    sqliteVersion: () => attempt(readSqliteVersion),
    original: (accountId, of) => attempt(() => current(accountId).background.rawMessages.read(of)),
    attachment: (accountId, of, attachmentId) =>
      attempt(() => fetchAttachment(current(accountId).mail, of, attachmentId)),
    picture: (accountId, of, url) => attempt(() => fetchPictureFile(current(accountId).mail, of, url)),
    contactTable: (accountId) => attempt(() => serializeContactTable(current(accountId).own.cache.contacts)),
    startExport: (accountId, request, target) => attempt(() => current(accountId).mail.exports.start(request, target)),
  }
}
