import { rmSync } from 'node:fs'
import { z } from 'zod'
import { PROBLEM_CODES, type Problem, type StandingProblem } from '../../shared/result.ts'
import { createListFile, type ListReminder } from '../store/list-file.ts'
import { systemClock } from '../timing/clock.ts'

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

const kept: z.ZodType<StandingProblem> = z.object({
  id: z.string().min(1),
  code: z.enum(PROBLEM_CODES),
  message: z.string().min(1),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  at: z.number(),
})

/** What takes the place of notes that cannot be read any more. */
const DAMAGED: Problem & { readonly id: string } = {
  id: 'problems-damaged',
  code: 'storage_failed',
  message: 'Linnet’s list of problems was damaged and may be incomplete. Check your latest changes.',
}

/**
 * The standing problems of an account, kept in a file of their own so that a restart does not end them. Nothing that is
 * told here may stand in the way of the mail itself: what cannot be read is dropped, and that is told.
 * @param changed called after each change
 * @param report is given what was thrown where the file cannot be written; the list goes on without it
 */
export const openProblems = (
  file: string,
  changed: () => void,
  report: (thrown: unknown) => void,
  reminder: ListReminder,
  now: () => number = systemClock.now,
): Problems => {
  const inFile = createListFile(file, 'problems', kept)
  const found = inFile.read()
  let problems: readonly StandingProblem[] = found.entries.slice(-MOST)

  const keep = (next: readonly StandingProblem[]): void => {
    problems = next
    try {
      if (next.length === 0) rmSync(file, { force: true, recursive: true })
      else inFile.write(next)
      reminder.remember(next.length > 0)
    } catch (thrown) {
      report(thrown)
    }
    changed()
  }
  const without = (id: string): readonly StandingProblem[] => problems.filter((problem) => problem.id !== id)

  const raise: Problems['raise'] = (problem) => keep([...without(problem.id), { ...problem, at: now() }].slice(-MOST))
  if (found.state === 'damaged' || (found.state === 'missing' && reminder.stands())) raise(DAMAGED)

  return {
    list: () => problems,
    raise,
    clear: (id) => {
      if (problems.some((problem) => problem.id === id)) keep(without(id))
    },
  }
}
