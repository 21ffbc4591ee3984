import { openAccountReader } from '../engine/account-reader.ts'
import { toProblem } from '../shared/result.ts'
import type { AccountHere } from './accounts-here.ts'
import { safeJson, safeLine } from './safe-text.ts'
import { EXIT, type ExitCode, type Terminal } from './terminal.ts'

interface Look {
  readonly inboxes: readonly { readonly address: string; readonly unread: number }[]
  readonly unsent: number
  /** Why the mail can't be read, or null. */
  readonly problem: string | null
}

const lookAt = ({ directory, addresses }: AccountHere): Look => {
  try {
    const reader = openAccountReader(directory)
    try {
      return {
        inboxes: reader.inboxes().map(({ emailAddress, unread }) => ({ address: emailAddress, unread })),
        unsent: reader.unsent(),
        problem: null,
      }
    } finally {
      reader.close()
    }
  } catch (thrown) {
    return {
      inboxes: addresses.map((address) => ({ address, unread: 0 })),
      unsent: 0,
      problem: toProblem(thrown).message,
    }
  }
}

const linesOf = (
  { id, name, baseUrl, isConnected }: AccountHere,
  { inboxes, unsent, problem }: Look,
): readonly string[] => [
  `${isConnected ? '*' : ' '} ${id}${name === null ? '' : `  ${safeLine(name)}`}  ${baseUrl === null ? 'the demo' : safeLine(baseUrl)}${unsent > 0 ? `  ${unsent} unsent` : ''}`,
  ...inboxes.map(({ address, unread }) => `    ${safeLine(address)}${unread > 0 ? `  ${unread} unread` : ''}`),
  ...(problem === null ? [] : [`    ${problem}`]),
]

/** `linnet accounts`: lists the accounts of the data folder; a star marks the one that opens with Linnet. */
export const listMailAccounts = (accounts: readonly AccountHere[], isJson: boolean, terminal: Terminal): ExitCode => {
  for (const account of accounts) {
    const look = lookAt(account)
    const { id, name, kind, baseUrl, isConnected, directory } = account
    if (isJson) terminal.print(safeJson({ type: 'account', id, name, kind, baseUrl, isConnected, directory, ...look }))
    else for (const line of linesOf(account, look)) terminal.print(line)
  }
  return EXIT.done
}
