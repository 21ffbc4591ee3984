import { readAccount } from './inbox-searches.ts'
import { desktopDataDirectory } from '../host/default-data-directory.ts'
import { openExternally } from '../host/external-opener.ts'
import { APP_SCHEME, formatAppLink, parseAppLink } from '../shared/app-link.ts'
import { unwrap } from '../shared/result.ts'
import type { LocalAccount } from './local-accounts.ts'
import { RunningLinnet } from './running-linnet.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

/** Builds the link: a link stays as it is, an ID opens its thread or message, and other text is a search. */
const linkTo = (accounts: readonly LocalAccount[], typed: string): string => {
  if (parseAppLink(typed) !== null) return typed
  for (const account of accounts) {
    const item = readAccount(account, (reader) => reader.find(typed))
    if (item?.kind !== 'thread' && item?.kind !== 'email') continue
    const { inboxId, id: threadId } = item.thread
    return formatAppLink({ kind: 'thread', inboxId, threadId })
  }
  return formatAppLink({ kind: 'search', inboxId: null, query: typed })
}

/** Rewrites `mailto:` to Linnet's scheme, since another program may handle mail links. */
const toLinnetLink = (link: string): string => {
  const [, to = '', fields] = /^mailto:([^?]*)(?:\?(.*))?$/i.exec(link) ?? []
  if (!/^mailto:/i.test(link)) return link
  return `${APP_SCHEME}://compose?to=${to}${fields === undefined ? '' : `&${fields}`}`
}

/** `linnet open`: shows a thread, search or link in the running Linnet, or has the system start the installed one. */
export const openInWindow = async (
  dataDirectory: string,
  accounts: readonly LocalAccount[],
  typed: string,
  terminal: Terminal,
): Promise<ExitCode> => {
  const link = linkTo(accounts, typed)
  const running = await RunningLinnet.find(dataDirectory)
  if (running === null) {
    // The installed Linnet uses the default folder.
    if (dataDirectory === desktopDataDirectory() && (await openExternally(toLinnetLink(link)))) {
      terminal.note('Starting Linnet…')
      return EXIT.done
    }
    throw new CommandError('Linnet is not running with this data folder. Start it, and try again.', EXIT.failed, [
      `  ${link}`,
    ])
  }
  try {
    unwrap(await running.open(link))
    terminal.note('Opened in Linnet.')
    return EXIT.done
  } finally {
    running.close()
  }
}
