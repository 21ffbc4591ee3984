/** The manual page in roff (man 7). */
import { COMMON, type About, type Option } from './command.ts'
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
const roff = (text: string): string =>
  text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replace(/^[.']/gm, String.raw`\&$&`)

const optionLines = (options: Readonly<Record<string, Option>>): readonly string[] =>
  Object.entries(options).flatMap(([name, { value, choices, help }]) => {
    const named = choices?.join('|') ?? value
    return ['.TP', `.B \\-\\-${roff(name)}${named === undefined ? '' : `\n.I ${roff(named)}`}`, roff(help)]
  })

const commandLines = ({ name, words, summary, options }: About): readonly string[] => [
  `.SS ${roff(`${name} ${words}`.trim())}`,
  roff(summary),
  ...optionLines(options),
]

export const manualPage = (commands: readonly About[]): readonly string[] => [
  '.TH LINNET 1',
  '.SH NAME',
  roff('linnet - mail on the command line'),
  '.SH SYNOPSIS',
  '.B linnet',
  '.I command',
  '[options]',
  '.SH DESCRIPTION',
  roff(
    'Reads, searches, organises and writes the mail that Linnet stores on this computer. Reading needs no network and no API key. Changes are made by the running Linnet, or wait in its outbox until you start it.',
  ),
  '.SH COMMANDS',
  ...commands.flatMap(commandLines),
  '.SH OPTIONS',
  ...optionLines(COMMON),
  '.SH EXIT STATUS',
  ...EXIT_DESCRIPTIONS.flatMap(([code, words]) => ['.TP', `.B ${code}`, roff(words)]),
  '.SH ENVIRONMENT',
  '.TP',
  '.B LINNET_BASE_URL, LINNET_API_KEY',
  roff('The platform’s address and API key, for commands that send or download while Linnet is not running.'),
]
