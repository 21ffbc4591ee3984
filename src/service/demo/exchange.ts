import type { Correspondent, LetterDraft, ThreadDraft } from './thread-draft.ts'

/** A thread in which two people write in turns, `customer` first. */
export function exchange(
  customer: Correspondent,
  agent: Correspondent,
  subject: string,
  labels: readonly string[],
  ...texts: readonly [string, ...string[]]
): ThreadDraft {
  const [first, ...rest] = texts
  const letters = rest.map((text, index): LetterDraft => ({ from: index % 2 === 0 ? agent : customer, text }))
  return { subject, labels, letters: [{ from: customer, text: first }, ...letters] }
}
