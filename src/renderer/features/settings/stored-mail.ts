import type { StoredMailState } from '../../../shared/stored-mail.ts'
import { formatCount, formatBytes, formatNumber } from '../../ui/format-quantity.ts'

export const STORAGE_PERIODS = [
  { value: '30', label: '30 days', of: 30 },
  { value: '90', label: '90 days', of: 90 },
  { value: '365', label: '1 year', of: 365 },
  { value: 'all', label: 'Everything', of: null },
] as const
export const STORAGE_QUOTAS = [
  { value: 'none', label: 'None', of: 0 },
  { value: '1', label: '1 GB', of: 1e9 },
  { value: '5', label: '5 GB', of: 5e9 },
  { value: '20', label: '20 GB', of: 20e9 },
  { value: 'all', label: 'No limit', of: null },
] as const

/** @returns null if no option has this value */
export const findOptionValue = <Value extends string>(
  options: readonly { readonly value: Value; readonly of: number | null }[],
  of: number | null,
): Value | null => options.find((option) => option.of === of)?.value ?? null

/** A storage period, such as `1 year`. */
export const describeStoragePeriod = (days: number | null): string =>
  STORAGE_PERIODS.find((depth) => depth.of === days)?.label ?? formatCount(days ?? 0, 'day')

/** `14,203 messages stored (1.2 GB), 311 only on this computer.` */
export const describeStoredMailTotals = ({
  kept,
  bytes,
  localOnly,
}: Pick<StoredMailState, 'kept' | 'bytes' | 'localOnly'>): string =>
  `${formatCount(kept, 'message')} stored (${formatBytes(bytes)})${localOnly === 0 ? '' : `, ${formatNumber(localOnly)} only on this computer`}.`

export const describeStoredMail = ({
  days,
  maxBytes,
  left,
  incomplete,
  withoutFiles,
  lost,
}: Pick<StoredMailState, 'days' | 'maxBytes' | 'left' | 'incomplete' | 'withoutFiles' | 'lost'>): readonly string[] => {
  const depth =
    days === null ? 'All mail' : `All mail from the last ${days === 365 ? 'year' : describeStoragePeriod(days)}`
  const isAllHere = left === 0 && withoutFiles === 0
  return [
    ...(maxBytes === 0 ? ['Only the text is stored, plus anything you open.'] : []),
    ...(maxBytes !== 0 && isAllHere ? [`${depth} is stored.`] : []),
    ...(withoutFiles > 0
      ? [`Attachment storage is full. Attachments in ${formatCount(withoutFiles, 'message')} were not stored.`]
      : []),
    ...(incomplete > 0
      ? [
          `Incomplete: ${formatCount(incomplete, 'message')}. The original or an attachment is no longer on the platform.`,
        ]
      : []),
    ...(lost > 0 ? [`${formatCount(lost, 'message')} could not be stored: already deleted from the platform.`] : []),
  ]
}
