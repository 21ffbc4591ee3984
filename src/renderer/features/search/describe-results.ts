import type {
  Folder,
  LocalSearchCoverage,
  SearchCoverage,
  EmailSearchCoverage,
  SyncStatus,
} from '../../../shared/model.ts'
import { tokenizeWords } from '../../../shared/search/word-tokenizer.ts'
import {
  isLocalOnlyQuery,
  PEOPLE_FIELDS,
  resolveQueryFolders,
  type EmailFilter,
  type ThreadFilter,
} from '../../../shared/thread-query.ts'
import { formatCount, formatNumber } from '../../ui/format-quantity.ts'
import { isAllMail, isAnywhere, isNarrow, formatScopeTitle } from './edit-search.ts'
import { formatAgo, type DateStyle } from '../../ui/format-date.ts'
import { describePlatformFailure } from '../../ui/describe-platform-failure.ts'

/** A search without results so far. */
interface Nothing {
  readonly query: ThreadFilter
  /** True once the platform has responded. */
  readonly isFullyQueried: boolean
  /** True if the platform has more to search. */
  readonly hasMore: boolean
  /** Extent of the local search, or null without one. */
  readonly computer: LocalSearchCoverage | null
  /** Matches in spam and trash, or null if not counted. */
  readonly putAway: number | null
}

interface NothingFound {
  readonly title: string
  readonly detail: string
  readonly next: 'all mail' | 'spam and trash' | 'platform' | 'received' | null
}

export const describeSearchAdvice = (query: EmailFilter): string => {
  const people = PEOPLE_FIELDS.flatMap((field) => query[field])
  const words = query.text.flatMap(({ text }) => tokenizeWords(text))
  if (query.text.length > 0 && words.length === 0) return 'Symbols can’t be searched. Type a word.'
  if (words.length > 1) return 'All words must be in the same message. Try fewer words.'
  const several = people.find((person) => /\S\s+\S/u.test(person))
  if (several !== undefined) return `“${several}” is searched as one name. Separate two names with a comma.`
  return words.length + people.length > 0
    ? 'Check the spelling, or type only the beginning of a word.'
    : 'Try fewer conditions.'
}

const titleOf = (folders: readonly Folder[]): string => {
  if (isAllMail(folders)) return 'No mail matches'
  return isAnywhere(folders) ? 'Nothing matches in any folder' : `Nothing matches in ${formatScopeTitle(folders)}`
}

export const formatLocalSearchTitle = (folders: readonly Folder[]): string =>
  isNarrow(folders)
    ? `Nothing matches in ${formatScopeTitle(folders)} on this computer`
    : 'Nothing on this computer matches'

/** Says “Nothing on this computer matches” only if all local folders except spam and trash were searched. */
export const describeNoResults = (nothing: Nothing): NothingFound => {
  const { query, hasMore, computer, putAway } = nothing
  const folders = resolveQueryFolders(query)
  const isHereAlone = isLocalOnlyQuery(query)
  if (query.dropped === true) {
    const detail = 'Only threads that the platform deleted were searched.'
    return { title: 'Nothing on this computer matches', detail, next: null }
  }
  const titleHere = formatLocalSearchTitle(folders)
  const title = isHereAlone ? titleHere : titleOf(folders)
  const isFullyQueried = nothing.isFullyQueried || isHereAlone
  if (!nothing.isFullyQueried && computer !== null && computer.emails < computer.of) {
    const searched = `${formatNumber(computer.emails)} of ${formatCount(computer.of, 'message')} on this computer`
    return {
      title: 'Nothing found yet',
      detail: `Searched ${searched}. The rest will be searched as it syncs.`,
      next: isHereAlone ? null : 'platform',
    }
  }
  if (isFullyQueried && hasMore) {
    const detail = 'Only the newest threads with these words were checked. Add a word or a sender to find older ones.'
    return { title: 'Nothing found so far', detail, next: null }
  }
  if (isNarrow(folders)) {
    return {
      title: isFullyQueried ? title : titleHere,
      detail: `${describeSearchAdvice(query)} Other folders were not searched.`,
      next: 'all mail',
    }
  }
  if (isAnywhere(folders)) {
    return isFullyQueried
      ? { title, detail: describeSearchAdvice(query), next: 'received' }
      : { title: titleHere, detail: 'Press Enter to search the platform, too.', next: 'platform' }
  }
  if (putAway !== null && putAway > 0) {
    const detail = `${formatCount(putAway, 'thread')} in Spam and Trash ${putAway === 1 ? 'matches' : 'match'}.`
    return { title: isFullyQueried ? title : `${titleHere}, except in Spam and Trash`, detail, next: 'spam and trash' }
  }
  return isFullyQueried
    ? { title, detail: `${describeSearchAdvice(query)} Spam and Trash were not searched.`, next: 'spam and trash' }
    : { title: titleHere, detail: 'Press Enter to search the platform, too.', next: 'platform' }
}

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
