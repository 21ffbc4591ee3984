import { randomUUID } from 'node:crypto'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AccountName, AccountState, HostCommand, Handlers, KeyQuestion } from '../shared/contract.ts'
import type { AccountKey, AccountToOpen, Credentials, EngineLink, InboxName } from '../shared/engine-link.ts'
import type { Log } from '../shared/log.ts'
import type { Account, Inbox } from '../shared/model.ts'
import { ProblemError, toProblem, type Problem, type Result } from '../shared/result.ts'
import { DEMO_RECORD, type AccountSettings, type PlatformRecord } from './account-settings.ts'
import { makeDirectory } from './data-directory.ts'
import { startDemoPlatform, type DemoPlatform, type LaunchPlatform } from './demo-platform.ts'
import { digestKey, firstVersionFolders, recogniseAccount, shareInbox, type Candidate } from './recognise-account.ts'
import { createSerialQueue } from './serial-queue.ts'

/** Where keys are kept between two starts. */
export interface KeyVault {
  readonly storage: AccountState['keyStorage']
  /** Makes a key unreadable for everyone but this person here; null where nothing can, and the key is not to be kept. */
  readonly seal: (apiKey: string) => Promise<string | null>
  /** @throws ProblemError `key_missing` where the key is not given back */
  readonly unseal: (sealed: string) => Promise<string>
}

type AccountCommand = Extract<HostCommand, `account.${string}`>

/** The accounts of a host: which is open, and every way from one to another, one at a time. */
export interface Accounts {
  readonly state: () => AccountState
  /** @throws ProblemError `no_account` */
  readonly open: () => Account
  readonly handlers: Handlers<AccountCommand>
  /** Opens the account that the environment names, or else the one that was open last. Never throws. */
  readonly openAtStart: (given: Credentials | null) => Promise<void>
  /** Opens again what was open, in an engine that has just been started. */
  readonly reopen: () => Promise<void>
  /** Nothing is open any more, and why. */
  readonly fall: (problem: Problem) => Promise<void>
  /** The platform has taken a key that had not been tried before. */
  readonly keyAccepted: (accountId: string, apiKey: string, inboxes: readonly InboxName[]) => void
  /** The inboxes of the open account may be others than before. */
  readonly inboxesChanged: () => void
  readonly close: () => Promise<void>
}

/** The account that is open. */
interface Opened {
  readonly account: Account
  readonly toOpen: AccountToOpen
  /** Whether its key is for this run only: it came from the environment. */
  readonly isGiven: boolean
  readonly demo: DemoPlatform | null
}

/** A key that a person has to say something about before it is used. */
interface Pending {
  readonly credentials: Credentials
  readonly inboxes: readonly InboxName[]
  readonly candidates: readonly Candidate[]
  readonly isGiven: boolean
}

/** A key and what is to become of it. */
interface KeyInHand {
  readonly key: AccountKey | null
  readonly isGiven: boolean
  /** The inboxes that the platform has just named for it; null where it was not asked. */
  readonly inboxes: readonly InboxName[] | null
}

const DEMO_RENEWED: Problem = {
  code: 'storage_failed',
  message: 'The demo’s mail was damaged or missing and was made anew. What you changed in it is gone.',
}

const unwrap = <Data>(result: Result<Data>): Data => {
  if (!result.ok) throw new ProblemError(result.error)
  return result.data
}
const addressesOf = (inboxes: readonly InboxName[]): readonly string[] => inboxes.map(({ address }) => address)
const isSame = (some: readonly InboxName[], others: readonly InboxName[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others)

export const createAccounts = (parts: {
  readonly dataDirectory: string
  readonly settings: AccountSettings
  readonly vault: KeyVault
  readonly launchPlatform: LaunchPlatform
  /** The engine that runs now. */
  readonly engine: () => EngineLink
  readonly log: Log
  /** Something could not be done that nobody waits for. */
  readonly report: (thrown: unknown) => void
  readonly changed: () => void
  /** What a person should know from the start, such as settings that were set aside. */
  readonly problem: Problem | null
}): Accounts => {
  const { dataDirectory, settings, vault, engine, changed, report } = parts
  const inTurn = createSerialQueue()

  let opened: Opened | null = null
  let problem = parts.problem
  let pending: Pending | null = null

  const directoryOf = (accountId: string): string => join(dataDirectory, 'accounts', accountId)
  const demoDirectory = join(dataDirectory, 'demo')
  const demoFile = join(demoDirectory, 'platform.sqlite')

  const nameOf = ({ id, baseUrl, inboxes }: Candidate): AccountName => ({
    id,
    baseUrl,
    addresses: addressesOf(inboxes),
  })
  const question = (): KeyQuestion | null =>
    pending && {
      baseUrl: pending.credentials.baseUrl,
      addresses: addressesOf(pending.inboxes),
      candidates: pending.candidates.map(nameOf),
    }
  const state = (): AccountState => ({
    account: opened?.account ?? null,
    keyStorage: vault.storage,
    isKeyTried: opened?.toOpen.key?.isAccepted ?? true,
    problem,
    known: settings.platforms().map(nameOf),
    question: question(),
  })

  // From one account to the next. What cannot be opened or kept leaves everything as it was.

  const show = async (next: Opened): Promise<Account> => {
    const before = opened
    opened = next
    problem = null
    pending = null
    changed()
    if (before !== null && before.account.id !== next.account.id) {
      await engine().close(before.account.id)
      await before.demo?.stop()
    }
    return next.account
  }

  /** Opens an account beside the one that is open, or gives the open one the key. */
  const openInEngine = async (toOpen: AccountToOpen): Promise<void> => {
    await makeDirectory(toOpen.directory)
    unwrap(
      opened?.account.id === toOpen.id ? await engine().setKey(toOpen.id, toOpen.key) : await engine().open(toOpen),
    )
  }

  /** What is kept of an account that opens with a key: the key itself only once it was accepted. */
  const recordWith = async (record: PlatformRecord, { key, isGiven, inboxes }: KeyInHand): Promise<PlatformRecord> => {
    const isKept = key?.isAccepted === true && !isGiven
    return {
      ...record,
      inboxes: inboxes ?? record.inboxes,
      keyDigest: key?.isAccepted === true ? digestKey(record.baseUrl, key.apiKey) : record.keyDigest,
      sealedKey: isKept ? await vault.seal(key.apiKey) : record.sealedKey,
    }
  }

  const openPlatform = async (record: PlatformRecord, inHand: KeyInHand): Promise<Account> => {
    const { id, baseUrl } = record
    const toOpen = { id, baseUrl, directory: directoryOf(id), key: inHand.key }
    const kept = await recordWith(record, inHand)
    const before = opened
    await openInEngine(toOpen)
    try {
      settings.keep(kept, inHand.isGiven ? settings.current() : id)
    } catch (thrown) {
      if (before?.account.id === id) await engine().setKey(id, before.toOpen.key)
      else await engine().close(id)
      throw thrown
    }
    return show({ account: { id, baseUrl, kind: 'platform' }, toOpen, isGiven: inHand.isGiven, demo: null })
  }

  const newRecord = (baseUrl: string, id: string = randomUUID()): PlatformRecord => ({
    id,
    kind: 'platform',
    baseUrl,
    inboxes: [],
    keyDigest: null,
    sealedKey: null,
  })
  /** The record of an account, or a first one for a folder that the settings do not know. */
  const recordOf = (id: string, baseUrl: string): PlatformRecord => {
    const known = settings.find(id)
    return known?.kind === 'platform' ? known : newRecord(baseUrl, id)
  }

  // Whose key it is.

  /** Folders of mail that the settings do not know: of the first version, or from before the settings were lost. */
  const strayFolders = async (): Promise<readonly string[]> => {
    const entries = await readdir(join(dataDirectory, 'accounts'), { withFileTypes: true }).catch(() => [])
    return entries
      .filter((entry) => entry.isDirectory() && entry.name !== DEMO_RECORD.id && settings.find(entry.name) === null)
      .map(({ name }) => name)
  }
  const inboxesIn = async (id: string): Promise<readonly InboxName[]> => {
    const read = await engine().inboxesIn(directoryOf(id))
    return read.ok ? read.data : []
  }
  const candidates = async (baseUrl: string): Promise<readonly Candidate[]> => {
    const known = settings.platforms().filter((record) => record.baseUrl === baseUrl)
    const stray = await strayFolders()
    return Promise.all([
      ...known.map(async ({ id, inboxes }) => {
        const cached = await inboxesIn(id)
        return { id, baseUrl, inboxes: cached.length === 0 ? inboxes : cached }
      }),
      ...stray.map(async (id) => ({ id, baseUrl: null, inboxes: await inboxesIn(id) })),
    ])
  }
  /** The account whose key this was before, which needs no network to tell. */
  const recordOfKey = async (typed: string, { baseUrl, apiKey }: Credentials): Promise<PlatformRecord | null> => {
    const digest = digestKey(baseUrl, apiKey)
    const known = settings.platforms().find(({ keyDigest }) => keyDigest === digest)
    if (known !== undefined) return known
    const names = firstVersionFolders(typed, baseUrl, apiKey)
    const stray = (await strayFolders()).find((name) => names.includes(name))
    return stray === undefined ? null : recordOf(stray, baseUrl)
  }

  /** Opens the account that a key of these inboxes belongs to, or asks which it is. @returns null where it asks */
  const openFor = async (
    credentials: Credentials,
    inboxes: readonly InboxName[],
    isGiven: boolean,
  ): Promise<Account | null> => {
    const { baseUrl, apiKey } = credentials
    const found = await candidates(baseUrl)
    const recognition = recogniseAccount({ baseUrl, inboxes }, found)
    if (recognition.kind === 'unsure') {
      const { ids } = recognition
      pending = { credentials, inboxes, isGiven, candidates: found.filter(({ id }) => ids.includes(id)) }
      changed()
      return null
    }
    const record = recognition.kind === 'known' ? recordOf(recognition.id, baseUrl) : newRecord(baseUrl)
    return openPlatform(record, { key: { apiKey, isAccepted: true }, isGiven, inboxes })
  }

  /** The account whose mail is shown while a key cannot be tried: the one that was open last, of those at the base URL. */
  const likeliest = (baseUrl: string): PlatformRecord | null => {
    const here = settings.platforms().filter((record) => record.baseUrl === baseUrl)
    return here.find(({ id }) => id === settings.current()) ?? here.at(-1) ?? null
  }

  const connect = async (typed: string, apiKey: string): Promise<Account | null> => {
    pending = null
    const baseUrl = unwrap(await engine().parseBaseUrl(typed))
    const credentials = { baseUrl, apiKey }
    const before = await recordOfKey(typed, credentials)
    const tested = await engine().test(credentials)
    if (!tested.ok) {
      const record = before ?? likeliest(baseUrl)
      if (tested.error.code !== 'unreachable' || record === null) throw new ProblemError(tested.error)
      return openPlatform(record, {
        key: { apiKey, isAccepted: before !== null },
        isGiven: false,
        inboxes: null,
      })
    }
    if (before === null) return openFor(credentials, tested.data, false)
    return openPlatform(before, { key: { apiKey, isAccepted: true }, isGiven: false, inboxes: tested.data })
  }

  const setKey = async (accountId: string, apiKey: string): Promise<{ readonly isTried: boolean }> => {
    const record = settings.find(accountId)
    if (record?.kind !== 'platform') {
      throw new ProblemError({ code: 'no_account', message: 'This account is not on this computer any more.' })
    }
    const tested = await engine().test({ baseUrl: record.baseUrl, apiKey })
    if (!tested.ok && tested.error.code !== 'unreachable') throw new ProblemError(tested.error)
    const inboxes = tested.ok ? tested.data : null
    const cached = await inboxesIn(accountId)
    const own = cached.length === 0 ? record.inboxes : cached
    if (inboxes !== null && inboxes.length > 0 && own.length > 0 && !shareInbox(own, inboxes)) {
      const theirs = addressesOf(inboxes).slice(0, 3).join(', ')
      throw new ProblemError({
        code: 'key_of_another_account',
        message: `This key belongs to another account (${theirs}). Enter a key of this one, or disconnect it to connect the other.`,
      })
    }
    await openPlatform(record, { key: { apiKey, isAccepted: tested.ok }, isGiven: false, inboxes })
    return { isTried: tested.ok }
  }

  const decide = async (
    decision: 'keep' | 'separate' | 'cancel',
    accountId: string | undefined,
  ): Promise<Account | null> => {
    if (pending === null) throw new ProblemError({ code: 'not_found', message: 'This was decided already.' })
    const { credentials, inboxes, isGiven, candidates: choices } = pending
    const { baseUrl, apiKey } = credentials
    if (decision === 'cancel') {
      pending = null
      changed()
      return null
    }
    const chosen = decision === 'keep' ? (accountId ?? choices[0]?.id) : undefined
    if (decision === 'keep' && !choices.some(({ id }) => id === chosen)) {
      throw new ProblemError({ code: 'invalid_input', message: 'Choose one of the accounts that are here.' })
    }
    const record = chosen === undefined ? newRecord(baseUrl) : recordOf(chosen, baseUrl)
    return openPlatform(record, { key: { apiKey, isAccepted: true }, isGiven, inboxes })
  }

  // What was kept.

  const unsealed = async ({
    sealedKey,
  }: PlatformRecord): Promise<{ key: AccountKey | null; trouble: Problem | null }> => {
    if (sealedKey === null) return { key: null, trouble: null }
    try {
      return { key: { apiKey: await vault.unseal(sealedKey), isAccepted: true }, trouble: null }
    } catch (thrown) {
      return { key: null, trouble: toProblem(thrown) }
    }
  }

  const openRecord = async (record: PlatformRecord): Promise<Account> => {
    const { key, trouble } = await unsealed(record)
    const { id, baseUrl } = record
    const toOpen = { id, baseUrl, directory: directoryOf(id), key }
    await openInEngine(toOpen)
    if (settings.current() !== id) settings.setCurrent(id)
    const account = await show({ account: { id, baseUrl, kind: 'platform' }, toOpen, isGiven: false, demo: null })
    if (trouble !== null) {
      problem = trouble
      changed()
    }
    return account
  }

  const launchDemo = async (): Promise<DemoPlatform> => {
    await makeDirectory(demoDirectory)
    return startDemoPlatform(parts.launchPlatform, demoFile, parts.log)
  }
  /** Starts the demo with new mail in the place of what is there; where that cannot be either, all stays as it was. */
  const renewDemo = async (): Promise<DemoPlatform> => {
    const aside = `${demoDirectory}.set-aside`
    await rm(aside, { recursive: true, force: true })
    await rename(demoDirectory, aside)
    try {
      const demo = await launchDemo()
      await rm(aside, { recursive: true, force: true })
      return demo
    } catch (thrown) {
      await rm(demoDirectory, { recursive: true, force: true })
      await rename(aside, demoDirectory)
      throw thrown
    }
  }
  /** The demo's mail is a sample: where it was damaged or deleted it is made anew, and what is here of it goes. */
  const startDemo = async (): Promise<{ readonly demo: DemoPlatform; readonly isRenewed: boolean }> => {
    const hasMail = await stat(demoFile).then(
      ({ size }) => size > 0,
      () => false,
    )
    const copy = directoryOf(DEMO_RECORD.id)
    const hasCopy = await stat(copy).then(
      () => true,
      () => false,
    )
    const begin = async () => {
      if (!hasMail) return { demo: await launchDemo(), isRenewed: hasCopy }
      try {
        return { demo: await launchDemo(), isRenewed: false }
      } catch {
        return { demo: await renewDemo(), isRenewed: hasCopy }
      }
    }
    const started = await begin()
    if (started.isRenewed) await rm(copy, { recursive: true, force: true })
    return started
  }

  const openDemo = async (): Promise<Account> => {
    if (opened?.demo) return opened.account
    const { demo, isRenewed } = await startDemo()
    try {
      const { baseUrl, apiKey } = demo
      const { id } = DEMO_RECORD
      const toOpen = { id, baseUrl, directory: directoryOf(id), key: { apiKey, isAccepted: true } }
      await openInEngine(toOpen)
      settings.keep(DEMO_RECORD, id)
      const account = await show({ account: { id, baseUrl, kind: 'demo' }, toOpen, isGiven: false, demo })
      if (isRenewed) {
        problem = DEMO_RENEWED
        changed()
      }
      return account
    } catch (thrown) {
      await engine().close(DEMO_RECORD.id)
      await demo.stop()
      throw thrown
    }
  }

  const disconnect = async (): Promise<null> => {
    const leaving = opened
    const record = leaving === null ? null : settings.find(leaving.account.id)
    if (record?.kind === 'platform') settings.keep({ ...record, sealedKey: null }, null)
    else if (record !== null) settings.forget(record.id)
    opened = null
    problem = null
    pending = null
    changed()
    if (leaving === null) return null
    await engine().close(leaving.account.id)
    if (leaving.demo !== null) {
      await leaving.demo.stop()
      await rm(leaving.toOpen.directory, { recursive: true, force: true })
      await rm(demoDirectory, { recursive: true, force: true })
    }
    return null
  }

  /**
   * Takes over what the first version of Linnet kept. Its folder was named by the base URL and the key; where the key
   * is not given back, the account is the only folder there is.
   */
  const adoptFirstVersion = async (): Promise<void> => {
    const kept = settings.firstVersion()
    if (kept === null) return
    if (kept.kind === 'demo') {
      settings.adopt(DEMO_RECORD)
      return
    }
    const baseUrl = unwrap(await engine().parseBaseUrl(kept.baseUrl))
    const sealedKey = kept.encryptedKey
    const { key, trouble } = await unsealed({ ...newRecord(baseUrl), sealedKey })
    const folders = await strayFolders()
    if (key === null) {
      const [only, ...others] = folders
      if (trouble !== null && (only === undefined || others.length > 0)) throw new ProblemError(trouble)
      const record = newRecord(baseUrl, only)
      settings.adopt({ ...record, sealedKey })
      return
    }
    const names = firstVersionFolders(kept.baseUrl, baseUrl, key.apiKey)
    const record = newRecord(
      baseUrl,
      folders.find((name) => names.includes(name)),
    )
    settings.adopt({ ...record, sealedKey, keyDigest: digestKey(baseUrl, key.apiKey) })
  }

  /** The environment's key meets the mail that is here, if it is its own; and its account opens whether it works or not. */
  const openGiven = async ({ baseUrl: typed, apiKey }: Credentials): Promise<void> => {
    const baseUrl = unwrap(await engine().parseBaseUrl(typed))
    const credentials = { baseUrl, apiKey }
    const inHand = { isGiven: true, inboxes: null }
    const before = await recordOfKey(typed, credentials)
    if (before !== null) {
      await openPlatform(before, { ...inHand, key: { apiKey, isAccepted: true } })
      return
    }
    const untried = { ...inHand, key: { apiKey, isAccepted: false } }
    if ((await candidates(baseUrl)).length === 0) {
      await openPlatform(newRecord(baseUrl), untried)
      return
    }
    const tested = await engine().test(credentials)
    if (tested.ok) await openFor(credentials, tested.data, true)
    else await openPlatform(likeliest(baseUrl) ?? newRecord(baseUrl), untried)
  }

  const openCurrent = async (): Promise<void> => {
    const id = settings.current()
    const record = id === null ? null : settings.find(id)
    if (record?.kind === 'demo') await openDemo()
    if (record?.kind === 'platform') await openRecord(record)
  }

  /** Mail of which the settings know nothing is told of: they were deleted, or a folder was brought here. */
  const lostSettings = async (): Promise<Problem | null> => {
    if (pending !== null || settings.all().length > 0 || (await strayFolders()).length === 0) return null
    return {
      code: 'storage_failed',
      message: 'Linnet’s settings are missing. Your mail is still here: connect your account again.',
    }
  }

  const fall = async (reason: Problem): Promise<void> => {
    const fallen = opened
    opened = null
    problem = reason
    changed()
    await fallen?.demo?.stop()
  }

  const noAccount = (): ProblemError => new ProblemError({ code: 'no_account', message: 'Connect an account first.' })

  return {
    state,
    open: () => {
      if (opened === null) throw noAccount()
      return opened.account
    },
    handlers: {
      'account.state': state,
      'account.connect': ({ baseUrl, apiKey }) => inTurn(() => connect(baseUrl, apiKey)),
      'account.setKey': ({ accountId, apiKey }) => inTurn(() => setKey(accountId, apiKey)),
      'account.decide': ({ decision, accountId }) => inTurn(() => decide(decision, accountId)),
      'account.open': ({ accountId }) =>
        inTurn(async () => {
          const record = settings.find(accountId)
          if (record?.kind !== 'platform') throw noAccount()
          return opened?.account.id === accountId ? opened.account : openRecord(record)
        }),
      'account.startDemo': () => inTurn(openDemo),
      'account.disconnect': () => inTurn(disconnect),
    },
    openAtStart: (given) =>
      inTurn(async () => {
        const told = problem
        try {
          // Where it cannot be, it stays for the next start, and nothing else waits for it.
          const trouble = await adoptFirstVersion().then(() => null, toProblem)
          await (given === null ? openCurrent() : openGiven(given))
          problem ??= told ?? (opened === null ? (trouble ?? (await lostSettings())) : null)
        } catch (thrown) {
          problem = toProblem(thrown)
          if (problem.code === 'internal') report(thrown)
        }
      }),
    reopen: () =>
      inTurn(async () => {
        if (opened === null) return
        const again = await engine().open(opened.toOpen)
        if (again.ok) changed()
        else await fall(again.error)
      }),
    fall: (reason) => inTurn(() => fall(reason)),
    keyAccepted: (accountId, apiKey, inboxes) =>
      void inTurn(async () => {
        // Another key, or another account, may have taken its place meanwhile.
        if (opened?.account.id !== accountId || opened.toOpen.key?.apiKey !== apiKey) return
        const key = { apiKey, isAccepted: true }
        const { isGiven } = opened
        opened = { ...opened, toOpen: { ...opened.toOpen, key } }
        changed()
        const record = settings.find(accountId)
        if (record?.kind === 'platform') settings.keep(await recordWith(record, { key, isGiven, inboxes }))
      }).catch(report),
    inboxesChanged: () =>
      void inTurn(async () => {
        const record = opened === null ? null : settings.find(opened.account.id)
        if (record?.kind !== 'platform') return
        const answer = await engine().call(record.id, 'inbox.list', {})
        if (!answer.ok) return
        const { inboxes } = answer.data as { readonly inboxes: readonly Inbox[] }
        const seen = inboxes.map(({ id, emailAddress }) => ({ id, address: emailAddress }))
        if (!isSame(seen, record.inboxes)) settings.keep({ ...record, inboxes: seen })
      }).catch(report),
    close: () =>
      inTurn(async () => {
        await opened?.demo?.stop()
      }),
  }
}
