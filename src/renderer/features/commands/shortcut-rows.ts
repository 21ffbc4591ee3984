import { COMMAND_GROUPS, type Command } from '../../kernel/commands.ts'
import { matchEntry } from './rank-entries.ts'

export interface ShortcutRow {
  readonly id: string
  readonly name: string
  /** Further search terms. */
  readonly words: string
  /** In sequence, named as in `nameChord`. `1–9` means any of these digits. */
  readonly keys: readonly string[]
}

export interface ShortcutGroup {
  readonly group: (typeof COMMAND_GROUPS)[number]
  readonly rows: readonly ShortcutRow[]
}

const NUMBER = /\d$/

/** Merges commands that differ only by a number, if their keys do too. */
const mergeNumberedRows = (rows: readonly ShortcutRow[]): readonly ShortcutRow[] => {
  const shapeOf = ({ name, keys }: ShortcutRow): string =>
    JSON.stringify([name, ...keys].map((each) => each.replace(NUMBER, '')))
  return [...Map.groupBy(rows, shapeOf).values()].flatMap((alike) => {
    const [first, last] = [alike[0], alike.at(-1)]
    if (first === undefined || last === undefined || alike.length === 1) return alike
    const span = `${NUMBER.exec(first.name)?.[0]}–${NUMBER.exec(last.name)?.[0]}`
    const spanned = (text: string): string => text.replace(NUMBER, span)
    return [{ ...first, name: spanned(first.name), keys: first.keys.map(spanned) }]
  })
}

/** Rows of the shortcut list, by group. @param typed each word must start a word of the row */
export const buildShortcutGroups = (
  commands: readonly Command[],
  keysOf: (command: Command) => readonly string[],
  typed: string,
): readonly ShortcutGroup[] =>
  COMMAND_GROUPS.map((group) => {
    const rows = commands
      .filter((command) => command.group === group && keysOf(command).length > 0)
      .map((command) => ({
        id: command.id,
        name: command.name,
        words: `${command.words} ${group}`,
        keys: keysOf(command),
      }))
    return {
      group,
      rows: mergeNumberedRows(rows).filter((row) => typed.trim() === '' || matchEntry(row, typed)?.missing === 0),
    }
  }).filter(({ rows }) => rows.length > 0)
