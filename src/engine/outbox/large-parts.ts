/** What is kept of a change of many threads: it is taken in part by part, each in one write. */
import { z } from 'zod'
import { subjectKey, uniqueSubjects, type MadeChange } from './change.ts'

/**
 * What is to become of a part: `wanted`, its threads are to be changed; `undo`, brought back where nothing has changed them
 * since; `unsend`, the same where it was not sent. Once that has been done it is `made`: what was there before and after.
 */
export type PartState = 'wanted' | 'undo' | 'unsend' | 'made'

/** Some threads of a large change. */
export interface Part {
  readonly part: number
  readonly state: PartState
  /** How many threads: of one that is `made`, those that were changed. */
  readonly subjects: number
  /** Of one that is `wanted`, `before` is what was there when it was named. */
  readonly changes: readonly MadeChange[]
}

export interface LargeChange {
  readonly id: string
  /** How many threads it was of when it was begun. */
  readonly total: number
  /** The large change that this one undoes, or of which it takes back what was not sent. */
  readonly source: { readonly id: string; readonly how: 'undo' | 'unsend' } | null
}

/** What a write does to large changes, besides the fields that wait. */
export type LargeWrite =
  /** A large change is being named: until it is begun, nothing becomes of it. Or parts of it are known better. */
  | { readonly kind: 'name'; readonly id: string; readonly parts: readonly Part[] }
  /** All of it is named. */
  | { readonly kind: 'begin'; readonly large: LargeChange }
  /** Its parts are those of the change that it undoes. */
  | { readonly kind: 'copy'; readonly id: string; readonly source: NonNullable<LargeChange['source']> }
  /** Parts are taken in; of those that are left, some subjects were. */
  | {
      readonly kind: 'make'
      readonly id: string
      readonly parts: readonly Omit<Part, 'state'>[]
      readonly left: readonly Part[]
    }
  /** What is not taken in yet never will be. */
  | { readonly kind: 'drop'; readonly id: string }
  /** It is over; what was made of it can be undone. */
  | { readonly kind: 'end'; readonly id: string }

const about = z.object({
  total: z.number(),
  source: z.object({ id: z.string(), how: z.enum(['undo', 'unsend']) }).nullable(),
})

/** Reads what is kept of a large change; undefined for what cannot be read. */
export const parseAbout = (text: string): Omit<LargeChange, 'id'> | undefined => {
  try {
    return about.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** What becomes of some subjects of parts that are left: the parts to be taken in now, and those of which they were parted. */
interface Parting {
  readonly parts: readonly Part[]
  readonly left: readonly Part[]
}

/** @param next the first number that is free for a part of its own */
export const partSubjects = (of: readonly Part[], keys: ReadonlySet<string>, next: number): Parting => {
  const parts: Part[] = []
  const left: Part[] = []
  let number = next
  // The others of a part keep their turn: an earlier large change may come before it.
  for (const part of of) {
    const those = part.changes.filter((change) => keys.has(subjectKey(change)))
    const others = part.changes.filter((change) => !keys.has(subjectKey(change)))
    const count = uniqueSubjects(those).length
    if (others.length === 0) parts.push(part)
    else if (those.length > 0) {
      parts.push({ ...part, part: number, subjects: count, changes: those })
      left.push({ ...part, subjects: part.subjects - count, changes: others })
      number += 1
    }
  }
  return { parts, left }
}
