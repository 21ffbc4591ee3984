import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { areSettingsSound, StoredAccounts } from '../host/stored-accounts.ts'
import { browserDataDirectory, desktopDataDirectory } from '../host/default-data-directory.ts'
import { SETTINGS_NAME } from '../host/settings-names.ts'
import { CommandError, EXIT } from './terminal.ts'

export interface LocalAccount {
  readonly id: string
  readonly kind: 'platform' | 'demo'
  /** Null for the demo, whose address changes at each start. */
  readonly baseUrl: string | null
  /** Last known inbox addresses. */
  readonly addresses: readonly string[]
  /** The user's name for it, or null. */
  readonly name: string | null
  readonly isConnected: boolean
  readonly dataDirectory: string
  readonly directory: string
  /** Digest of the last accepted key. */
  readonly keyDigest: string | null
}

/** The given folder, or the default one. @throws CommandError if neither default folder has accounts, or both do */
export const chooseDataDirectory = (typed: string | undefined): string => {
  if (typed !== undefined) {
    if (existsSync(typed)) return resolve(typed)
    throw new CommandError(`There is no folder ${typed}.`, EXIT.failed)
  }
  const there = [desktopDataDirectory(), browserDataDirectory()].filter((directory) =>
    existsSync(join(directory, 'accounts')),
  )
  const [only, second] = there
  if (second !== undefined) {
    const message =
      'Linnet has two data folders on this computer, one for the desktop app and one for the browser. Choose one:'
    throw new CommandError(
      message,
      EXIT.usage,
      there.map((directory) => `  --data '${directory}'`),
    )
  }
  if (only !== undefined) return only
  throw new CommandError('Linnet has no mail on this computer. Start Linnet and connect an account.', EXIT.nothing)
}

/** Reads the settings of a data folder without repairing them. @throws CommandError if they can't be read */
const readSettings = (dataDirectory: string): Readonly<Record<string, unknown>> => {
  const file = join(dataDirectory, `${SETTINGS_NAME}.json`)
  if (!existsSync(file)) return {}
  try {
    const values: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof values === 'object' && values !== null && !Array.isArray(values)) {
      const settings = values as Readonly<Record<string, unknown>>
      if (areSettingsSound(settings)) return settings
    }
  } catch {
    // Reported below.
  }
  throw new CommandError(
    `Linnet’s settings in ${dataDirectory} cannot be read. Start Linnet to repair them.`,
    EXIT.failed,
  )
}

export const listAccounts = (dataDirectory: string): readonly LocalAccount[] => {
  const values = readSettings(dataDirectory)
  const settings = new StoredAccounts({
    get: (key) => values[key],
    set: () => {
      throw new Error('The command line cannot change settings.')
    },
  })
  return settings.all().map((record) => ({
    id: record.id,
    kind: record.kind,
    baseUrl: record.kind === 'platform' ? record.baseUrl : null,
    addresses: record.kind === 'platform' ? record.inboxes.map(({ address }) => address) : [],
    name: record.name,
    isConnected: record.isConnected,
    dataDirectory,
    directory: join(dataDirectory, 'accounts', record.id),
    keyDigest: record.kind === 'platform' ? record.keyDigest : null,
  }))
}

const describeAccount = ({ id, name, addresses, baseUrl, kind }: LocalAccount): string =>
  `${id}  ${name === null ? '' : `${name}  `}${addresses.length > 0 ? addresses.join(', ') : kind === 'demo' ? 'the demo' : 'no inbox yet'}${baseUrl === null ? '' : `  ${baseUrl}`}`

/** Matches typed text against an account's ID, name, platform or inbox addresses. */
export const matchesAccount = (account: LocalAccount, typed: string): boolean =>
  account.id === typed ||
  account.name === typed ||
  account.baseUrl === typed ||
  account.addresses.some((address) => address.toLowerCase() === typed.toLowerCase())

/** Accounts matching the typed text, or all if undefined. @throws CommandError if there are none */
export const findAccounts = (accounts: readonly LocalAccount[], typed: string | undefined): readonly LocalAccount[] => {
  if (accounts.length === 0) {
    throw new CommandError('No account is connected in this data folder. Start Linnet and connect one.', EXIT.nothing)
  }
  if (typed === undefined) return accounts
  const meant = accounts.filter((account) => matchesAccount(account, typed))
  if (meant.length > 0) return meant
  const message = `There is no account “${typed}” here. Choose one by its name, ID, platform address, or the address of an inbox:`
  throw new CommandError(
    message,
    EXIT.nothing,
    accounts.map((account) => `  ${describeAccount(account)}`),
  )
}
/** @throws CommandError if several accounts match, or none */
export const chooseAccount = (accounts: readonly LocalAccount[], typed: string | undefined): LocalAccount => {
  const meant = findAccounts(accounts, typed)
  const [only, second] = meant
  if (only !== undefined && second === undefined) return only
  const message = 'There are several accounts here. Choose one with --account and its ID or address:'
  throw new CommandError(
    message,
    EXIT.usage,
    meant.map((account) => `  ${describeAccount(account)}`),
  )
}
