import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { PROBLEM_CODES, type Problem, type StandingProblem } from '../shared/result.ts'

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

/** What cannot be read is dropped: nothing that is told here may stand in the way of the mail itself. */
const read = (file: string): readonly StandingProblem[] => {
  try {
    const entries: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(entries) ? entries.flatMap((entry) => kept.safeParse(entry).data ?? []).slice(-MOST) : []
  } catch {
    return []
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

/**
 * The standing problems of an account, kept in a file of their own so that a restart does not end them.
 * @param changed called after each change
 * @param report is given what was thrown where the file cannot be written; the list goes on without it
 */
export const openProblems = (file: string, changed: () => void, report: (thrown: unknown) => void): Problems => {
  let problems = read(file)

  const keep = (next: readonly StandingProblem[]): void => {
    problems = next
    try {
      if (next.length === 0) rmSync(file, { force: true, recursive: true })
      else writeWhole(file, JSON.stringify(next))
    } catch (thrown) {
      report(thrown)
    }
    changed()
  }
  const without = (id: string): readonly StandingProblem[] => problems.filter((problem) => problem.id !== id)

  return {
    list: () => problems,
    raise: (problem) => keep([...without(problem.id), { ...problem, at: Date.now() }].slice(-MOST)),
    clear: (id) => {
      if (problems.some((problem) => problem.id === id)) keep(without(id))
    },
  }
}
