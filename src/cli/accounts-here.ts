import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { areSettingsSound, AccountSettings } from '../host/account-settings.ts'
import { browserDataDirectory, desktopDataDirectory } from '../host/default-data-directory.ts'
import { SETTINGS_NAME } from '../host/settings-names.ts'
import { CommandError, EXIT } from './terminal.ts'

export interface AccountHere {
  readonly id: string
  readonly kind: 'platform' | 'demo'
  /** Null for the demo, whose address is another one at each start. */
  readonly baseUrl: string | null
  /** Of its inboxes, as they were last seen. */
  readonly addresses: readonly string[]
  /** As the person calls it; null where it has no name of its own. */
  readonly name: string | null
  readonly isConnected: boolean
  readonly dataDirectory: string
  readonly directory: string
  /** Of the key that was last accepted. */
  readonly keyDigest: string | null
}

/** The folders that Linnet takes without being told, of those that are there. */
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
    const message = 'Linnet has two data folders here, the desktop’s and the browser’s. Name one:'
    throw new CommandError(
      message,
      EXIT.usage,
      there.map((directory) => `  --data '${directory}'`),
    )
  }
  if (only !== undefined) return only
  throw new CommandError('Linnet has no mail on this computer. Start Linnet and connect an account.', EXIT.nothing)
}

/** What the settings of a data folder say; nothing is changed or set aside. @throws CommandError where they cannot be read */
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
    // Said below.
  }
  throw new CommandError(
    `Linnet’s settings in ${dataDirectory} cannot be read. Start Linnet to repair them.`,
    EXIT.failed,
  )
}

export const listAccounts = (dataDirectory: string): readonly AccountHere[] => {
  const values = readSettings(dataDirectory)
  const settings = new AccountSettings({
    get: (key) => values[key],
    set: () => {
      throw new Error('settings are only read here')
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

const describeAccount = ({ id, name, addresses, baseUrl, kind }: AccountHere): string =>
  `${id}  ${name === null ? '' : `${name}  `}${addresses.length > 0 ? addresses.join(', ') : kind === 'demo' ? 'the demo' : 'no inbox yet'}${baseUrl === null ? '' : `  ${baseUrl}`}`

/** Whether a person means an account by what they typed: its ID, name, platform or the address of an inbox. */
export const isMeant = (account: AccountHere, typed: string): boolean =>
  account.id === typed ||
  account.name === typed ||
  account.baseUrl === typed ||
  account.addresses.some((address) => address.toLowerCase() === typed.toLowerCase())

/**
 * The accounts that a person means: those that are named, or all of them.
 * @throws CommandError where none is here, or none of that name
 */
export const chooseAccounts = (accounts: readonly AccountHere[], typed: string | undefined): readonly AccountHere[] => {
  if (accounts.length === 0) {
    throw new CommandError('No account is connected in this data folder. Start Linnet and connect one.', EXIT.nothing)
  }
  if (typed === undefined) return accounts
  const meant = accounts.filter((account) => isMeant(account, typed))
  if (meant.length > 0) return meant
  const message = `There is no account “${typed}” here. Choose one by its name, ID, platform address, or the address of an inbox:`
  throw new CommandError(
    message,
    EXIT.nothing,
    accounts.map((account) => `  ${describeAccount(account)}`),
  )
}
/** The one account that a person means. @throws CommandError where that may be several */
export const chooseAccount = (accounts: readonly AccountHere[], typed: string | undefined): AccountHere => {
  const meant = chooseAccounts(accounts, typed)
  const [only, second] = meant
  if (only !== undefined && second === undefined) return only
  const message = 'There are several accounts here. Choose one with --account and its ID or address:'
  throw new CommandError(
    message,
    EXIT.usage,
    meant.map((account) => `  ${describeAccount(account)}`),
  )
}
