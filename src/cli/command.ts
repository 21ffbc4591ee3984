import { parseArgs } from 'node:util'
import { toVisibleText } from '../shared/visible-text.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

/** An option, as parsed and as shown in help, completions and the manual. */
export interface CommandOption {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  readonly default?: string | boolean
  readonly help: string
  /** Placeholder for its value, such as `FILE`. */
  readonly value?: string
  readonly choices?: readonly string[]
}

export const COMMON_OPTIONS = {
  data: { type: 'string', value: 'DIR', help: 'Linnet’s data folder, if not the default' },
  account: {
    type: 'string',
    value: 'NAME',
    help: 'an account: its name, ID, platform address, or the address of an inbox',
  },
  help: { type: 'boolean', help: 'show how to use the command' },
} as const satisfies Readonly<Record<string, CommandOption>>

type Options = Readonly<Record<string, CommandOption>>

const parseCommandLine = <const Own extends Options>(args: readonly string[], options: Own) =>
  parseArgs({ args: [...args], options: { ...COMMON_OPTIONS, ...options }, allowPositionals: true, strict: true })

export type ParsedArguments<Own extends Options> = ReturnType<typeof parseCommandLine<Own>>

export interface CommandDescription {
  readonly name: string
  /** Arguments after the name, such as `QUERY`; empty for none. */
  readonly words: string
  readonly summary: string
  readonly options: Options
  /** True if `words` is a path, which may contain any character. */
  readonly isPath?: boolean
}

export interface Command extends CommandDescription {
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<ExitCode>
}

/** Usage line, such as `search QUERY [--limit N]`. */
const usageOf = ({ name, words, options }: CommandDescription): string =>
  [
    name,
    ...(words === '' ? [] : [words]),
    ...Object.entries(options).map(([option, { value, choices, multiple }]) => {
      const named = choices?.join('|') ?? value
      return `[--${option}${named === undefined ? '' : ` ${named}`}]${multiple === true ? '…' : ''}`
    }),
  ].join(' ')

export const formatHelp = (about: CommandDescription): readonly string[] => {
  const options: Options = { ...about.options, ...COMMON_OPTIONS }
  const rows = Object.entries(options).map(([name, { value, choices, help }]) => {
    const named = value ?? (choices === undefined ? undefined : 'NAME')
    return [
      `  --${name}${named === undefined ? '' : ` ${named}`}`,
      choices === undefined ? help : `${help}: ${choices.join(', ')}`,
    ] as const
  })
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return [
    `usage: linnet ${usageOf(about)}`,
    `  ${about.summary}`,
    '',
    ...rows.map(([left, right]) => left.padEnd(width) + right),
  ]
}

const isBlank = (text: string): boolean => toVisibleText(text).replaceAll(/[\s\ufffd]/gu, '') === ''

/** Returns what is wrong, or null. Rejects blank values: an unset shell variable must never mean “all”. */
const faultOf = (
  { isPath = false }: Pick<CommandDescription, 'isPath'>,
  { values, positionals }: { readonly values: object; readonly positionals: readonly string[] },
): string | null => {
  for (const [name, value] of Object.entries(values) as readonly (readonly [string, unknown])[]) {
    if ([value].flat().some((each) => typeof each === 'string' && isBlank(each))) return `--${name} is empty.`
  }
  for (const word of positionals) {
    if (isBlank(word)) return 'An argument is empty.'
    if (!isPath && word.split('"').length % 2 === 0) return `A closing quote is missing: ${word}`
  }
  return null
}

/** Wrong arguments. Commands report it with their usage. */
export class UsageError extends Error {}

/** Defines a command that reports wrong arguments and its usage. */
export const defineCommand = <const Own extends Options>(
  about: CommandDescription & { readonly options: Own },
  run: (typed: ParsedArguments<Own>, terminal: Terminal) => Promise<ExitCode>,
): Command => {
  const parse = (args: readonly string[]): ParsedArguments<Own> => {
    let typed: ParsedArguments<Own>
    try {
      typed = parseCommandLine(args, about.options)
    } catch (thrown) {
      throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown))
    }
    const fault = faultOf(about, typed)
    if (fault !== null) throw new UsageError(fault)
    return typed
  }
  return {
    ...about,
    run: async (args, terminal) => {
      try {
        return await run(parse(args), terminal)
      } catch (thrown) {
        if (!(thrown instanceof UsageError)) throw thrown
        throw new CommandError(thrown.message, EXIT.usage, ['', ...formatHelp(about)])
      }
    },
  }
}
