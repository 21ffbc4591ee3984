/** All commands, with their text for help, completions and the manual. */
import { extname } from 'node:path'
import type { SearchableList } from '../shared/email-query.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../shared/export.ts'
import { parseFutureTime } from '../shared/time-expressions.ts'
import { MOVE_TARGETS } from '../shared/model.ts'
import { chooseAccount, findAccounts, chooseDataDirectory, listAccounts, type LocalAccount } from './local-accounts.ts'
import type { ChangeOptions, ThreadChangeInput } from './change-threads.ts'
import type { ThreadChoice } from './choose-threads.ts'
import { defineCommand, UsageError, type Command, type ParsedArguments } from './command.ts'
import type { ExitCode, Terminal } from './terminal.ts'

const readInput = async (): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of process.stdin) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

const LISTS = ['threads', 'received', 'sent'] as const satisfies readonly SearchableList[]
const MAX_ROWS = 1_000_000

const json = { type: 'boolean', default: false, help: 'one JSON object per line' } as const
const inbox = { type: 'string', value: 'ADDRESS', help: 'only this inbox' } as const

interface AccountSelection {
  readonly data?: string | undefined
  readonly account?: string | undefined
}
const selectAccounts = ({ data, account }: AccountSelection): readonly LocalAccount[] =>
  findAccounts(listAccounts(chooseDataDirectory(data)), account)
const selectAccount = ({ data, account }: AccountSelection): LocalAccount =>
  chooseAccount(listAccounts(chooseDataDirectory(data)), account)

/** Returns the only argument. @throws UsageError if it is missing, or there are more */
const requireOneArgument = (positionals: readonly string[], what: string): string => {
  const [only, ...others] = positionals
  if (only !== undefined && others.length === 0) return only
  throw new UsageError(only === undefined ? `${what} is missing.` : `Put quotes around ${what}: it is one argument.`)
}

const parseLimit = (typed: string): number => {
  const limit = Number(typed)
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_ROWS) return limit
  throw new UsageError(`--limit takes a number from 1 to ${MAX_ROWS}, not “${typed}”.`)
}

const parseChoice = <Choice extends string>(typed: string, option: string, choices: readonly Choice[]): Choice => {
  const choice = choices.find((each) => each === typed)
  if (choice !== undefined) return choice
  const listed = choices.length > 1 ? `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}` : choices[0]
  throw new UsageError(`--${option} takes ${listed}, not “${typed}”.`)
}

/** Takes the format from the option or the file's extension. @throws UsageError */
const resolveFormat = (typed: string | undefined, file: string): ExportFormat => {
  if (typed !== undefined) return parseChoice(typed, 'format', EXPORT_FORMATS)
  const format = EXPORT_FORMATS.find((known) => known === extname(file).slice(1).toLowerCase())
  if (format !== undefined) return format
  throw new UsageError('Choose the format with --format or the file’s extension: .mbox, .zip or .jsonl.')
}

/** Parses a future time in words. @throws UsageError if it can't be parsed or is past */
const parseTimeOption = (typed: string, option: string): number => {
  const now = Date.now()
  const at = parseFutureTime(typed, now)
  if (at !== null && at > now) return at
  throw new UsageError(
    `--${option} takes a future time, such as “tomorrow 9:00”, “3 days” or “2030-12-24 18:00”, not “${typed}”.`,
  )
}

/** Arguments that choose threads; `-` reads IDs from the standard input, one per line. */
const readThreadChoice = async (positionals: readonly string[]): Promise<Pick<ThreadChoice, 'words' | 'areIds'>> => {
  if (positionals.length === 0) throw new UsageError('A search or an ID is missing.')
  if (!positionals.includes('-')) return { words: positionals, areIds: false }
  if (positionals.length > 1) throw new UsageError('Use “-” alone: it reads IDs from standard input.')
  const words = (await readInput()).split(/\s+/u).filter((word) => word !== '')
  if (words.length > 0) return { words, areIds: true }
  throw new UsageError('No IDs on standard input.')
}

const changeOptions = {
  inbox: { ...inbox, help: 'search only this inbox' },
  'dry-run': { type: 'boolean', default: false, help: 'list what would change, but change nothing' },
  json,
} as const

const changeChosen = async (
  { values, positionals }: Pick<ParsedArguments<typeof changeOptions>, 'values' | 'positionals'>,
  what: Pick<ChangeOptions, 'change' | 'done' | 'makesLabels'>,
  terminal: Terminal,
): Promise<ExitCode> => {
  const chosen = await readThreadChoice(positionals)
  const { changeThreads } = await import('./change-threads.ts')
  const { inbox: of, 'dry-run': isDryRun, json: isJson } = values
  return changeThreads(selectAccounts(values), { ...chosen, ...what, inbox: of, isDryRun, isJson }, terminal)
}

const changeCommand = (name: string, summary: string, done: string, change: ThreadChangeInput): Command =>
  defineCommand({ name, words: 'QUERY|ID…|-', summary, options: changeOptions }, (typed, terminal) =>
    changeChosen(typed, { change, done }, terminal),
  )

// Commands import their code on demand, so finding mail doesn't load the code for sending.
const readingCommands: readonly Command[] = [
  defineCommand(
    { name: 'accounts', words: '', summary: 'list the accounts on this computer', options: { json } },
    async ({ values, positionals }, terminal) => {
      if (positionals.length > 0) throw new UsageError('accounts takes no arguments.')
      const { listMailAccounts } = await import('./accounts.ts')
      return listMailAccounts(selectAccounts(values), values.json, terminal)
    },
  ),
  defineCommand(
    {
      name: 'search',
      words: 'QUERY',
      summary: 'search mail on this computer, newest first',
      options: {
        list: { type: 'string', default: 'threads', choices: LISTS, help: 'what to search' },
        inbox,
        limit: { type: 'string', default: '50', value: 'N', help: 'maximum number of results' },
        json,
      },
    },
    async ({ values, positionals }, terminal) => {
      const options = {
        text: requireOneArgument(positionals, 'the search query'),
        list: parseChoice(values.list, 'list', LISTS),
        limit: parseLimit(values.limit),
        isJson: values.json,
        inbox: values.inbox,
      }
      const { searchMail } = await import('./search.ts')
      return searchMail(selectAccounts(values), options, terminal)
    },
  ),
  defineCommand(
    {
      name: 'show',
      words: 'ID',
      summary: 'show a thread or a message',
      options: { json, raw: { type: 'boolean', default: false, help: 'print the original, byte for byte' } },
    },
    async ({ values, positionals }, terminal) => {
      if (values.json && values.raw) throw new UsageError('Use either --json or --raw, not both.')
      const id = requireOneArgument(positionals, 'the ID')
      const { showMail } = await import('./show.ts')
      return showMail(selectAccounts(values), { id, as: values.raw ? 'raw' : values.json ? 'json' : 'text' }, terminal)
    },
  ),
  defineCommand(
    {
      name: 'watch',
      words: 'QUERY',
      summary: 'print a line for each new match as it arrives',
      options: { inbox, json },
    },
    async ({ values, positionals }, terminal) => {
      const text = requireOneArgument(positionals, 'the search query')
      const { watchSearch } = await import('./watch.ts')
      return watchSearch(selectAccounts(values), { text, inbox: values.inbox, isJson: values.json }, terminal)
    },
  ),
  defineCommand(
    {
      name: 'open',
      words: 'ID|QUERY|LINK',
      summary: 'open a thread, a search or a link in Linnet’s window',
      options: {},
    },
    async ({ values, positionals }, terminal) => {
      const typed = requireOneArgument(positionals, 'what to open')
      const { openInWindow } = await import('./open-window.ts')
      return openInWindow(chooseDataDirectory(values.data), selectAccounts(values), typed, terminal)
    },
  ),
]

const sortingCommands: readonly Command[] = [
  changeCommand('archive', 'move threads to the archive', 'archived', { folder: 'archive' }),
  defineCommand(
    {
      name: 'move',
      words: 'QUERY|ID…|-',
      summary: 'move threads to a folder',
      options: { to: { type: 'string', choices: MOVE_TARGETS, help: 'the folder to move to' }, ...changeOptions },
    },
    async (typed, terminal) => {
      const { to } = typed.values
      if (to === undefined) throw new UsageError('Choose the folder with --to.')
      const folder = parseChoice(to, 'to', MOVE_TARGETS)
      return changeChosen(typed, { change: { folder }, done: `moved to ${folder}` }, terminal)
    },
  ),
  defineCommand(
    {
      name: 'label',
      words: 'QUERY|ID…|-',
      summary: 'add labels to threads, or remove them',
      options: {
        add: { type: 'string', multiple: true, value: 'LABEL', help: 'a label to add' },
        remove: { type: 'string', multiple: true, value: 'LABEL', help: 'a label to remove' },
        create: { type: 'boolean', default: false, help: 'create labels that an inbox does not have' },
        ...changeOptions,
      },
    },
    async (typed, terminal) => {
      const { add = [], remove = [], create: makesLabels } = typed.values
      if (add.length + remove.length === 0) throw new UsageError('Name a label with --add or --remove.')
      const trimmed = (names: readonly string[]): readonly string[] => names.map((name) => name.trim())
      const change = { addLabels: trimmed(add), removeLabels: trimmed(remove) }
      return changeChosen(typed, { change, done: 'labelled', makesLabels }, terminal)
    },
  ),
  changeCommand('read', 'mark threads as read', 'marked as read', { read: true }),
  changeCommand('unread', 'mark threads as unread', 'marked as unread', { read: false }),
  changeCommand('star', 'star threads', 'starred', { star: true }),
  changeCommand('unstar', 'remove the star from threads', 'unstarred', { star: false }),
  defineCommand(
    {
      name: 'snooze',
      words: 'QUERY|ID…|-',
      summary: 'hide threads until a time, or bring snoozed ones back',
      options: {
        until: {
          type: 'string',
          value: 'TIME',
          help: '“tomorrow 9:00”, “3 days”, “2030-12-24 18:00”; “now” brings them back',
        },
        ...changeOptions,
      },
    },
    async (typed, terminal) => {
      const { until } = typed.values
      if (until === undefined) throw new UsageError('Choose the time with --until.')
      const isBack = until === 'now'
      const snoozedUntil = isBack ? null : parseTimeOption(until, 'until')
      return changeChosen(typed, { change: { snoozedUntil }, done: isBack ? 'brought back' : 'snoozed' }, terminal)
    },
  ),
  defineCommand(
    { name: 'undo', words: 'CHANGE', summary: 'undo a change by its ID, which --json prints', options: {} },
    async ({ values, positionals }, terminal) => {
      const changeId = requireOneArgument(positionals, 'the ID of the change')
      const { undoChange } = await import('./change-threads.ts')
      return undoChange(selectAccounts(values), changeId, terminal)
    },
  ),
]

const writingCommands: readonly Command[] = [
  defineCommand(
    {
      name: 'draft',
      words: '',
      summary: 'save a message from standard input as a draft, and print its ID',
      options: {
        to: { type: 'string', multiple: true, value: 'ADDRESS', help: 'a recipient' },
        cc: { type: 'string', multiple: true, value: 'ADDRESS', help: 'a Cc recipient' },
        bcc: { type: 'string', multiple: true, value: 'ADDRESS', help: 'a Bcc recipient, hidden from the others' },
        subject: { type: 'string', value: 'TEXT', help: 'the subject' },
        reply: { type: 'string', value: 'ID', help: 'the thread or message to reply to' },
        all: { type: 'boolean', default: false, help: 'reply to all, not only to the sender' },
        attach: { type: 'string', multiple: true, value: 'FILE', help: 'a file to attach' },
        inbox: { ...inbox, help: 'the inbox to write from' },
        json,
      },
    },
    async ({ values, positionals }, terminal) => {
      if (positionals.length > 0)
        throw new UsageError('draft takes no arguments: it reads the message from standard input.')
      const { to = [], cc = [], bcc = [], attach = [], subject, reply, all: isToAll, json: isJson } = values
      if (isToAll && reply === undefined) throw new UsageError('--all goes with --reply.')
      const accounts = selectAccounts(values)
      const text = (await readInput()).trimEnd()
      const { writeDraft } = await import('./draft.ts')
      const options = { to, cc, bcc, attach, subject, reply, isToAll, inbox: values.inbox, isJson }
      return writeDraft(accounts, options, text, terminal)
    },
  ),
  defineCommand(
    {
      name: 'send',
      words: 'DRAFT',
      summary: 'send a draft',
      options: {
        yes: { type: 'boolean', default: false, help: 'send the draft; without this option, it is only shown' },
        'dry-run': { type: 'boolean', default: false, help: 'show the message, but send nothing' },
        at: { type: 'string', value: 'TIME', help: 'when to send it, such as “tomorrow 9:00”' },
        json,
      },
    },
    async ({ values, positionals }, terminal) => {
      const draftId = requireOneArgument(positionals, 'the ID of the draft')
      const at = values.at === undefined ? null : parseTimeOption(values.at, 'at')
      const { sendDraft } = await import('./send.ts')
      const options = { draftId, at, isSure: values.yes, isDryRun: values['dry-run'], isJson: values.json }
      return sendDraft(selectAccounts(values), options, terminal)
    },
  ),
]

const dataCommands: readonly Command[] = [
  defineCommand(
    {
      name: 'export',
      words: '[QUERY]',
      summary: 'save mail to a file',
      options: {
        to: { type: 'string', value: 'FILE', help: 'the file to write' },
        folder: { type: 'string', value: 'NAME', help: 'export a folder instead of a search' },
        everything: { type: 'boolean', default: false, help: 'export all mail' },
        contacts: {
          type: 'boolean',
          default: false,
          help: 'export the contacts as CSV, to standard output unless --to is given',
        },
        format: { type: 'string', choices: EXPORT_FORMATS, help: 'default: by the file’s extension' },
        inbox,
        fetch: { type: 'boolean', default: false, help: 'download missing mail first' },
        replace: { type: 'boolean', default: false, help: 'replace an existing file' },
        json,
      },
    },
    async ({ values, positionals }, terminal) => {
      const { to, folder, inbox: of, json: isJson, replace: canReplace } = values
      const account = (): LocalAccount => selectAccount(values)
      const { exportContacts, exportMail, parseFolderOption: readFolder } = await import('./export.ts')
      const wanted = [positionals.length > 0, folder !== undefined, values.everything, values.contacts]
      if (wanted.filter(Boolean).length !== 1) {
        throw new UsageError('Choose what to export: a search, --folder NAME, --everything or --contacts.')
      }
      if (values.contacts) {
        const isOdd = values.fetch || isJson || values.format !== undefined || of !== undefined
        if (isOdd) throw new UsageError('--contacts takes only --to and --replace.')
        return exportContacts(account(), { path: to, canReplace }, terminal)
      }
      if (to === undefined) throw new UsageError('Choose the file with --to FILE.')
      const options = {
        mail: values.everything
          ? ({ kind: 'everything' } as const)
          : folder !== undefined
            ? ({ kind: 'folder', folder: readFolder(folder) } as const)
            : ({ kind: 'search', text: requireOneArgument(positionals, 'the search query') } as const),
        ...{ path: to, format: resolveFormat(values.format, to), inbox: of, canReplace, isJson },
      }
      if (!values.fetch) return exportMail(account(), options, terminal)
      const { exportWithFetch: exportFetching } = await import('./export-with-fetch.ts')
      return exportFetching(account(), options, terminal)
    },
  ),
  defineCommand(
    {
      name: 'sync',
      words: '',
      summary: 'download and send mail, using LINNET_BASE_URL and LINNET_API_KEY',
      options: { once: { type: 'boolean', default: false, help: 'sync once, then exit (required)' } },
    },
    async ({ values, positionals }, terminal) => {
      if (!values.once || positionals.length > 0)
        throw new UsageError('Use sync --once. Linnet’s window syncs continuously.')
      const account = selectAccount(values)
      const { syncOnce } = await import('./sync.ts')
      return syncOnce(account, terminal)
    },
  ),
  defineCommand(
    {
      name: 'backup',
      words: '[FOLDER]',
      isPath: true,
      summary: 'back up the account to a folder',
      options: { json },
    },
    async ({ values, positionals }, terminal) => {
      const folder = positionals.length === 0 ? undefined : requireOneArgument(positionals, 'the folder')
      const account = selectAccount(values)
      const { backUpAccount: backUp } = await import('./backup.ts')
      return backUp(account, folder, values.json, terminal)
    },
  ),
  defineCommand(
    {
      name: 'restore',
      words: 'BACKUP',
      isPath: true,
      summary: 'restore an account from a backup into the folder given by --data',
      options: { replace: { type: 'boolean', default: false, help: 'replace the account if it already exists' } },
    },
    async ({ values, positionals }, terminal) => {
      if (values.data === undefined) throw new UsageError('Name the data folder to restore into with --data.')
      const { restoreAccount: restore } = await import('./backup.ts')
      return restore(requireOneArgument(positionals, 'the backup folder'), values.data, values.replace, terminal)
    },
  ),
]

const serverCommands: readonly Command[] = [
  defineCommand(
    {
      name: 'mcp',
      words: '',
      summary: 'let assistants read the mail you allow, over the Model Context Protocol',
      options: {},
    },
    async ({ values: { data, account }, positionals }, _terminal) => {
      if (positionals.length > 0)
        throw new UsageError('mcp takes no arguments. It is meant to be started by an assistant app.')
      const { runMcpServer: serveAssistant } = await import('./mcp/serve.ts')
      return serveAssistant(chooseDataDirectory(data), account)
    },
  ),
]

export const COMMANDS: readonly Command[] = [
  ...readingCommands,
  ...sortingCommands,
  ...writingCommands,
  ...dataCommands,
  ...serverCommands,
]
