import type { SearchCoverage, EmailSearchCoverage, SyncStatus } from '../../../shared/model.ts'
import { formatAgo, type DateStyle } from '../../ui/format-date.ts'
import { formatCount, formatNumber } from '../../ui/format-quantity.ts'
import { describePlatformFailure } from '../../ui/describe-platform-failure.ts'

interface SearchContext {
  /** Null until known. */
  readonly connection: SyncStatus['connection'] | null
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly style: DateStyle
}

/** Minimum age before a response's time is shown. */
const RECENT_MS = 60_000

const MAX_SPELLINGS = 3

const describePlatformSearch = (
  { platform, isCapped }: SearchCoverage,
  { connection, now, style }: SearchContext,
): { readonly found: string | null; readonly missing: string | null } => {
  switch (platform.state) {
    case 'not asked':
      return { found: null, missing: null }
    case 'waiting':
      return {
        found: null,
        missing: connection === 'offline' ? 'the platform cannot be reached' : 'searching the platform…',
      }
    case 'failed':
      return { found: null, missing: describePlatformFailure(platform.problem) }
    case 'answered': {
      const name = isCapped ? 'the newest 10,000 on the platform' : 'the platform'
      const isOld = (connection !== null && connection !== 'online') || now - platform.at > RECENT_MS
      return { found: isOld ? `${name}, ${formatAgo(platform.at, now, style)}` : name, missing: null }
    }
  }
}

const describeLocalSearch = ({ computer }: SearchCoverage): string | null => {
  if (computer === null) return null
  const { emails, of, spellings = [] } = computer
  const searched =
    emails >= of ? 'this computer' : `${formatNumber(emails)} of ${formatNumber(of)} messages on this computer`
  const named = spellings.slice(0, MAX_SPELLINGS).map((each) => `“${each}”`)
  return named.length === 0 ? searched : `${searched} (${named.join(', ')} too)`
}

/** For example `This computer and the platform`. */
export const describeSearchCoverage = (searched: SearchCoverage, present: SearchContext): string => {
  const { found, missing } = describePlatformSearch(searched, present)
  const gone = [describeLocalSearch(searched), found].filter((each) => each !== null).join(' and ')
  const lag = searched.mayLag && missing === null ? 'new mail can take a minute to appear' : null
  const words = [gone, missing, lag].filter((each) => each !== null && each !== '').join('; ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** For example `This computer: 12,430 messages stored; the platform cannot search this list`. */
export const describeEmailSearchCoverage = ({ emails, of, isWhole }: EmailSearchCoverage): string => {
  const kept = emails < of ? `${formatNumber(emails)} of ${formatCount(of, 'message')}` : formatCount(of, 'message')
  return `This computer: ${kept} stored${isWhole ? '' : ' so far'}; the platform cannot search this list`
}
