import { readAccount } from './inbox-searches.ts'
import { toProblem } from '../shared/result.ts'
import type { LocalAccount } from './local-accounts.ts'
import { toSafeJson, sanitizeLine } from './safe-text.ts'
import { EXIT, type ExitCode, type Terminal } from './terminal.ts'

interface AccountSummary {
  readonly inboxes: readonly { readonly address: string; readonly unread: number }[]
  readonly unsent: number
  /** Why the mail can't be read, or null. */
  readonly problem: string | null
}

const summarize = (account: LocalAccount): AccountSummary => {
  try {
    return readAccount(account, (reader) => ({
      inboxes: reader.inboxes().map(({ emailAddress, unread }) => ({ address: emailAddress, unread })),
      unsent: reader.unsent(),
      problem: null,
    }))
  } catch (thrown) {
    return {
      inboxes: account.addresses.map((address) => ({ address, unread: 0 })),
      unsent: 0,
      problem: toProblem(thrown).message,
    }
  }
}

const linesOf = (
  { id, name, baseUrl, isConnected }: LocalAccount,
  { inboxes, unsent, problem }: AccountSummary,
): readonly string[] => [
  `${isConnected ? '*' : ' '} ${id}${name === null ? '' : `  ${sanitizeLine(name)}`}  ${baseUrl === null ? 'the demo' : sanitizeLine(baseUrl)}${unsent > 0 ? `  ${unsent} unsent` : ''}`,
  ...inboxes.map(({ address, unread }) => `    ${sanitizeLine(address)}${unread > 0 ? `  ${unread} unread` : ''}`),
  ...(problem === null ? [] : [`    ${problem}`]),
]

/** `linnet accounts`: lists the accounts of the data folder; a star marks the one that opens with Linnet. */
export const listMailAccounts = (accounts: readonly LocalAccount[], isJson: boolean, terminal: Terminal): ExitCode => {
  for (const account of accounts) {
    const look = summarize(account)
    const { id, name, kind, baseUrl, isConnected, directory } = account
    if (isJson)
      terminal.print(toSafeJson({ type: 'account', id, name, kind, baseUrl, isConnected, directory, ...look }))
    else for (const line of linesOf(account, look)) terminal.print(line)
  }
  return EXIT.done
}
