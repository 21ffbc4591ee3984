import type { DateStyle } from '../../ui/format-date.ts'
import { formatListDate } from '../../ui/format-date.ts'
import { formatCount, formatNumber } from '../../ui/format-quantity.ts'
import type { ThreadSelection } from '../threads/thread-selection.svelte.ts'

interface SelectedList {
  readonly name: string | null
  readonly hasMore: boolean
  /** True if all loaded rows are selected and the list has more. */
  readonly isPage: boolean
}

/** Describes the selection, and the part of the list that it leaves out. Without a full stop. */
export const describeSelection = (
  { size, left }: Pick<ThreadSelection, 'size' | 'left'>,
  { name, hasMore, isPage }: SelectedList,
  { now, style }: { readonly now: number; readonly style: DateStyle },
): string => {
  if (left === null)
    return isPage ? `All ${formatNumber(size)} on this page are selected` : `${formatNumber(size)} selected`
  const { at, out, newer } = left
  const where = name === null ? (size === 1 ? 'that matches' : 'that match') : `in ${name}`
  if (out > 0) {
    const others = newer === 0 ? '' : `, ${formatNumber(newer)} newer`
    return `${formatNumber(size)} ${where} ${size === 1 ? 'is' : 'are'} selected; ${formatNumber(out)} excluded${others}`
  }
  const soFar = hasMore ? ', including those not listed yet,' : ''
  const all = `All ${formatCount(size, 'thread')}`
  if (newer === 0) return `${all} ${where}${soFar} ${size === 1 ? 'is' : 'are'} selected`
  const then = `${name === null ? 'that matched' : `that ${size === 1 ? 'was' : 'were'} in ${name}`} at ${formatListDate(at, now, style)}`
  return `${all} ${then}${soFar} ${size === 1 ? 'is' : 'are'} selected; ${formatNumber(newer)} newer ${newer === 1 ? 'is' : 'are'} not`
}
