import { COMMON_OPTIONS, type CommandDescription, type CommandOption } from './command.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

const optionsOf = ({ options }: CommandDescription): readonly (readonly [string, CommandOption])[] =>
  Object.entries({ ...options, ...COMMON_OPTIONS })

/** Commands about the command line itself rather than mail. */
const META_COMMANDS: readonly (readonly [string, string])[] = [
  ['help', 'show how to use a command'],
  ['manual', 'print the manual page'],
  ['schema', 'print the JSON Schema of --json output'],
  ['completion', 'print completions for a shell'],
]
const namesOf = (commands: readonly CommandDescription[]): readonly (readonly [string, string])[] => [
  ...commands.map(({ name, summary }) => [name, summary] as const),
  ...META_COMMANDS,
]

const kindOf = ({ value, choices }: CommandOption): 'file' | 'folder' | 'choice' | 'text' =>
  choices !== undefined ? 'choice' : value === 'FILE' ? 'file' : value === 'DIR' ? 'folder' : 'text'

const generateBash = (commands: readonly CommandDescription[]): readonly string[] => {
  const values = commands.flatMap((command) =>
    optionsOf(command).flatMap(([name, option]) => {
      if (option.type === 'boolean') return []
      const kind = kindOf(option)
      const offered =
        kind === 'choice'
          ? `-W '${option.choices?.join(' ') ?? ''}'`
          : kind === 'file'
            ? '-f'
            : kind === 'folder'
              ? '-d'
              : "-W ''"
      return [`    ${command.name}:--${name}) COMPREPLY=($(compgen ${offered} -- "$current")); return ;;`]
    }),
  )
  return [
    '_linnet() {',
    '  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words=',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W '${namesOf(commands)
      .map(([name]) => name)
      .join(' ')}' -- "$current"))`,
    '    return',
    '  fi',
    '  case $command:$previous in',
    ...values,
    '  esac',
    '  case $command in',
    ...commands.map(
      (command) =>
        `    ${command.name}) words='${optionsOf(command)
          .map(([name]) => `--${name}`)
          .join(' ')}' ;;`,
    ),
    `    help) words='${commands.map(({ name }) => name).join(' ')}' ;;`,
    `    completion) words='${SHELLS.join(' ')}' ;;`,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -F _linnet linnet',
  ]
}

/** Single-quotes a text for a shell. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
const escapeZsh = (text: string): string => text.replace(/[[\]:\\]/g, String.raw`\$&`)

const generateZsh = (commands: readonly CommandDescription[]): readonly string[] => [
  '#compdef linnet',
  '_linnet() {',
  '  local -a commands',
  '  commands=(',
  ...namesOf(commands).map(([name, summary]) => `    ${quoteForShell(`${name}:${escapeZsh(summary)}`)}`),
  '  )',
  '  if (( CURRENT == 2 )); then',
  '    _describe command commands',
  '    return',
  '  fi',
  '  local command=$words[2]',
  '  shift words',
  '  (( CURRENT-- ))',
  '  case $command in',
  ...commands.flatMap((command) => [
    `    ${command.name})`,
    `      _arguments ${optionsOf(command)
      .map(([name, option]) => {
        const many = option.multiple === true ? '*' : ''
        const offered = {
          file: ':file:_files',
          folder: ':folder:_files -/',
          choice: `:value:(${option.choices?.join(' ') ?? ''})`,
          text: ':value:',
        }
        return quoteForShell(
          `${many}--${name}[${escapeZsh(option.help)}]${option.type === 'boolean' ? '' : offered[kindOf(option)]}`,
        )
      })
      .join(' ')}`,
    '      ;;',
  ]),
  `    help) _values command ${commands.map(({ name }) => name).join(' ')} ;;`,
  `    completion) _values shell ${SHELLS.join(' ')} ;;`,
  '  esac',
  '}',
  'compdef _linnet linnet',
]

const generateFish = (commands: readonly CommandDescription[]): readonly string[] => [
  'complete -c linnet -f',
  ...namesOf(commands).map(
    ([name, summary]) => `complete -c linnet -n __fish_use_subcommand -a ${name} -d ${quoteForShell(summary)}`,
  ),
  ...commands.flatMap((command) =>
    optionsOf(command).map(([name, option]) => {
      const offered = {
        file: ' -r -F',
        folder: ` -x -a '(__fish_complete_directories)'`,
        choice: ` -x -a ${quoteForShell(option.choices?.join(' ') ?? '')}`,
        text: ' -x',
      }
      const value = option.type === 'boolean' ? '' : offered[kindOf(option)]
      return `complete -c linnet -n '__fish_seen_subcommand_from ${command.name}' -l ${name}${value} -d ${quoteForShell(option.help)}`
    }),
  ),
  `complete -c linnet -n '__fish_seen_subcommand_from help' -a ${quoteForShell(commands.map(({ name }) => name).join(' '))}`,
  `complete -c linnet -n '__fish_seen_subcommand_from completion' -a ${quoteForShell(SHELLS.join(' '))}`,
]

const GENERATORS: Readonly<Record<Shell, (commands: readonly CommandDescription[]) => readonly string[]>> = {
  bash: generateBash,
  zsh: generateZsh,
  fish: generateFish,
}

export const formatCompletionScript = (shell: Shell, commands: readonly CommandDescription[]): readonly string[] =>
  GENERATORS[shell](commands)
