import { displayName } from '../../../shared/address.ts'
import type { AnsweredElsewhere, AnswerElsewhere, DraftElsewhere } from '../../../shared/writing.ts'
import { formatAgo, formatClock, formatRecent, type DateStyle } from '../../ui/format-date.ts'
import { countOf } from '../../ui/format-quantity.ts'

const DAY = 24 * 60 * 60_000

/** When it was, and by the clock where that is today: `20 seconds ago (14:05)`. */
const when = (at: number, now: number, style: DateStyle): string => {
  const age = now - at
  const clock = age < DAY ? ` (${formatClock(at, style)})` : ''
  return `${formatRecent(at, now, style)}${clock}`
}

/** That somebody has answered: `Mara Lind answered 20 seconds ago (14:05).` */
export const answeredWords = ({ from, at }: AnswerElsewhere, now: number, style: DateStyle): string =>
  `${displayName(from)} answered ${when(at, now, style)}.`

/** That somebody has begun to; the platform does not say who. */
export const draftingWords = (
  { changedAt }: Pick<DraftElsewhere, 'changedAt'>,
  now: number,
  style: DateStyle,
): string =>
  changedAt === null
    ? 'Someone is drafting a reply elsewhere.'
    : `Someone is drafting a reply elsewhere. Last changed ${formatAgo(changedAt, now, style)}.`

/** All of it in a line, for whoever is still writing; null where there is nothing. */
export const whileWritingWords = ({ answers, drafts }: AnsweredElsewhere): string | null => {
  const names = [...new Set(answers.map(({ from }) => displayName(from)))]
  const [name] = names
  if (name !== undefined) {
    return names.length === 1
      ? `${name} answered while you were writing.`
      : `${name} and ${countOf(names.length - 1, 'other')} answered while you were writing.`
  }
  return drafts.length === 0 ? null : 'Someone is drafting a reply elsewhere.'
}
