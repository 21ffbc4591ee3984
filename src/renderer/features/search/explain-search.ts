/** What a search becomes, part by part, in a person's words. */
import type { EmailList } from '../../../shared/email-query.ts'
import type { Span } from '../../../shared/search/lex-search.ts'
import {
  parseSearch,
  queryText,
  SEARCH_LIMITS,
  type ParsedSearch,
  type SearchContext,
  type SearchRemark,
} from '../../../shared/search/parse-search.ts'
import { toSearchParameters } from '../../../shared/search/search-parameters.ts'
import { countCharacters, countTypedWords } from '../../../shared/search/words.ts'
import { scopeOf } from '../../../shared/thread-query.ts'
import { describeSearchFault } from '../../../shared/search/describe-search-fault.ts'
import { listName } from '../../../shared/search/list-name.ts'

interface ExplainedParameter {
  /** The parts of the text that it came of; empty where nothing was typed for it. */
  readonly typed: string
  /** As the platform calls it. */
  readonly name: string
  /** As it is sent; null where it is not, and the platform takes its own. */
  readonly value: string | null
  /** What the contract says of it. */
  readonly rule: string
}

interface LeftOut {
  readonly typed: string
  readonly why: string
}

interface ExplainedSearch {
  readonly parameters: readonly ExplainedParameter[]
  /** Whether the platform is asked: of the account's own lists it is not, and nothing has its names. */
  readonly isSent: boolean
  readonly leftOut: readonly LeftOut[]
  /** Of the words and phrases, as the platform counts them. */
  readonly characters: { readonly count: number; readonly most: number }
  readonly words: { readonly count: number; readonly most: number }
}

const PEOPLE_RULE = 'A part of the name or the address, in any case. Of several, any one.'

/** Contract, Search threads: the parameters. */
const RULES: Readonly<Record<string, string>> = {
  query:
    'Every word and phrase stands in the same e-mail: in its subject, text, people or attachment names. Words with a minus do not.',
  from: PEOPLE_RULE,
  to: PEOPLE_RULE,
  cc: PEOPLE_RULE,
  bcc: PEOPLE_RULE,
  has_attachment: 'The e-mail has an attachment, or has none.',
  start_date: 'The e-mail is of this moment or later.',
  end_date: 'The e-mail is of this moment or earlier.',
  folders: 'The thread is in one of these folders. A thread with a sent e-mail is in sent, too.',
  labels: 'The thread has one of these labels.',
  read: 'All of the thread is read, or something in it is not.',
}

/** What the parts of a search are called where nothing is sent. */
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
const wordsHereRule = (list: EmailList): string => {
  const places = list === 'sent' ? 'subject or people' : 'subject, people or attachment names'
  return `Every word and phrase stands in the e-mail: in its ${places}, or in its text once it was opened on this computer. Words with a minus do not.`
}
const LIST_RULE = 'The e-mails of this list that are on this computer. The platform cannot search it.'

const KEPT_RULE = 'The platform has deleted the thread, and this computer keeps it. The platform is not asked.'
const NOT_KEPT_RULE =
  'Threads that only this computer has are left out, by this computer: the platform has none of them.'
const KEPT_SCOPE_RULE = 'Without in: the inbox, archive and sent. Spam and trash have to be named.'

const DEFAULT_SCOPE_RULE =
  'Without in: the platform looks in the inbox, and with a label in inbox, archive and sent. Spam and trash have to be named.'

const describeRemark = (remark: SearchRemark): string =>
  remark.code === 'no_word'
    ? 'There is no letter and no digit in it.'
    : 'The star is left out: it stands for nothing here.'

export const explainSearch = (parsed: ParsedSearch, context: SearchContext): ExplainedSearch => {
  const { text, parts, filter, faults, remarks } = parsed
  const { list = 'threads' } = context
  const isOfThreads = list === 'threads'
  const isSent = isOfThreads && filter.dropped !== true
  const isLeftOut = ({ start }: Span): boolean =>
    filter.text.length > 0 && remarks.some(({ code, span }) => code === 'no_word' && span.start === start)
  const spoken = parts.filter(({ span }) => !isLeftOut(span))
  const sources = spoken.map(({ span }) => {
    const typed = text.slice(span.start, span.end)
    return { typed, names: Object.keys(toSearchParameters(parseSearch(typed, context).filter, context)) }
  })
  const sent = Object.entries(toSearchParameters(filter, context)).map(([name, value]) => ({
    typed: sources
      .filter(({ names }) => names.includes(name))
      .map(({ typed }) => typed)
      .join(' '),
    name: isSent ? name : (PARTS[name] ?? name),
    value,
    rule: list !== 'threads' && name === 'query' ? wordsHereRule(list) : (RULES[name] ?? ''),
  }))
  const kept = parts.flatMap((part) =>
    part.kind === 'dropped'
      ? [
          {
            typed: text.slice(part.span.start, part.span.end),
            name: part.wanted ? 'Only on this computer' : 'Not only on this computer',
            value: null,
            rule: part.wanted ? KEPT_RULE : NOT_KEPT_RULE,
          },
        ]
      : [],
  )
  const scope = isOfThreads
    ? {
        typed: '',
        name: isSent ? 'folders' : 'Folders',
        value: null,
        rule: isSent ? `${DEFAULT_SCOPE_RULE} Here that is ${scopeOf(filter).join(', ')}.` : KEPT_SCOPE_RULE,
      }
    : { typed: '', name: listName(list), value: null, rule: LIST_RULE }
  const typedWords = queryText(filter.text)
  return {
    isSent,
    parameters: [...sent, ...kept, ...(filter.folders === null ? [scope] : [])],
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
