import type { Folder, LocalExtent } from '../../../shared/model.ts'
import { countOf, formatNumber } from '../../ui/format-quantity.ts'
import { isAllMail, isAnywhere, isNarrow, scopeTitle } from './edit-search.ts'

/** A search that has found nothing so far. */
interface Nothing {
  /** Where it looks. */
  readonly folders: readonly Folder[]
  /** Whether the platform was asked, and has answered. */
  readonly isAsked: boolean
  /** Whether the platform has more to look through. */
  readonly hasMore: boolean
  /** What of this computer was searched; null where nothing is. */
  readonly computer: LocalExtent | null
  /** It looks for what only this computer has. */
  readonly isKeptAlone: boolean
  /** This computer alone can answer it: the platform is never asked. */
  readonly isHereAlone: boolean
  /** Threads in spam and trash that it would find; null where they were not counted. */
  readonly putAway: number | null
}

/** What is said of it, and where to look next. */
interface NothingFound {
  readonly title: string
  readonly detail: string
  readonly next: 'all mail' | 'spam and trash' | 'platform' | 'received' | null
}

const SAME_MESSAGE = 'All words must be in the same message.'

const titleOf = (folders: readonly Folder[]): string => {
  if (isAllMail(folders)) return 'No mail matches'
  return isAnywhere(folders) ? 'Nothing matches in any folder' : `Nothing in ${scopeTitle(folders)} matches`
}

/** The same of this computer alone. */
export const titleHereOf = (folders: readonly Folder[]): string =>
  isNarrow(folders) ? `Nothing in ${scopeTitle(folders)} on this computer matches` : 'Nothing on this computer matches'

/** “Nothing on this computer matches” is said only where all of it was searched, in every folder but spam and trash. */
export const describeNothing = (nothing: Nothing): NothingFound => {
  const { folders, hasMore, computer, isKeptAlone, isHereAlone, putAway } = nothing
  if (isKeptAlone) {
    const detail = 'Only threads that the platform deleted were searched.'
    return { title: 'Nothing on this computer matches', detail, next: null }
  }
  const titleHere = titleHereOf(folders)
  const title = isHereAlone ? titleHere : titleOf(folders)
  const isAsked = nothing.isAsked || isHereAlone
  if (!nothing.isAsked && computer !== null && computer.emails < computer.of) {
    const searched = `${formatNumber(computer.emails)} of ${countOf(computer.of, 'message')} on this computer`
    return {
      title: 'Nothing found yet',
      detail: `Searched ${searched}. The rest follows as it syncs.`,
      next: isHereAlone ? null : 'platform',
    }
  }
  if (isAsked && hasMore) {
    const detail = 'The newest threads with these words were checked. Add a word or a sender to find older ones.'
    return { title: 'Nothing found so far', detail, next: null }
  }
  if (isNarrow(folders)) {
    return {
      title: isAsked ? title : titleHere,
      detail: `${SAME_MESSAGE} Other folders were not searched.`,
      next: 'all mail',
    }
  }
  if (isAnywhere(folders)) {
    return isAsked
      ? { title, detail: `${SAME_MESSAGE} Try fewer words.`, next: 'received' }
      : { title: titleHere, detail: 'Press Enter to search the platform, too.', next: 'platform' }
  }
  if (putAway !== null && putAway > 0) {
    const detail = `${countOf(putAway, 'thread')} in Spam and Trash ${putAway === 1 ? 'does' : 'do'}.`
    return { title: isAsked ? title : `${titleHere}, except in Spam and Trash`, detail, next: 'spam and trash' }
  }
  return isAsked
    ? { title, detail: `${SAME_MESSAGE} Try fewer words, or search Spam and Trash, too.`, next: 'spam and trash' }
    : { title: titleHere, detail: 'Press Enter to search the platform, too.', next: 'platform' }
}
