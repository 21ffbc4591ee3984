import type { ThreadMark } from '../thread-marks.ts'
import type { EmailList } from '../email-query.ts'
import type { Span } from './lex-search.ts'
import {
  parseSearch,
  formatQueryText,
  SEARCH_LIMITS,
  type ParsedSearch,
  type SearchContext,
  type SearchPart,
  type SearchRemark,
} from './parse-search.ts'
import { needsAssigneeCheck, selectLabelsToSend, toSearchParameters } from './search-parameters.ts'
import { countCharacters, countTypedWords } from './word-tokenizer.ts'
import { isLocalOnlyQuery, type MailKind } from '../thread-query.ts'
import { describeSearchFault } from './describe-search-fault.ts'
import { formatListName } from './list-name.ts'

interface ExplainedParameter {
  /** Source text; empty if the user typed nothing for this parameter. */
  readonly typed: string
  readonly label: string
  /** The parameter's name on the platform; null if it isn't sent. */
  readonly name: string | null
  /** Null if the label says everything. */
  readonly value: string | null
  /** Matching rule (platform.md 9). */
  readonly rule: string
}

interface LeftOut {
  readonly typed: string
  readonly why: string
}

interface ExplainedSearch {
  readonly parameters: readonly ExplainedParameter[]
  /** False in account-wide lists, which are searched locally and show local names. */
  readonly isSent: boolean
  readonly leftOut: readonly LeftOut[]
  /** Size of the words and phrases, counted like the platform does. */
  readonly characters: { readonly count: number; readonly most: number }
  readonly words: { readonly count: number; readonly most: number }
}

const PEOPLE_RULE = 'Matches any part of a name or address, ignoring case. If you type several, one match is enough.'

/** Matching rules by parameter (platform.md 9). */
const RULES: Readonly<Record<string, string>> = {
  query:
    'Finds messages with all these words and phrases in the subject, text, people or attachment names. Words with a minus are excluded. On this computer, the last word also finds longer words that begin with it, unless it is in quotes.',
  from: PEOPLE_RULE,
  to: PEOPLE_RULE,
  cc: PEOPLE_RULE,
  bcc: PEOPLE_RULE,
  has_attachment: 'The message has an attachment, or has none.',
  start_date: 'The message is dated at or after this time.',
  end_date: 'The message is dated at or before this time.',
  folders: 'The thread is in one of these folders. Threads with a message you sent are also in sent.',
  labels: 'The thread has one of these labels.',
  read: 'Every message in the thread is read, or at least one is unread.',
}
const ALL_MAIL_RULE = 'Without in:, all mail is searched except spam and trash.'

/** Labels by parameter. */
const PARTS: Readonly<Record<string, string>> = {
  query: 'Words',
  from: 'From',
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  has_attachment: 'Has an attachment',
  folders: 'Folders',
  labels: 'Labels',
  read: 'Read',
  start_date: 'Since',
  end_date: 'Until',
}
const localWordsRule = (list: EmailList): string => {
  const places = list === 'sent' ? 'subject or people' : 'subject, people or attachment names'
  return `Finds messages with all these words and phrases in the ${places}, or in the text if you have opened the message on this computer. Words with a minus are excluded.`
}
const LIST_RULE = 'Searches this list’s messages on this computer. The platform can’t search this list.'

const SUBJECT_RULE =
  'The platform can’t search subjects alone. Linnet asks it for messages with these words anywhere, then checks the subjects on this computer.'
const LOCAL_SUBJECT_RULE = 'These words are in the subject.'

const ASSIGNED_RULE =
  'Checked on this computer: the platform can’t search for unassigned threads, or for a person together with other labels.'

const KEPT_RULE = 'Threads deleted on the platform but kept on this computer. The platform is not searched.'
const NOT_KEPT_RULE = 'Threads stored only on this computer are skipped. The platform has none of them.'

const MARK_NAMES: Readonly<Record<ThreadMark, string>> = {
  starred: 'Starred',
  muted: 'Muted',
  snoozed: 'Snoozed',
  reminder: 'With a reminder',
  back: 'Back from a snooze or reminder',
}
const MARK_RULE = 'Stored only on this computer. The platform is not searched.'
const NO_MARK_RULE = 'Stored only on this computer, so the platform’s results are filtered here.'
const KIND_NAMES: Readonly<Record<MailKind, string>> = {
  person: 'Written by a person',
  newsletter: 'A newsletter or mailing list',
  robot: 'Sent automatically',
}
const KIND_RULE = 'Based on the message’s headers (or its sender, until the headers are downloaded).'

const NOT_SENT = { name: null, value: null }

const describeRemark = (remark: SearchRemark): string =>
  remark.code === 'no_word'
    ? 'No letters or digits to search for.'
    : 'Wildcards do not work here: the asterisk is ignored.'

export const explainSearch = (parsed: ParsedSearch, context: SearchContext): ExplainedSearch => {
  const { text, parts, filter, faults, remarks } = parsed
  const { list = 'threads' } = context
  const isOfThreads = list === 'threads'
  const isSent = isOfThreads && !isLocalOnlyQuery(filter)
  const isLeftOut = ({ start }: Span): boolean =>
    filter.text.length > 0 && remarks.some(({ code, span }) => code === 'no_word' && span.start === start)
  const typedFor = (wanted: (part: SearchPart, names: readonly string[]) => boolean): string =>
    parts
      .filter(({ span }) => !isLeftOut(span))
      .map((part) => ({ part, typed: text.slice(part.span.start, part.span.end) }))
      .filter(({ part, typed }) => {
        const names = Object.keys(toSearchParameters(parseSearch(typed, context).filter, context))
        return wanted(
          part,
          names.filter((name) => name !== 'folders' || part.kind === 'folders'),
        )
      })
      .map(({ typed }) => typed)
      .join(' ')
  const subjectTerms = filter.text.filter(({ isInSubject }) => isInSubject === true)
  // The platform also receives the subject terms as words.
  const asked = isSent ? filter : { ...filter, text: filter.text.filter((term) => !subjectTerms.includes(term)) }
  const sent = Object.entries(toSearchParameters(asked, context))
    .filter(([name]) => isOfThreads || name !== 'folders')
    .map(([name, value]) => ({
      typed: typedFor((part, names) => names.includes(name) && (isSent || part.kind !== 'subject')),
      label: PARTS[name] ?? name,
      name: isSent ? name : null,
      value,
      rule:
        list !== 'threads' && name === 'query'
          ? localWordsRule(list)
          : `${RULES[name] ?? ''}${name === 'folders' && filter.folders === null ? ` ${ALL_MAIL_RULE}` : ''}`,
    }))
  const subject =
    subjectTerms.length === 0
      ? []
      : [
          {
            typed: typedFor(({ kind }) => kind === 'subject'),
            label: `Subject: ${formatQueryText(subjectTerms)}`,
            ...NOT_SENT,
            rule: isSent ? SUBJECT_RULE : LOCAL_SUBJECT_RULE,
          },
        ]
  const checked = needsAssigneeCheck(filter)
  const here = parts.flatMap((part): readonly ExplainedParameter[] => {
    const typed = text.slice(part.span.start, part.span.end)
    const isWanted = !('wanted' in part) || part.wanted
    const not = isWanted ? '' : 'Not: '
    if (part.kind === 'message type') {
      return [{ typed, label: `${not}${KIND_NAMES[part.of]}`, ...NOT_SENT, rule: KIND_RULE }]
    }
    if (part.kind === 'mark') {
      return [
        { typed, label: `${not}${MARK_NAMES[part.mark]}`, ...NOT_SENT, rule: isWanted ? MARK_RULE : NO_MARK_RULE },
      ]
    }
    if (part.kind === 'dropped') {
      return [{ typed, label: `${not}Only on this computer`, ...NOT_SENT, rule: isWanted ? KEPT_RULE : NOT_KEPT_RULE }]
    }
    if (part.kind !== 'assigned') return []
    const isAsked = isWanted && selectLabelsToSend(filter) === filter.assignedTo
    if ((!checked && isSent) || isAsked) return []
    return [{ typed, label: isWanted ? 'Assigned to' : 'Not assigned to', ...NOT_SENT, rule: ASSIGNED_RULE }]
  })
  const ownList = list === 'threads' ? [] : [{ typed: '', label: formatListName(list), ...NOT_SENT, rule: LIST_RULE }]
  const typedWords = formatQueryText(filter.text)
  return {
    isSent,
    parameters: [...sent, ...subject, ...here, ...ownList],
    leftOut: [
      ...faults.map((fault) => ({
        typed: text.slice(fault.span.start, fault.span.end),
        why: describeSearchFault(fault),
      })),
      ...remarks.map((remark) => ({ typed: remark.text, why: describeRemark(remark) })),
    ],
    characters: { count: countCharacters(typedWords), most: SEARCH_LIMITS.characters },
    words: { count: countTypedWords(typedWords), most: SEARCH_LIMITS.words },
  }
}
