import { planThreads, PROPOSAL_COUNTS, type Proposal, type ProposedChange } from '../../../shared/assistants.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import { foldLookAlikes } from '../../ui/look-alike.ts'
import { formatCount } from '../../ui/format-quantity.ts'

/** Maximum length of a client's name, which is chosen by the client and unverified. */
const MAX_CLIENT_LENGTH = 60

/** The name a client gives itself, on one line. A name similar to Linnet's is marked as only a name. */
export const formatClientName = (client: string): string => {
  const name = toVisibleText(client)
  if (name === '') return 'An unnamed assistant'
  const shown =
    name.length > MAX_CLIENT_LENGTH ? `${name.slice(0, MAX_CLIENT_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…` : name
  return /l+i+n+e+t/.test(foldLookAlikes(name.normalize('NFKC')).replace(/[^a-z]/g, ''))
    ? `An assistant named “${shown}”`
    : shown
}

/** `3 labels, 1 draft` */
export const describeProposalCounts = (proposals: readonly Pick<Proposal, 'change'>[]): string =>
  Object.entries(PROPOSAL_COUNTS)
    .flatMap(([kind, [one, many]]) => {
      const count = proposals.filter(({ change }) => change.kind === kind).length
      return count === 0 ? [] : [formatCount(count, one, many)]
    })
    .join(', ')

export const describeProposedChange = (change: ProposedChange): string => {
  if (change.kind !== 'draft') {
    const { title, threadIds } = planThreads(change)
    return title(formatCount(threadIds.length, 'thread'))
  }
  if (change.target === null) return 'Write a new message'
  return change.isToAll ? 'Reply to all' : 'Reply'
}

export const describeMissingItems = (threads: number, labels: number): string | undefined => {
  const missing = [
    ...(threads === 0 ? [] : [formatCount(threads, 'thread')]),
    ...(labels === 0 ? [] : [formatCount(labels, 'label')]),
  ]
  if (missing.length === 0) return undefined
  return `${missing.join(' and ')} no longer ${threads + labels === 1 ? 'exists' : 'exist'}.`
}

const valuesOf = (asked: object): string =>
  Object.entries(asked)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')

/** Describes a call's arguments in one line. @param asked JSON, possibly truncated */
export const describeArguments = (asked: string): string => {
  try {
    const given: unknown = JSON.parse(asked)
    return toVisibleText(typeof given === 'object' && given !== null ? valuesOf(given) : asked)
  } catch {
    return toVisibleText(asked)
  }
}
