import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  AccountName,
  AccountsState,
  AccountUsage,
  ConnectedAccount,
  HostCommand,
  Handlers,
  KeyQuestion,
  ParsedInput,
} from '../shared/contract.ts'
import type { AccountKey, AccountToOpen, Credentials, EngineLink, InboxName } from '../shared/engine-link.ts'
import type { Log } from '../shared/log.ts'
import type { Account, Inbox } from '../shared/model.ts'
import { ProblemError, toProblem, type Problem, type Result } from '../shared/result.ts'
import { DEMO_ID, type AccountRecord, type AccountSettings, type PlatformRecord } from './account-settings.ts'
import { makeDirectory } from './data-directory.ts'
import { startDemoPlatform, type DemoPlatform, type DemoProgress, type LaunchPlatform } from './demo-platform.ts'
import { boundKey, digestKey, keyBoundTo, recogniseAccount, shareInbox, type Candidate } from './recognise-account.ts'
import { createSerialQueue } from './serial-queue.ts'

/** Where keys are kept between two starts. */
export interface KeyVault {
  readonly storage: () => Promise<AccountsState['keyStorage']>
  /** Makes a key unreadable for everyone but this person here; null where nothing can, and the key is not to be kept. */
  readonly seal: (apiKey: string) => Promise<string | null>
  /** @throws ProblemError `key_missing` where the key is not given back */
  readonly unseal: (sealed: string) => Promise<string>
}

/** For so long a start waits for a key: a keychain that asks the person first gives it to an account that is open. */
const KEY_PATIENCE_MS = 100
const KEY_AWAITED: Problem = {
  code: 'key_missing',
  message: 'Waiting for the system’s keychain. Your mail is here; new mail comes once it is unlocked.',
}

/** After so long an account whose files could not be opened is tried again by itself; each time twice as long, at most the last. */
const OPEN_AGAIN_MS = { first: 1_000, longest: 60_000 } as const

type AccountCommand = Extract<HostCommand, `account.${string}`>

/** The accounts of a host: which are open, and every way to open, change and close one, one step at a time. */
export interface Accounts {
  readonly state: () => AccountsState
  /** The account that a call is about. @throws ProblemError `no_account` where it is not open */
  readonly find: (accountId: string | null) => Account
  readonly handlers: Handlers<AccountCommand>
  /** Opens the account that the environment names, and all that were connected. Never throws. */
  readonly openAtStart: (given: Credentials | null) => Promise<void>
  /** Opens again what was open, in an engine that has just been started. */
  readonly reopen: () => Promise<void>
  /** Nothing is open any more, and why. */
  readonly fall: (problem: Problem) => Promise<void>
  /** The platform has taken a key that had not been tried before. */
  readonly keyAccepted: (accountId: string, apiKey: string, inboxes: readonly InboxName[]) => void
  /** The inboxes of an open account may be others than before. */
  readonly inboxesChanged: (accountId: string) => void
  readonly close: () => Promise<void>
}

/** An account that is open. */
interface Opened {
  readonly id: string
  readonly kind: Account['kind']
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
  /** Whether it is known to be another key of the one candidate. */
  readonly isNewKey: boolean
  readonly isGiven: boolean
}

/** What the keychain has given back. */
interface Unsealed {
  readonly key: AccountKey | null
  /** Why there is none; null where there is, or none was kept. */
  readonly trouble: Problem | null
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
  message: 'The demo’s mail was damaged or missing, so Linnet created it again. Your changes in it are gone.',
}

const unwrap = <Data>(result: Result<Data>): Data => {
  if (!result.ok) throw new ProblemError(result.error)
  return result.data
}
const addressesOf = (inboxes: readonly InboxName[]): readonly string[] => inboxes.map(({ address }) => address)
const namesOf = (inboxes: readonly Inbox[]): readonly InboxName[] =>
  inboxes.map(({ id, emailAddress }) => ({ id, address: emailAddress }))
/** The folders of accounts that were removed are called so until they are empty. */
const REMOVED = '.removed-'
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

  const opened = new Map<string, Opened>()
  /** Why an account could not be opened, or its key not be read. */
  const troubles = new Map<string, Problem>()
  let problem = parts.problem
  let demoProgress: DemoProgress | null = null
  /** Nothing is kept as long as the keychain has not said that it is one. */
  let keyStorage: AccountsState['keyStorage'] = 'memory'
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
      isNewKey: pending.isNewKey,
      candidates: pending.candidates.map(nameOf),
    }
  const accountOf = (record: AccountRecord): Account => ({
    id: record.id,
    baseUrl: record.kind === 'platform' ? record.baseUrl : (opened.get(record.id)?.toOpen.baseUrl ?? ''),
    kind: record.kind,
    name: record.name,
    color: record.color,
  })
  const connected = (record: AccountRecord): ConnectedAccount => ({
    ...accountOf(record),
    addresses: record.kind === 'platform' ? addressesOf(record.inboxes) : [],
    isOpen: opened.has(record.id),
    isKeyTried: opened.get(record.id)?.toOpen.key?.isAccepted ?? true,
    isGiven: opened.get(record.id)?.isGiven ?? false,
    problem: troubles.get(record.id) ?? null,
  })
  const state = (): AccountsState => ({
    accounts: settings
      .all()
      .filter(({ id, isConnected }) => isConnected || opened.has(id))
      .map(connected),
    keyStorage,
    problem,
    known: settings
      .platforms()
      .filter(({ id }) => !opened.has(id))
      .map(nameOf),
    question: question(),
    demoProgress,
  })

  // What cannot be opened or kept leaves everything as it was.

  const show = (next: Opened, record: AccountRecord): Account => {
    opened.set(next.id, next)
    troubles.delete(next.id)
    problem = null
    pending = null
    changed()
    return accountOf(record)
  }

  /** Opens an account beside those that are open, or gives an open one the key. */
  const openInEngine = async (toOpen: AccountToOpen): Promise<void> => {
    await makeDirectory(toOpen.directory)
    unwrap(opened.has(toOpen.id) ? await engine().setKey(toOpen.id, toOpen.key) : await engine().open(toOpen))
  }

  /** What is kept of an account that opens with a key: the key itself only once it was accepted. */
  const recordWith = async (record: PlatformRecord, { key, isGiven, inboxes }: KeyInHand): Promise<PlatformRecord> => {
    const isKept = key?.isAccepted === true && !isGiven
    return {
      ...record,
      inboxes: inboxes ?? record.inboxes,
      keyDigest: key?.isAccepted === true ? digestKey(record.baseUrl, key.apiKey) : record.keyDigest,
      sealedKey: isKept ? await vault.seal(boundKey(record.baseUrl, key.apiKey)) : record.sealedKey,
    }
  }

  const openPlatform = async (record: PlatformRecord, inHand: KeyInHand): Promise<Account> => {
    const { id, baseUrl } = record
    const toOpen = { id, baseUrl, directory: directoryOf(id), key: inHand.key, isKnown: settings.find(id) !== null }
    // A key from the environment is for one run: so is what it opens.
    const isConnected = record.isConnected || !inHand.isGiven
    const kept = { ...(await recordWith(record, inHand)), isConnected }
    const before = opened.get(id)
    await openInEngine(toOpen)
    try {
      settings.keep(kept)
    } catch (thrown) {
      if (before === undefined) await engine().close(id)
      else await engine().setKey(id, before.toOpen.key)
      throw thrown
    }
    return show({ id, kind: 'platform', toOpen, isGiven: inHand.isGiven, demo: null }, kept)
  }

  const newRecord = (baseUrl: string, id: string = randomUUID()): PlatformRecord => ({
    id,
    kind: 'platform',
    baseUrl,
    inboxes: [],
    keyDigest: null,
    sealedKey: null,
    name: null,
    color: settings.nextColor(),
    isConnected: false,
  })
  /** The record of an account, or a first one for a folder that the settings do not know. */
  const recordOf = (id: string, baseUrl: string): PlatformRecord => {
    const known = settings.find(id)
    return known?.kind === 'platform' ? known : newRecord(baseUrl, id)
  }

  // Whose key it is.

  /** Folders of mail that the settings do not know, from before these were lost. */
  const strayFolders = async (): Promise<readonly string[]> => {
    const entries = await readdir(join(dataDirectory, 'accounts'), { withFileTypes: true }).catch(() => [])
    return entries
      .filter((entry) => entry.isDirectory() && entry.name !== DEMO_ID && !entry.name.startsWith(REMOVED))
      .map(({ name }) => name)
      .filter((name) => settings.find(name) === null)
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
  const recordOfKey = ({ baseUrl, apiKey }: Credentials): PlatformRecord | null => {
    const digest = digestKey(baseUrl, apiKey)
    return settings.platforms().find(({ keyDigest }) => keyDigest === digest) ?? null
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
      const choices = found.filter(({ id }) => ids.includes(id))
      pending = { credentials, inboxes, isGiven, isNewKey: false, candidates: choices }
      changed()
      return null
    }
    const record = recognition.kind === 'known' ? recordOf(recognition.id, baseUrl) : newRecord(baseUrl)
    // Another key takes the place of the one before it: a person who types it may have meant another account.
    if (!isGiven && record.keyDigest !== null) {
      const choices = found.filter(({ id }) => id === record.id)
      pending = { credentials, inboxes, isGiven, isNewKey: true, candidates: choices }
      changed()
      return null
    }
    return openPlatform(record, { key: { apiKey, isAccepted: true }, isGiven, inboxes })
  }

  /** The account whose mail is shown while a key cannot be tried: one that is connected, of those at the base URL. */
  const likeliest = (baseUrl: string): PlatformRecord | null => {
    const here = settings.platforms().filter((record) => record.baseUrl === baseUrl)
    return here.find(({ isConnected }) => isConnected) ?? here.at(-1) ?? null
  }

  const connect = async (typed: string, apiKey: string): Promise<Account | null> => {
    pending = null
    const baseUrl = unwrap(await engine().parseBaseUrl(typed))
    const credentials = { baseUrl, apiKey }
    const before = recordOfKey(credentials)
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
      throw new ProblemError({ code: 'no_account', message: 'This account is no longer on this computer.' })
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
        message: `This key belongs to another account (${theirs}). Enter this account’s key, or remove the account to connect the other.`,
      })
    }
    await openPlatform(record, { key: { apiKey, isAccepted: tested.ok }, isGiven: false, inboxes })
    return { isTried: tested.ok }
  }

  const decide = async (
    decision: 'keep' | 'separate' | 'cancel',
    accountId: string | undefined,
  ): Promise<Account | null> => {
    if (pending === null) throw new ProblemError({ code: 'not_found', message: 'You already answered this.' })
    const { credentials, inboxes, isGiven, isNewKey, candidates: choices } = pending
    const { baseUrl, apiKey } = credentials
    if (decision === 'cancel') {
      pending = null
      changed()
      return null
    }
    if (decision === 'separate' && isNewKey) {
      const message = 'One of your accounts already has these inboxes. Use the key there.'
      throw new ProblemError({ code: 'invalid_input', message })
    }
    const chosen = decision === 'keep' ? (accountId ?? choices[0]?.id) : undefined
    if (decision === 'keep' && !choices.some(({ id }) => id === chosen)) {
      throw new ProblemError({ code: 'invalid_input', message: 'Choose one of your accounts.' })
    }
    const record = chosen === undefined ? newRecord(baseUrl) : recordOf(chosen, baseUrl)
    return openPlatform(record, { key: { apiKey, isAccepted: true }, isGiven, inboxes })
  }

  // What was kept.

  const unsealed = async ({ sealedKey, baseUrl }: PlatformRecord): Promise<Unsealed> => {
    if (sealedKey === null) return { key: null, trouble: null }
    try {
      const apiKey = keyBoundTo(baseUrl, await vault.unseal(sealedKey))
      if (apiKey === null) {
        const message = `The stored key is not for ${baseUrl}. Your mail stays; enter this server’s key.`
        throw new ProblemError({ code: 'key_missing', message })
      }
      return { key: { apiKey, isAccepted: true }, trouble: null }
    } catch (thrown) {
      return { key: null, trouble: toProblem(thrown) }
    }
  }

  /** The keychain has answered late: the account goes on with that where it is open still as it was opened then. */
  const takeLateKey = async (toOpen: AccountToOpen, { key, trouble }: Unsealed): Promise<void> => {
    const { id } = toOpen
    const before = opened.get(id)
    if (before?.toOpen !== toOpen) return
    troubles.delete(id)
    if (trouble !== null) troubles.set(id, trouble)
    if (key !== null) {
      unwrap(await engine().setKey(id, key))
      opened.set(id, { ...before, toOpen: { ...before.toOpen, key } })
    }
    changed()
  }

  const openRecord = async (record: PlatformRecord): Promise<Account> => {
    const { id, baseUrl } = record
    const unsealing = unsealed(record)
    const { key, trouble } = await Promise.race([
      unsealing,
      sleep(KEY_PATIENCE_MS, { key: null, trouble: KEY_AWAITED }),
    ])
    const toOpen = { id, baseUrl, directory: directoryOf(id), key, isKnown: true }
    if (trouble === KEY_AWAITED) {
      void unsealing.then((late) => inTurn(() => takeLateKey(toOpen, late))).catch(report)
    }
    await openInEngine(toOpen)
    const kept = { ...record, isConnected: true }
    if (!record.isConnected) settings.keep(kept)
    const account = show({ id, kind: 'platform', toOpen, isGiven: false, demo: null }, kept)
    if (trouble !== null) {
      troubles.set(id, trouble)
      changed()
    }
    return account
  }

  const launchDemo = async (): Promise<DemoPlatform> => {
    await makeDirectory(demoDirectory)
    const tell = (progress: DemoProgress | null): void => {
      demoProgress = progress
      changed()
    }
    return startDemoPlatform(parts.launchPlatform, demoFile, parts.log, tell).finally(() => tell(null))
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
    const copy = directoryOf(DEMO_ID)
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
    const known = settings.find(DEMO_ID)
    const record = {
      id: DEMO_ID,
      kind: 'demo',
      name: known?.name ?? null,
      color: known?.color ?? settings.nextColor(),
      isConnected: true,
    } as const
    if (opened.has(DEMO_ID)) return accountOf(record)
    const { demo, isRenewed } = await startDemo()
    try {
      const { baseUrl, apiKey } = demo
      const toOpen = { id: DEMO_ID, baseUrl, directory: directoryOf(DEMO_ID), key: { apiKey, isAccepted: true } }
      await openInEngine(toOpen)
      settings.keep(record)
      const account = show({ id: DEMO_ID, kind: 'demo', toOpen, isGiven: false, demo }, record)
      if (isRenewed) {
        problem = DEMO_RENEWED
        changed()
      }
      return account
    } catch (thrown) {
      await engine().close(DEMO_ID)
      await demo.stop()
      throw thrown
    }
  }

  // The person's order, names and colours, and the ways out.

  const noAccount = (): ProblemError => new ProblemError({ code: 'no_account', message: 'Connect an account first.' })
  const recordNamed = (accountId: string): AccountRecord => {
    const record = settings.find(accountId)
    if (record !== null) return record
    throw new ProblemError({ code: 'no_account', message: 'This account is no longer on this computer.' })
  }

  const change = ({ accountId, name, color }: ParsedInput<'account.change'>): null => {
    const record = recordNamed(accountId)
    const named = name === '' ? null : name
    settings.keep({ ...record, name: named === undefined ? record.name : named, color: color ?? record.color })
    changed()
    return null
  }

  /** Whatever is being written for it is written first. */
  const closeAccount = async (accountId: string): Promise<void> => {
    const leaving = opened.get(accountId)
    opened.delete(accountId)
    troubles.delete(accountId)
    pending = null
    changed()
    if (leaving === undefined) return
    await engine().close(accountId)
    await leaving.demo?.stop()
  }
  /** A folder that is called removed is none of anybody's, also where an end comes before it is empty. */
  const removeFolder = async (accountId: string): Promise<void> => {
    const aside = directoryOf(`${REMOVED}${accountId}`)
    await rm(aside, { recursive: true, force: true })
    if (existsSync(directoryOf(accountId))) await rename(directoryOf(accountId), aside)
    await rm(aside, { recursive: true, force: true })
  }
  const finishRemovals = async (): Promise<void> => {
    const names = await readdir(join(dataDirectory, 'accounts')).catch(() => [])
    for (const name of names.filter((each) => each.startsWith(REMOVED))) {
      await rm(directoryOf(name), { recursive: true, force: true })
    }
  }

  const remove = async (accountId: string): Promise<null> => {
    const { kind } = recordNamed(accountId)
    await closeAccount(accountId)
    // First of all nothing is to open it again; then its mail goes, and what is left of that goes with the next start.
    settings.forget(accountId)
    changed()
    await removeFolder(accountId)
    if (kind === 'demo') await rm(demoDirectory, { recursive: true, force: true })
    return null
  }

  const disconnect = async (accountId: string): Promise<null> => {
    const record = recordNamed(accountId)
    if (record.kind === 'demo') return remove(accountId)
    settings.keep({ ...record, sealedKey: null, isConnected: false })
    await closeAccount(accountId)
    return null
  }

  const usage = async (accountId: string): Promise<AccountUsage> => {
    recordNamed(accountId)
    return unwrap(await engine().usageOf(directoryOf(accountId)))
  }

  /** The environment's key meets the mail that is here, if it is its own; and its account opens whether it works or not. */
  const openGiven = async ({ baseUrl: typed, apiKey }: Credentials): Promise<void> => {
    const baseUrl = unwrap(await engine().parseBaseUrl(typed))
    const credentials = { baseUrl, apiKey }
    const inHand = { isGiven: true, inboxes: null }
    const before = recordOfKey(credentials)
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

  let openAgainAfter: number = OPEN_AGAIN_MS.first
  let openAgain: NodeJS.Timeout | null = null
  const lacksFiles = ({ id }: AccountRecord): boolean => troubles.get(id)?.code === 'storage_failed'

  /** A disk may have room again, or its folder be back. */
  const openAgainLater = (): void => {
    if (openAgain !== null) clearTimeout(openAgain)
    openAgain = null
    if (!settings.all().some((record) => record.isConnected && !opened.has(record.id) && lacksFiles(record))) {
      openAgainAfter = OPEN_AGAIN_MS.first
      return
    }
    openAgain = setTimeout(() => void inTurn(() => openConnected(lacksFiles)).catch(report), openAgainAfter).unref()
    openAgainAfter = Math.min(2 * openAgainAfter, OPEN_AGAIN_MS.longest)
  }

  /** What cannot be opened is told of, and keeps nothing else from being opened. */
  const openConnected = async (isWanted: (record: AccountRecord) => boolean = () => true): Promise<void> => {
    const toOpen = settings.all().filter((record) => record.isConnected && !opened.has(record.id) && isWanted(record))
    const told = problem
    for (const record of toOpen) {
      try {
        await (record.kind === 'demo' ? openDemo() : openRecord(record))
      } catch (thrown) {
        const trouble = toProblem(thrown)
        if (trouble.code === 'internal') report(thrown)
        troubles.set(record.id, trouble)
      }
    }
    problem ??= told
    if (toOpen.length > 0) changed()
    openAgainLater()
  }

  /** Mail of which the settings know nothing is told of: they were deleted, or a folder was brought here. */
  const lostSettings = async (): Promise<Problem | null> => {
    if (pending !== null || settings.all().length > 0 || (await strayFolders()).length === 0) return null
    return {
      code: 'storage_failed',
      message: 'Linnet’s settings are missing. Your mail is still here. Connect your account again.',
    }
  }

  const fall = async (reason: Problem): Promise<void> => {
    const fallen = [...opened.values()]
    opened.clear()
    problem = reason
    changed()
    for (const { demo } of fallen) await demo?.stop()
  }

  const learnStorage = async (): Promise<void> => {
    const storage = await vault.storage()
    if (storage === keyStorage) return
    keyStorage = storage
    changed()
  }
  learnStorage().catch(report)

  return {
    state,
    find: (accountId) => {
      const record = accountId === null || !opened.has(accountId) ? null : settings.find(accountId)
      if (record === null) throw noAccount()
      return accountOf(record)
    },
    handlers: {
      'account.state': state,
      'account.connect': ({ baseUrl, apiKey }) => inTurn(() => connect(baseUrl, apiKey)),
      // Not in turn: it is for what the others wait for.
      'account.cancelTest': async () => {
        await engine().cancelTests()
        return null
      },
      'account.setKey': ({ accountId, apiKey }) => inTurn(() => setKey(accountId, apiKey)),
      'account.decide': ({ decision, accountId }) => inTurn(() => decide(decision, accountId)),
      'account.open': ({ accountId }) =>
        inTurn(async () => {
          const record = settings.find(accountId)
          if (record === null) throw noAccount()
          if (opened.has(accountId)) return accountOf(record)
          return record.kind === 'demo' ? openDemo() : openRecord(record)
        }),
      'account.startDemo': () => inTurn(openDemo),
      'account.change': (changes) => inTurn(() => Promise.resolve(change(changes))),
      'account.move': ({ accountId, before }) =>
        inTurn(() => {
          settings.move(recordNamed(accountId).id, before)
          changed()
          return Promise.resolve(null)
        }),
      'account.usage': ({ accountId }) => inTurn(() => usage(accountId)),
      'account.disconnect': ({ accountId }) => inTurn(() => disconnect(accountId)),
      'account.remove': ({ accountId }) => inTurn(() => remove(accountId)),
    },
    openAtStart: (given) =>
      inTurn(async () => {
        const told = problem
        try {
          const refused = given === null ? null : await openGiven(given).then(() => null, toProblem)
          await openConnected()
          problem ??= refused ?? told ?? (opened.size === 0 ? await lostSettings() : null)
        } catch (thrown) {
          problem = toProblem(thrown)
          if (problem.code === 'internal') report(thrown)
        }
        await finishRemovals().catch(report)
      }),
    reopen: () =>
      inTurn(async () => {
        for (const { id, toOpen, demo } of [...opened.values()]) {
          const again = await engine().open({ ...toOpen, isKnown: true })
          if (again.ok) continue
          opened.delete(id)
          troubles.set(id, again.error)
          await demo?.stop()
        }
        changed()
      }),
    fall: (reason) => inTurn(() => fall(reason)),
    keyAccepted: (accountId, apiKey, inboxes) =>
      void inTurn(async () => {
        const before = opened.get(accountId)
        // Another key may have taken its place meanwhile.
        if (before === undefined || before.toOpen.key?.apiKey !== apiKey) return
        const key = { apiKey, isAccepted: true }
        opened.set(accountId, { ...before, toOpen: { ...before.toOpen, key } })
        changed()
        const record = settings.find(accountId)
        if (record?.kind !== 'platform') return
        settings.keep(await recordWith(record, { key, isGiven: before.isGiven, inboxes }))
        changed()
      }).catch(report),
    inboxesChanged: (accountId) =>
      void inTurn(async () => {
        const record = opened.has(accountId) ? settings.find(accountId) : null
        if (record?.kind !== 'platform') return
        const answer = await engine().call(record.id, 'inbox.list', {}, 'host')
        if (!answer.ok) return
        const seen = namesOf((answer.data as { readonly inboxes: readonly Inbox[] }).inboxes)
        if (isSame(seen, record.inboxes)) return
        settings.keep({ ...record, inboxes: seen })
        changed()
      }).catch(report),
    close: () =>
      inTurn(async () => {
        if (openAgain !== null) clearTimeout(openAgain)
        for (const { demo } of opened.values()) await demo?.stop()
      }),
  }
}
