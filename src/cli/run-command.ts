/** Linnet's command line: the same mail and engine as the window. */
import manifest from '../../package.json' with { type: 'json' }
import { ProblemError } from '../shared/result.ts'
import { COMMON_OPTIONS, formatHelp, type Command } from './command.ts'
import { COMMANDS } from './commands.ts'
import { SHELLS, formatCompletionScript } from './completions.ts'
import { EXIT_DESCRIPTIONS, formatManualPage } from './manual.ts'
import { CommandError, EXIT, Terminal, type ExitCode } from './terminal.ts'

const column = (rows: readonly (readonly [string, string])[]): readonly string[] => {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`)
}

const USAGE = [
  'usage: linnet COMMAND [--data DIR] [--account NAME]',
  '',
  ...column([
    ...COMMANDS.map(({ name, words, summary }): readonly [string, string] => [`${name} ${words}`, summary]),
    ['help [COMMAND]', 'show how to use a command'],
    ['version', 'print Linnet’s version'],
    ['manual', 'print all of this as a manual page: linnet manual > linnet.1'],
    ['schema', 'print the JSON Schema of --json output'],
    ['completion SHELL', `print completions for ${SHELLS.join(', ')}`],
  ]),
  '',
  'Search as in Linnet’s window: from:ann has:attachment newer_than:7d "two words" -not',
  '',
  ...column(
    Object.entries(COMMON_OPTIONS).map(([name, option]) => [
      `--${name}${'value' in option ? ` ${option.value}` : ''}`,
      option.help,
    ]),
  ),
  '',
  `Exit codes: ${EXIT_DESCRIPTIONS.map(([code, words]) => `${code} ${words}`).join(', ')}.`,
]

const usageError = (message: string): CommandError => new CommandError(message, EXIT.usage, ['', ...USAGE])

const find = (name: string): Command => {
  const command = COMMANDS.find((each) => each.name === name)
  if (command === undefined) throw usageError(`There is no command “${name}”.`)
  return command
}

const printAll = (lines: readonly string[], terminal: Terminal): ExitCode => {
  for (const line of lines) terminal.print(line)
  return EXIT.done
}

const printSchema = async (terminal: Terminal): Promise<ExitCode> => {
  const { createJsonSchema: jsonSchema } = await import('./json-lines.ts')
  terminal.print(JSON.stringify(jsonSchema(), null, 2))
  return EXIT.done
}

/** Maximum arguments of the commands about the command line itself. */
const MAX_ARGUMENTS: ReadonlyMap<string, number> = new Map([
  ...['version', '--version', 'manual', 'schema'].map((name) => [name, 0] as const),
  ...['help', '--help', 'completion'].map((name) => [name, 1] as const),
])

const run = ([name, ...args]: readonly string[], terminal: Terminal): Promise<ExitCode> | ExitCode => {
  if (name === undefined) throw usageError('Choose a command.')
  if (args.length > (MAX_ARGUMENTS.get(name) ?? args.length)) throw usageError(`Too many arguments for ${name}.`)
  const [word = ''] = args
  if (name === '--help' || name === 'help')
    return printAll(args.length === 0 ? USAGE : formatHelp(find(word)), terminal)
  if (name === 'version' || name === '--version') return printAll([`linnet ${manifest.version}`], terminal)
  if (name === 'manual') return printAll(formatManualPage(COMMANDS), terminal)
  if (name === 'schema') return printSchema(terminal)
  if (name === 'completion') {
    const shell = SHELLS.find((each) => each === word)
    if (shell === undefined) throw usageError(`completion takes ${SHELLS.join(', ')}, not “${word}”.`)
    return printAll(formatCompletionScript(shell, COMMANDS), terminal)
  }
  const command = find(name)
  if (args.includes('--help')) return printAll(formatHelp(command), terminal)
  return command.run(args, terminal)
}

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

/** Runs a command and waits for its output, since Electron exits without flushing. @returns the process's exit code */
export const runCommand = async (args: readonly string[]): Promise<ExitCode> => {
  const terminal = new Terminal(process)
  let code: ExitCode
  try {
    code = await run(args, terminal)
  } catch (thrown) {
    code = fail(thrown, terminal)
  }
  await terminal.written()
  return terminal.isOver ? EXIT.done : code
}
