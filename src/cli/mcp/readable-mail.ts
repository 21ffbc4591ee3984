import { openAccountReader, type AccountReader, type ReaderItem } from '../../engine/files/account-reader.ts'
import { quoteUntrustedText } from '../../engine/mail/assistants/quoting.ts'
import {
  hadAssistantAccess,
  joinAssistantStore,
  type AssistantStore,
  type JoinedAssistantStore,
} from '../../engine/own/assistant-store.ts'
import { hasAnyAccess, type AssistantAccess, type AssistantCall } from '../../shared/assistants.ts'
import type { EmailList } from '../../shared/email-query.ts'
import { FOLDERS, type Folder, type Inbox, type Thread } from '../../shared/model.ts'
import { ProblemError, toProblem, type ProblemCode } from '../../shared/result.ts'
import { formatListName } from '../../shared/search/list-name.ts'
import { SNOOZED_FOLDER } from '../../shared/thread-marks.ts'
import { matchesAccount, listAccounts, type LocalAccount } from '../local-accounts.ts'
import { matchesInbox } from '../inbox-searches.ts'
import { RunningLinnet } from '../running-linnet.ts'

/** Appended to refusals: where the user can turn on access. */
const ACCESS_HINT = 'The user can turn it on in Linnet: Settings, Assistant apps.'

const problem = (code: ProblemCode, message: string): ProblemError => new ProblemError({ code, message })
export const createRefusedProblem = (what: string): ProblemError => problem('refused', `${what} ${ACCESS_HINT}`)
export const createInputProblem = (message: string): ProblemError => problem('invalid_input', message)
const unknown = (id: string): ProblemError =>
  problem('not_found', `No thread or message “${id}” in the mail that is turned on for assistants.`)

type OwnList = AssistantAccess['lists'][number]

const nameOf = (list: OwnList): string => (list === 'contacts' ? 'Contacts and topics' : formatListName(list))

/** The folder that grants access to a thread; snoozed threads belong to the inbox. */
const folderOf = ({ folder }: Pick<Thread, 'folder'>): string => (folder === SNOOZED_FOLDER ? 'inbox' : folder)

/** An account's open files, kept for the next call because opening takes longer than most responses. */
export class OpenAccountFiles {
  readonly #joined: JoinedAssistantStore
  readonly #directory: string
  #reader: AccountReader | null = null

  /** @throws ProblemError or SQLite's errors if the access can't be read */
  constructor({ directory }: LocalAccount) {
    this.#directory = directory
    this.#joined = joinAssistantStore(directory)
  }

  get assistants(): AssistantStore {
    return this.#joined.store
  }

  /** @throws the same errors as `openAccountReader` */
  get reader(): AccountReader {
    this.#reader ??= openAccountReader(this.#directory)
    return this.#reader
  }

  /** False once the account was repaired or removed, which replaces or deletes its files. */
  get isCurrent(): boolean {
    return this.#joined.isCurrent() && this.#reader?.isCurrent() !== false
  }

  close(): void {
    this.#joined.close()
    this.#reader?.close()
  }
}

/** The part of an account's mail that assistants may read. Valid for one call. */
export class ReadableMail {
  readonly account: LocalAccount
  readonly reader: AccountReader
  readonly assistants: AssistantStore
  readonly #access: AssistantAccess
  /** All inboxes, accessible or not. Cached for the call, because reading them counts unread threads. */
  #all: readonly Inbox[] | null = null

  constructor(account: LocalAccount, { reader, assistants }: OpenAccountFiles, access: AssistantAccess) {
    this.account = account
    this.reader = reader
    this.assistants = assistants
    this.#access = access
  }

  foldersOf(inboxId: string): readonly Folder[] {
    return FOLDERS.filter((folder) =>
      this.#access.folders.some((each) => each.inboxId === inboxId && each.folder === folder),
    )
  }

  /** Inboxes with at least one accessible folder. */
  inboxes(): readonly Inbox[] {
    return this.#inboxes.filter(({ id }) => this.foldersOf(id).length > 0)
  }

  addressOf(inboxId: string): string {
    return this.#inboxes.find(({ id }) => id === inboxId)?.emailAddress ?? inboxId
  }

  /** True if the thread's own folder is accessible. Sent messages in it don't matter. */
  isOn(thread: Pick<Thread, 'folder' | 'inboxId'>): boolean {
    return this.foldersOf(thread.inboxId).some((folder) => folder === folderOf(thread))
  }

  hasList(list: OwnList): boolean {
    return this.#access.lists.includes(list)
  }

  /** @throws ProblemError `refused` if the list is not turned on */
  demandList(list: OwnList): void {
    if (!this.hasList(list))
      throw createRefusedProblem(`This account’s “${nameOf(list)}” list is not turned on for assistants.`)
  }

  /** Looks up an ID; null if unknown. @throws ProblemError `refused` if its mail is not turned on for assistants */
  find(id: string): ReaderItem | null {
    const item = this.reader.find(id)
    if (item === null) return null
    if ('thread' in item && this.isOn(item.thread)) return item
    // The message may also be in one of the account's own lists, which are turned on as a whole.
    const lists: readonly EmailList[] = ['received', 'sent']
    for (const list of lists) {
      const listed = this.hasList(list) ? this.reader.findListed(list, id) : null
      if (listed !== null) return listed
    }
    if (!('thread' in item)) {
      this.demandList(item.kind)
      return item
    }
    const { folder, inboxId } = item.thread
    throw createRefusedProblem(
      `This mail is in “${folder}” (${this.addressOf(inboxId)}), a folder that is not turned on for assistants.`,
    )
  }

  get #inboxes(): readonly Inbox[] {
    this.#all ??= this.reader.inboxes()
    return this.#all
  }
}

/** An account whose files can't be read. Tools still respond for the other accounts. */
export interface UnreadableAccount {
  readonly account: LocalAccount
  readonly why: string
}

export interface MailAccess {
  readonly mails: readonly ReadableMail[]
  /** All accounts with a log. */
  readonly logged: readonly LocalAccount[]
  readonly unreadable: readonly UnreadableAccount[]
}

/** Time that an account's files stay open after a call. Short on Windows, where open files can't be deleted. */
const IDLE_MS = process.platform === 'win32' ? 1_000 : 60_000

/** The accounts of a data folder and their current access, read at each call. */
export class ReadableAccounts {
  readonly #dataDirectory: string
  readonly #only: string | undefined
  readonly #openFiles = new Map<string, OpenAccountFiles>()
  #running = 0
  #openAccountsLookup: Promise<readonly string[]> | null = null
  #timer: NodeJS.Timeout | undefined

  /** @param only account from the command line; undefined for all */
  constructor(dataDirectory: string, only: string | undefined) {
    this.#dataDirectory = dataDirectory
    this.#only = only
  }

  /** Runs one call. Files that it opens stay open for a moment for the next one. */
  async during<Value>(work: (readable: MailAccess) => Promise<Value> | Value): Promise<Value> {
    clearTimeout(this.#timer)
    this.#running += 1
    try {
      return await work(this.#toReadable(await this.#accounts()))
    } finally {
      this.#running -= 1
      if (this.#running === 0) this.#timer = setTimeout(() => this.close(), IDLE_MS).unref()
    }
  }

  note(accounts: readonly LocalAccount[], call: Omit<AssistantCall, 'id'>): void {
    for (const account of accounts) this.#filesOf(account).assistants.note(call)
  }

  close(): void {
    for (const held of this.#openFiles.values()) held.close()
    this.#openFiles.clear()
  }

  /**
   * Accounts that assistants were ever given access to, if connected, or if open in a running Linnet with a key from
   * the environment.
   */
  async #accounts(): Promise<readonly LocalAccount[]> {
    const here = listAccounts(this.#dataDirectory).filter(
      (account) =>
        hadAssistantAccess(account.directory) && (this.#only === undefined || matchesAccount(account, this.#only)),
    )
    if (here.every(({ isConnected }) => isConnected)) return here
    // Share one look-up among concurrent calls: a running Linnet accepts few connections.
    this.#openAccountsLookup ??= this.#openInLinnet().finally(() => (this.#openAccountsLookup = null))
    const open = await this.#openAccountsLookup
    return here.filter(({ id, isConnected }) => isConnected || open.includes(id))
  }

  async #openInLinnet(): Promise<readonly string[]> {
    const running = await RunningLinnet.find(this.#dataDirectory)
    const state = await running?.ask(null, 'account.state', {})
    running?.close()
    return state?.ok === true ? state.data.accounts.filter(({ isOpen }) => isOpen).map(({ id }) => id) : []
  }

  #toReadable(accounts: readonly LocalAccount[]): MailAccess {
    for (const [id, held] of this.#openFiles) {
      if (held.isCurrent && accounts.some((account) => account.id === id)) continue
      held.close()
      this.#openFiles.delete(id)
    }
    const mails: ReadableMail[] = []
    const logged: LocalAccount[] = []
    const unreadable: UnreadableAccount[] = []
    for (const account of accounts) {
      try {
        const held = this.#filesOf(account)
        const access = held.assistants.access()
        logged.push(account)
        if (hasAnyAccess(access)) mails.push(new ReadableMail(account, held, access))
      } catch (thrown) {
        unreadable.push({ account, why: toProblem(thrown).message })
      }
    }
    const [broken] = unreadable
    if (broken !== undefined && mails.length === 0) throw createInputProblem(broken.why)
    return { mails, logged, unreadable }
  }

  #filesOf(account: LocalAccount): OpenAccountFiles {
    const held = this.#openFiles.get(account.id) ?? new OpenAccountFiles(account)
    this.#openFiles.set(account.id, held)
    return held
  }
}

/** Mail of the accounts matching `typed`, or all. @throws ProblemError `refused` if none of it is turned on */
export const selectAccountMail = (
  mails: readonly ReadableMail[],
  typed: string | undefined,
): readonly ReadableMail[] => {
  if (mails.length === 0) throw createRefusedProblem('No mail is turned on for assistants.')
  const meant = mails.filter(({ account }) => typed === undefined || matchesAccount(account, typed))
  if (meant.length > 0) return meant
  throw createRefusedProblem(`No account “${typed}” is turned on for assistants.`)
}

/** Returns the accounts that have this list turned on. @throws ProblemError `refused` if none has */
export const accountsWithList = (
  mails: readonly ReadableMail[],
  typed: string | undefined,
  list: OwnList,
): readonly ReadableMail[] => {
  const meant = selectAccountMail(mails, typed)
  const open = meant.filter((mail) => mail.hasList(list))
  if (open.length === 0) meant[0]?.demandList(list)
  return open
}

/** Finds a label by ID or case-insensitive name. @throws ProblemError if the inbox has none */
export const resolveLabelId = ({ reader }: ReadableMail, inboxId: string, name: string): string => {
  const labels = reader.labels(inboxId)
  const label = labels.find((each) => each.id === name || each.name.toLowerCase() === name.trim().toLowerCase())
  if (label !== undefined) return label.id
  const there = labels.map((each) => quoteUntrustedText(each.name)).join(', ')
  throw createInputProblem(
    `This inbox has no label “${name}”. ${there === '' ? 'It has no labels.' : `Its labels: ${there}.`}`,
  )
}

export interface InboxSummary {
  readonly mail: ReadableMail
  readonly inbox: Inbox
  readonly folders: readonly Folder[]
}

/** Inboxes matching `typed`, or all. @throws ProblemError `refused` if none has an accessible folder */
export const selectInboxes = (mails: readonly ReadableMail[], typed: string | undefined): readonly InboxSummary[] => {
  const all = mails.flatMap((mail) =>
    mail.inboxes().map((inbox) => ({ mail, inbox, folders: mail.foldersOf(inbox.id) })),
  )
  const meant = all.filter(({ inbox }) => typed === undefined || matchesInbox(inbox, typed))
  if (meant.length > 0) return meant
  throw createRefusedProblem(
    typed === undefined
      ? 'No folder of any inbox is turned on for assistants.'
      : `No inbox “${typed}” is turned on for assistants.`,
  )
}

export interface FoundMail<Item extends ReaderItem = ReaderItem> {
  readonly mail: ReadableMail
  readonly item: Item
}

/** @throws ProblemError `not_found`, or `refused` if it exists but is not turned on */
export const findMail = (mails: readonly ReadableMail[], id: string): FoundMail => {
  for (const mail of selectAccountMail(mails, undefined)) {
    const item = mail.find(id)
    if (item !== null) return { mail, item }
  }
  throw unknown(id)
}
