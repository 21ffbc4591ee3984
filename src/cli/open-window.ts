import { openAccountReader } from '../engine/account-reader.ts'
import { formatAppLink, parseAppLink } from '../shared/app-link.ts'
import { unwrap } from '../shared/result.ts'
import type { AccountHere } from './accounts-here.ts'
import { RunningLinnet } from './running-linnet.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

/** The link to what was typed: a link as it is, a thread or a message by its ID, or a search. */
const linkTo = (accounts: readonly AccountHere[], typed: string): string => {
  if (parseAppLink(typed) !== null) return typed
  for (const { directory } of accounts) {
    const reader = openAccountReader(directory)
    try {
      const item = reader.find(typed)
      if (item?.kind === 'thread' || item?.kind === 'email') {
        const { inboxId, id: threadId } = item.thread
        return formatAppLink({ kind: 'thread', inboxId, threadId })
      }
    } finally {
      reader.close()
    }
  }
  return formatAppLink({ kind: 'search', inboxId: null, query: typed })
}

/** `linnet open`: shows a thread, a search or what a link leads to, in the window of the Linnet that runs. */
export const openInWindow = async (
  dataDirectory: string,
  accounts: readonly AccountHere[],
  typed: string,
  terminal: Terminal,
): Promise<ExitCode> => {
  const link = linkTo(accounts, typed)
  const running = await RunningLinnet.find(dataDirectory)
  if (running === null) {
    throw new CommandError('Linnet is not running with this data folder. Start it, and try again.', EXIT.failed, [
      `  ${link}`,
    ])
  }
  try {
    unwrap(await running.open(link))
    terminal.note('Shown in Linnet.')
    return EXIT.done
  } finally {
    running.close()
  }
}
