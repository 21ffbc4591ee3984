/** Storage format of large changes. Each part is applied in one write. */
import { z } from 'zod'
import { subjectKey, dedupeSubjects, type UndoableChange } from './change.ts'
import { parseJsonAs } from '../../../shared/parse-json.ts'

/** `wanted`: to apply; `undo`: restore unless changed since; `unsend`: restore only if unsent; `made`: applied. */
export type LargeChangePartState = 'wanted' | 'undo' | 'unsend' | 'made'

export interface LargeChangePart {
  readonly part: number
  readonly state: LargeChangePartState
  /** Number of threads; if `made`, number of threads that changed. */
  readonly subjects: number
  /** For `wanted`, `before` is the value when the part was stored. */
  readonly changes: readonly UndoableChange[]
}

export interface LargeChange {
  readonly id: string
  /** Number of threads at the start. */
  readonly total: number
  /** The large change that this one undoes, or whose unsent part it cancels. */
  readonly source: { readonly id: string; readonly how: 'undo' | 'unsend' } | null
}

/** The effect of a write on large changes, apart from pending fields. */
export type LargeChangeWrite =
  /** Stores parts of a change that hasn't started, or corrects stored parts. */
  | { readonly kind: 'name'; readonly id: string; readonly parts: readonly LargeChangePart[] }
  /** All parts are stored and the change can start. */
  | { readonly kind: 'begin'; readonly large: LargeChange }
  /** Copies the parts of the change that this one undoes. */
  | { readonly kind: 'copy'; readonly id: string; readonly source: NonNullable<LargeChange['source']> }
  /** Parts were applied; `left` holds the unapplied remainders of split parts. */
  | {
      readonly kind: 'make'
      readonly id: string
      readonly parts: readonly Omit<LargeChangePart, 'state'>[]
      readonly left: readonly LargeChangePart[]
    }
  /** The remaining parts are never applied. */
  | { readonly kind: 'drop'; readonly id: string }
  /** Finished; what it changed can be undone. */
  | { readonly kind: 'end'; readonly id: string }

const about = z.object({
  total: z.number(),
  source: z.object({ id: z.string(), how: z.enum(['undo', 'unsend']) }).nullable(),
})

export const parseLargeChange = (text: string): Omit<LargeChange, 'id'> | null => parseJsonAs(about, text)

/** Parts split by subject: those to apply now, and the unapplied remainders. */
interface SplitParts {
  readonly parts: readonly LargeChangePart[]
  readonly left: readonly LargeChangePart[]
}

/** Splits off the subjects with these keys. @param next first free part number */
export const splitOffSubjects = (
  of: readonly LargeChangePart[],
  keys: ReadonlySet<string>,
  next: number,
): SplitParts => {
  const parts: LargeChangePart[] = []
  const left: LargeChangePart[] = []
  let number = next
  // A part's other subjects must wait their turn: an earlier large change may precede them.
  for (const part of of) {
    const those = part.changes.filter((change) => keys.has(subjectKey(change)))
    const others = part.changes.filter((change) => !keys.has(subjectKey(change)))
    const count = dedupeSubjects(those).length
    if (others.length === 0) parts.push(part)
    else if (those.length > 0) {
      parts.push({ ...part, part: number, subjects: count, changes: those })
      left.push({ ...part, subjects: part.subjects - count, changes: others })
      number += 1
    }
  }
  return { parts, left }
}
