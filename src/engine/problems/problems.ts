import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { PROBLEM_CODES, type Problem, type StandingProblem } from '../../shared/result.ts'

/** More than a person reads; the oldest ones make room. */
const MOST = 20

/** What a person should know until they put it away: state that a window reads whenever it is there to read it. */
export interface Problems {
  /** Oldest first. */
  readonly list: () => readonly StandingProblem[]
  /**
   * Keeps a problem until it is dismissed or over. One of the same ID takes the place of the one before. It is raised
   * when it begins, not each time it is met again: a dismissed one would come back.
   */
  readonly raise: (problem: Problem & { readonly id: string }) => void
  /** The problem is over: nobody needs to know any more. */
  readonly clear: (id: string) => void
}

const kept = z.object({
  id: z.string().min(1),
  code: z.enum(PROBLEM_CODES),
  message: z.string().min(1),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  at: z.number(),
})

const digestOf = (entries: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(entries)).digest('hex').slice(0, 32)

/** The file; before this custom it was the list alone. */
const envelope = z.object({ digest: z.string(), problems: z.array(z.unknown()) })

/** What takes the place of notes that cannot be read any more. */
const DAMAGED: Problem & { readonly id: string } = {
  id: 'problems-damaged',
  code: 'storage_failed',
  message:
    'What Linnet had noted for you here was damaged, and some of it may be missing. Look through what you changed last.',
}

/** Nothing that is told here may stand in the way of the mail itself: what cannot be read is dropped, and that is told. */
const read = (
  file: string,
  isExpected: boolean,
): { readonly problems: readonly StandingProblem[]; readonly isDamaged: boolean } => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (thrown) {
    const isMissing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'
    return { problems: [], isDamaged: isExpected || !isMissing }
  }
  try {
    const content: unknown = JSON.parse(text)
    const whole = envelope.safeParse(content).data
    const entries: readonly unknown[] = Array.isArray(content) ? content : (whole?.problems ?? [])
    const problems = entries.flatMap((entry) => kept.safeParse(entry).data ?? [])
    const isAsWritten = Array.isArray(content) || whole?.digest === digestOf(entries)
    return { problems: problems.slice(-MOST), isDamaged: !isAsWritten || problems.length < entries.length }
  } catch {
    return { problems: [], isDamaged: true }
  }
}

/** Writes a file so that an end at any moment leaves the old one or the new one, whole. */
const writeWhole = (file: string, text: string): void => {
  const next = `${file}.next`
  const descriptor = openSync(next, 'w', 0o600)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(next, file)
}

/** Whether any problem stands, remembered in another place than the file: a file that was deleted says nothing. */
export interface ProblemReminder {
  readonly stands: () => boolean
  readonly remember: (stands: boolean) => void
}

/**
 * The standing problems of an account, kept in a file of their own so that a restart does not end them.
 * @param changed called after each change
 * @param report is given what was thrown where the file cannot be written; the list goes on without it
 */
export const openProblems = (
  file: string,
  changed: () => void,
  report: (thrown: unknown) => void,
  reminder: ProblemReminder,
): Problems => {
  const found = read(file, reminder.stands())
  let problems = found.problems

  const keep = (next: readonly StandingProblem[]): void => {
    problems = next
    try {
      if (next.length === 0) rmSync(file, { force: true, recursive: true })
      else writeWhole(file, JSON.stringify({ digest: digestOf(next), problems: next }))
      reminder.remember(next.length > 0)
    } catch (thrown) {
      report(thrown)
    }
    changed()
  }
  const without = (id: string): readonly StandingProblem[] => problems.filter((problem) => problem.id !== id)

  const raise: Problems['raise'] = (problem) =>
    keep([...without(problem.id), { ...problem, at: Date.now() }].slice(-MOST))
  if (found.isDamaged) raise(DAMAGED)

  return {
    list: () => problems,
    raise,
    clear: (id) => {
      if (problems.some((problem) => problem.id === id)) keep(without(id))
    },
  }
}
