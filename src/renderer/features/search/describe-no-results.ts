import type { Folder, LocalSearchCoverage } from '../../../shared/model.ts'
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
  if (query.text.length > 0 && words.length === 0) return 'Symbols and emoji can’t be searched. Type a word.'
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
