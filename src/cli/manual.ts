/** The manual page in roff (man 7). */
import { COMMON_OPTIONS, type CommandDescription, type CommandOption } from './command.ts'
import { EXIT } from './terminal.ts'

export const EXIT_DESCRIPTIONS: readonly (readonly [number, string])[] = [
  [EXIT.done, 'done'],
  [EXIT.failed, 'failed'],
  [EXIT.usage, 'usage error'],
  [EXIT.nothing, 'nothing found'],
  [EXIT.busy, 'another copy of Linnet has the account open'],
  [EXIT.interrupted, 'interrupted'],
]

/** Escapes text for roff, where backslashes, hyphens and leading dots are special. */
const escapeRoff = (text: string): string =>
  text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replace(/^[.']/gm, String.raw`\&$&`)

const optionLines = (options: Readonly<Record<string, CommandOption>>): readonly string[] =>
  Object.entries(options).flatMap(([name, { value, choices, help }]) => {
    const named = choices?.join('|') ?? value
    return [
      '.TP',
      `.B \\-\\-${escapeRoff(name)}${named === undefined ? '' : `\n.I ${escapeRoff(named)}`}`,
      escapeRoff(help),
    ]
  })

const commandLines = ({ name, words, summary, options }: CommandDescription): readonly string[] => [
  `.SS ${escapeRoff(`${name} ${words}`.trim())}`,
  escapeRoff(summary),
  ...optionLines(options),
]

export const formatManualPage = (commands: readonly CommandDescription[]): readonly string[] => [
  '.TH LINNET 1',
  '.SH NAME',
  escapeRoff('linnet - mail on the command line'),
  '.SH SYNOPSIS',
  '.B linnet',
  '.I command',
  '[options]',
  '.SH DESCRIPTION',
  escapeRoff(
    'Reads, searches, organises and writes the mail that Linnet stores on this computer. Reading needs no network and no API key. Changes are made by the running Linnet, or wait in its outbox until you start it.',
  ),
  '.SH COMMANDS',
  ...commands.flatMap(commandLines),
  '.SH OPTIONS',
  ...optionLines(COMMON_OPTIONS),
  '.SH EXIT STATUS',
  ...EXIT_DESCRIPTIONS.flatMap(([code, words]) => ['.TP', `.B ${code}`, escapeRoff(words)]),
  '.SH ENVIRONMENT',
  '.TP',
  '.B LINNET_BASE_URL, LINNET_API_KEY',
  escapeRoff('The platform’s address and API key, for commands that send or download while Linnet is not running.'),
]
