import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import type { Problem } from '../../shared/result.ts'
import { createListFile, type FoundList, type ListReminder } from './list-file.ts'

/** A list that nobody else has, in two files of the same content, so that no single file that is lost takes it along. */
export interface ListPair<Entry> {
  /** As it was found. */
  readonly entries: readonly Entry[]
  /** What became of the files since they were written; null where they are as they were left. */
  readonly harm: Problem | null
  /** The first file decides: what it has taken is kept, and the second one catches up. @throws what the disk throws */
  readonly write: (entries: readonly Entry[]) => void
}

/** What a person is told of files that are not as they were left. */
interface HarmWords {
  /** Both are gone, and held something. */
  readonly missing: string
  /** Neither is whole. */
  readonly lost: string
  /** One of them is not whole, and the other one is. */
  readonly mended: string
}

const harmOf = <Entry>(
  first: FoundList<Entry>,
  second: FoundList<Entry>,
  isExpected: boolean,
): keyof HarmWords | null => {
  if (first.state === 'missing' && second.state === 'missing') return isExpected ? 'missing' : null
  if (first.state !== 'whole' && second.state !== 'whole') return 'lost'
  // An end between the very first two writes leaves the second file out.
  return first.state === 'whole' && second.state !== 'damaged' ? null : 'mended'
}

/**
 * Opens a list that is kept in `NAME.json` and `NAME-second.json` of a folder. Damaged files are set aside, and what could
 * be read of them is written anew.
 * @param list `tidy` takes out what is in the list twice; `report` is given what was thrown where a second copy cannot be
 * made
 */
export const openListPair = <Entry>(
  directory: string,
  list: {
    readonly name: string
    readonly schema: z.ZodType<Entry>
    readonly tidy: (entries: readonly Entry[]) => readonly Entry[]
    readonly words: HarmWords
    readonly report: (thrown: unknown) => void
    readonly reminder: ListReminder
  },
): ListPair<Entry> => {
  const { name, schema, tidy, words, report, reminder } = list
  const paths = [join(directory, `${name}.json`), join(directory, `${name}-second.json`)] as const
  const [first, second] = [createListFile(paths[0], name, schema), createListFile(paths[1], name, schema)] as const
  const found = [first.read(), second.read()] as const
  const harm = harmOf(...found, reminder.stands())
  const whole = found.find(({ state }) => state === 'whole')
  const entries = tidy(whole?.entries ?? found.flatMap((each) => each.entries))

  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (thrown) {
      report(thrown)
    }
  }
  const write = (next: readonly Entry[]): void => {
    first.write(next)
    attempt(() => second.write(next))
    attempt(() => reminder.remember(next.length > 0))
  }
  if (found[0].state !== found[1].state || harm !== null) {
    const now = new Date().toISOString().replace(/[:.]/g, '-')
    found.forEach(({ state }, index) => {
      const path = paths[index]
      if (state !== 'damaged' || path === undefined) return
      attempt(() => renameSync(path, path.replace(/\.json$/, `.set-aside-${now}.json`)))
    })
    attempt(() => write(entries))
  }
  return { entries, harm: harm === null ? null : { code: 'storage_failed', message: words[harm] }, write }
}
