import { openAccountReader } from '../engine/account-reader.ts'
import { desktopDataDirectory } from '../host/default-data-directory.ts'
import { openBySystem } from '../host/open-by-system.ts'
import { APP_SCHEME, formatAppLink, parseAppLink } from '../shared/app-link.ts'
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

/** The same link in Linnet's own scheme: that of mail may be another program's. */
const ownLink = (link: string): string => {
  const [, to = '', fields] = /^mailto:([^?]*)(?:\?(.*))?$/i.exec(link) ?? []
  if (!/^mailto:/i.test(link)) return link
  return `${APP_SCHEME}://compose?to=${to}${fields === undefined ? '' : `&${fields}`}`
}

/**
 * `linnet open`: shows a thread, a search or what a link leads to, in the window of the Linnet that runs. Where none does, the
 * system starts the one that is installed.
 */
export const openInWindow = async (
  dataDirectory: string,
  accounts: readonly AccountHere[],
  typed: string,
  terminal: Terminal,
): Promise<ExitCode> => {
  const link = linkTo(accounts, typed)
  const running = await RunningLinnet.find(dataDirectory)
  if (running === null) {
    // The system starts the Linnet that is installed, which has the usual folder.
    if (dataDirectory === desktopDataDirectory() && (await openBySystem(ownLink(link)))) {
      terminal.note('Linnet is being started.')
      return EXIT.done
    }
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
