/** Linnet on the command line: the same mail and the same engine as in the window, without one. */
import { extname } from 'node:path'
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import type { SearchedList } from '../shared/email-query.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../shared/export.ts'
import { ProblemError } from '../shared/result.ts'
import { chooseAccount, chooseAccounts, chooseDataDirectory, listAccounts, type AccountHere } from './accounts-here.ts'
import { CommandError, EXIT, Terminal, type ExitCode } from './terminal.ts'

const USAGE = `usage: npm run --silent linnet -- COMMAND [--data DIR] [--account NAME]

  accounts [--json]                         the accounts on this computer
  search QUERY [--list threads|received|sent] [--inbox ADDRESS] [--limit N] [--json]
                                            mail on this computer, newest first
  show ID [--json|--raw]                    a thread or a message
  export QUERY|--folder NAME|--everything --to FILE [--format mbox|zip|jsonl] [--inbox ADDRESS] [--fetch] [--replace]
                                            mail into a file; --fetch downloads what is missing
  export --contacts [--to FILE]             the contacts as a table (CSV)
  sync --once                               downloads and sends, with the key from LINNET_BASE_URL and LINNET_API_KEY
  backup [FOLDER] [--json]                  backs up the account into the folder
  restore BACKUP --data DIR [--replace]     restores an account from a backup

Search as in Linnet’s window: from:ann has:attachment newer_than:7d "two words" -not
--data DIR      Linnet’s data folder, if it is not the usual one
--account NAME  an account: its name, ID, platform address, or the address of an inbox
--json          one JSON object a line

Exit codes: 0 done, 1 failed, 2 usage error, 3 nothing found, 4 another Linnet has the account open, 130 interrupted.`

const COMMON = { data: { type: 'string' }, account: { type: 'string' }, help: { type: 'boolean' } } as const
const usageError = (message: string): CommandError => new CommandError(message, EXIT.usage, ['', ...USAGE.split('\n')])

/** What was typed behind a command. @throws CommandError */
const parse = <const Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) => {
  try {
    return parseArgs({ args: [...args], options: { ...COMMON, ...options }, allowPositionals: true, strict: true })
  } catch (thrown) {
    throw usageError(thrown instanceof Error ? thrown.message : String(thrown))
  }
}

/** The one argument of a command. @throws CommandError where it is missing, or not alone */
const onlyOne = (positionals: readonly string[], what: string): string => {
  const [only, ...others] = positionals
  if (only !== undefined && others.length === 0) return only
  throw usageError(only === undefined ? `${what} is missing.` : `Put quotes around ${what}: it is one argument.`)
}

const MOST_ROWS = 1_000_000
const readLimit = (typed: string): number => {
  const limit = Number(typed)
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_ROWS) return limit
  throw usageError(`--limit takes a number from 1 to ${MOST_ROWS}, not “${typed}”.`)
}
const readList = (typed: string): SearchedList => {
  if (typed === 'threads' || typed === 'received' || typed === 'sent') return typed
  throw usageError(`--list takes threads, received or sent, not “${typed}”.`)
}

/** The format that is named, or that the file's ending says. @throws CommandError */
const readFormat = (typed: string | undefined, file: string): ExportFormat => {
  const name = typed ?? extname(file).slice(1).toLowerCase()
  const format = EXPORT_FORMATS.find((known) => known === name)
  if (format !== undefined) return format
  throw usageError(
    typed === undefined
      ? 'Choose the format with --format or the file’s extension: .mbox, .zip or .jsonl.'
      : `--format takes ${EXPORT_FORMATS.join(', ')}, not “${typed}”.`,
  )
}

type Command = (args: readonly string[], terminal: Terminal) => Promise<ExitCode>

// A command loads what it needs: finding mail is not to wait for what only sending it takes.
const COMMANDS: Readonly<Record<string, Command>> = {
  accounts: async (args, terminal) => {
    const { values, positionals } = parse(args, { json: { type: 'boolean', default: false } })
    if (positionals.length > 0) throw usageError('accounts takes no arguments.')
    const { listMailAccounts } = await import('./accounts.ts')
    const accounts = chooseAccounts(listAccounts(chooseDataDirectory(values.data)), values.account)
    return listMailAccounts(accounts, values.json, terminal)
  },
  search: async (args, terminal) => {
    const { values, positionals } = parse(args, {
      json: { type: 'boolean', default: false },
      limit: { type: 'string', default: '50' },
      list: { type: 'string', default: 'threads' },
      inbox: { type: 'string' },
    })
    const options = {
      text: onlyOne(positionals, 'the search'),
      list: readList(values.list),
      limit: readLimit(values.limit),
      isJson: values.json,
      inbox: values.inbox,
    }
    const { searchMail } = await import('./search.ts')
    const accounts = chooseAccounts(listAccounts(chooseDataDirectory(values.data)), values.account)
    return searchMail(accounts, options, terminal)
  },
  show: async (args, terminal) => {
    const { values, positionals } = parse(args, {
      json: { type: 'boolean', default: false },
      raw: { type: 'boolean', default: false },
    })
    if (values.json && values.raw) throw usageError('Use either --json or --raw, not both.')
    const id = onlyOne(positionals, 'the ID')
    const { showMail } = await import('./show.ts')
    const accounts = chooseAccounts(listAccounts(chooseDataDirectory(values.data)), values.account)
    return showMail(accounts, { id, as: values.raw ? 'raw' : values.json ? 'json' : 'text' }, terminal)
  },
  export: async (args, terminal) => {
    const { values, positionals } = parse(args, {
      to: { type: 'string' },
      format: { type: 'string' },
      folder: { type: 'string' },
      inbox: { type: 'string' },
      everything: { type: 'boolean', default: false },
      contacts: { type: 'boolean', default: false },
      fetch: { type: 'boolean', default: false },
      replace: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    })
    const { to, folder, inbox, json: isJson, replace: canReplace } = values
    const account = (): AccountHere => chooseAccount(listAccounts(chooseDataDirectory(values.data)), values.account)
    const { exportContacts, exportMail, readFolder } = await import('./export.ts')
    const wanted = [positionals.length > 0, folder !== undefined, values.everything, values.contacts]
    if (wanted.filter(Boolean).length !== 1) {
      throw usageError('Choose what to export: a search, --folder NAME, --everything or --contacts.')
    }
    if (values.contacts) {
      const isOdd = values.fetch || isJson || values.format !== undefined || inbox !== undefined
      if (isOdd) throw usageError('--contacts takes --to and --replace alone.')
      return exportContacts(account(), { path: to, canReplace }, terminal)
    }
    if (to === undefined) throw usageError('Choose the file with --to FILE.')
    const options = {
      mail: values.everything
        ? ({ kind: 'everything' } as const)
        : folder !== undefined
          ? ({ kind: 'folder', folder: readFolder(folder) } as const)
          : ({ kind: 'search', text: onlyOne(positionals, 'the search') } as const),
      ...{ path: to, format: readFormat(values.format, to), inbox, canReplace, isJson },
    }
    if (!values.fetch) return exportMail(account(), options, terminal)
    const { exportFetching } = await import('./export-fetching.ts')
    return exportFetching(account(), options, terminal)
  },
  sync: async (args, terminal) => {
    const { values, positionals } = parse(args, { once: { type: 'boolean', default: false } })
    if (!values.once || positionals.length > 0) throw usageError('Use sync --once. Linnet’s window syncs by itself.')
    const account = chooseAccount(listAccounts(chooseDataDirectory(values.data)), values.account)
    const { syncOnce } = await import('./sync.ts')
    return syncOnce(account, terminal)
  },
  backup: async (args, terminal) => {
    const { values, positionals } = parse(args, { json: { type: 'boolean', default: false } })
    const folder = positionals.length === 0 ? undefined : onlyOne(positionals, 'the folder')
    const account = chooseAccount(listAccounts(chooseDataDirectory(values.data)), values.account)
    const { backUp } = await import('./backup.ts')
    return backUp(account, folder, values.json, terminal)
  },
  restore: async (args, terminal) => {
    const { values, positionals } = parse(args, { replace: { type: 'boolean', default: false } })
    if (values.data === undefined) throw usageError('Name the data folder to restore into with --data.')
    const { restore } = await import('./backup.ts')
    return restore(onlyOne(positionals, 'the backup folder'), values.data, values.replace, terminal)
  },
}

const run = async ([name, ...args]: readonly string[], terminal: Terminal): Promise<ExitCode> => {
  if (name === undefined) throw usageError('Choose a command.')
  if (name === 'help' || name === '--help' || args.includes('--help')) {
    terminal.print(USAGE)
    return EXIT.done
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw usageError(`There is no command “${name}”.`)
  return command(args, terminal)
}

/** How a failure ends the command. */
const fail = (thrown: unknown, terminal: Terminal): ExitCode => {
  if (thrown instanceof CommandError) {
    for (const line of [`linnet: ${thrown.message}`, ...thrown.details]) terminal.note(line)
    return thrown.exitCode
  }
  if (thrown instanceof ProblemError) {
    terminal.note(`linnet: ${thrown.problem.message}`)
    if (thrown.problem.code === 'not_found') return EXIT.nothing
    return /^SQLITE_(?:BUSY|LOCKED)/.test(String(thrown.problem.details?.cause)) ? EXIT.busy : EXIT.failed
  }
  const words = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  for (const line of `linnet: ${words}`.split('\n')) terminal.note(line)
  return EXIT.failed
}

const terminal = new Terminal(process)
run(process.argv.slice(2), terminal)
  .catch((thrown: unknown) => fail(thrown, terminal))
  .then(
    (code) => {
      process.exitCode = terminal.isOver ? EXIT.done : code
    },
    (thrown: unknown) => {
      throw thrown
    },
  )
