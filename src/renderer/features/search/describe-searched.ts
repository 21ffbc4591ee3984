import type { Searched } from '../../../shared/model.ts'
import { formatAgo, type DateStyle } from '../../ui/format-date.ts'
import { formatNumber } from '../../ui/format-quantity.ts'

/** What the words depend on besides the search itself. */
interface Present {
  readonly isOnline: boolean
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly style: DateStyle
}

/** After this time an answer is said to be of a while ago. */
const RECENT_MS = 60_000

const platformWords = ({ platform, isCapped }: Searched, { isOnline, now, style }: Present): string | null => {
  switch (platform.state) {
    case 'not asked':
      return null
    case 'waiting':
      return isOnline ? 'asking the platform…' : 'the platform cannot be reached'
    case 'failed':
      return platform.problem.code === 'unreachable' ? 'the platform cannot be reached' : 'the platform did not answer'
    case 'answered': {
      const name = isCapped ? 'the newest 10,000 on the platform' : 'the platform'
      const isOld = !isOnline || now - platform.at > RECENT_MS
      return isOld ? `${name}, ${formatAgo(platform.at, now, style)}` : name
    }
  }
}

const computerWords = ({ computer }: Searched): string | null => {
  if (computer === null) return null
  const { threads, of } = computer
  return threads >= of ? 'this computer' : `${formatNumber(threads)} of ${formatNumber(of)} threads on this computer`
}

/** What a search went through, in a few words: `This computer and the platform`. */
export const describeSearched = (searched: Searched, present: Present): string => {
  const words = [computerWords(searched), platformWords(searched, present)]
    .filter((each) => each !== null)
    .join(' and ')
  const lag = searched.mayLag ? '; new mail can take a minute' : ''
  return words === '' ? '' : `${words.charAt(0).toUpperCase()}${words.slice(1)}${lag}`
}
