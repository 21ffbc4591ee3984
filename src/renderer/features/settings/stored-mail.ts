import type { StoredMailState } from '../../../shared/stored-mail.ts'
import { formatCount, formatBytes, formatNumber } from '../../ui/format-quantity.ts'

/** Labels by days; `all` means null. */
export const STORAGE_PERIODS = { '30': '30 days', '90': '90 days', '365': '1 year', all: 'Everything' } as const
/** Labels by gigabytes; `all` means null. */
export const STORAGE_QUOTAS = { '0': 'None', '1': '1 GB', '5': '5 GB', '20': '20 GB', all: 'No limit' } as const

/** @returns null if there is no option for this number */
export const findOption = <Option extends string>(
  labels: Readonly<Record<Option, string>>,
  amount: number | null,
): Option | null => {
  const option = amount === null ? 'all' : String(amount)
  return option in labels ? (option as Option) : null
}

export const parseOption = (option: string): number | null => (option === 'all' ? null : Number(option))

/** A storage period, such as `1 year`. */
export const describeStoragePeriod = (days: number | null): string => {
  const option = findOption(STORAGE_PERIODS, days)
  return option === null ? formatCount(days ?? 0, 'day') : STORAGE_PERIODS[option]
}

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
