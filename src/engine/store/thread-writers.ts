import type { Thread, ThreadWriter } from '../../shared/model.ts'
import { IN_EMAIL_WORDS } from '../api/answers/emails.ts'
import { readPerson } from '../search-index/searchable-email.ts'
import { canonicalAddress, untagged } from './canonical-address.ts'
import { JSON_OF_WORDS } from './sealed-words.ts'

/** Senders of a thread that are kept at most. A row names three of them. */
const MOST = 40
/** Characters of a sender's header that are kept on each side of its middle: the name's beginning and the address's end. */
const HALF = 400

const said = (path: string): string => `json_extract(${JSON_OF_WORDS}, '${path}')`

/**
 * In SQL: the `writers` of the thread whose key is the statement's parameter. A JSON list, newest first, of
 * `[from, isOutbound, isUnread]`, one for each header and direction.
 */
export const SELECT_WRITERS = `
  SELECT json_group_array(json_array(header, outbound, unread)) FROM (
    SELECT iif(length(sender) > ${2 * HALF}, substr(sender, 1, ${HALF}) || '…' || substr(sender, -${HALF}), sender) AS header,
      outbound, max(unread) AS unread
    FROM (
      SELECT key, received_at, ${said(IN_EMAIL_WORDS.from)} AS sender,
        coalesce(${said(IN_EMAIL_WORDS.direction)} = 'outbound', 0) AS outbound,
        coalesce(${said(IN_EMAIL_WORDS.read)} = 0, 0) AS unread
      FROM emails WHERE thread_key = ? AND json_valid(${JSON_OF_WORDS})
    )
    WHERE typeof(sender) = 'text'
    GROUP BY sender, outbound ORDER BY max(received_at) DESC, max(key) DESC LIMIT ${MOST}
  )`

interface Sender {
  readonly from: string
  /** Null where only the thread's own summary names the sender. */
  readonly isOutbound: boolean | null
  readonly isUnread: boolean
}

/** Own writing: what a row kept may be damaged, and says nothing then. */
const readSenders = (kept: string | null): readonly Sender[] => {
  if (kept === null) return []
  try {
    const senders: unknown = JSON.parse(kept)
    if (!Array.isArray(senders)) return []
    return senders.flatMap((sender: unknown) => {
      if (!Array.isArray(sender)) return []
      const [from, isOutbound, isUnread] = sender as readonly unknown[]
      return typeof from === 'string' ? [{ from, isOutbound: isOutbound === 1, isUnread: isUnread === 1 }] : []
    })
  } catch {
    return []
  }
}

/** Addresses in the form in which `isOwn` looks them up. */
export const ownAddressKey = (address: string): string => untagged(canonicalAddress(address))

/**
 * Who wrote in a thread, each person once, newest first. An e-mail that came in from one of the account's own addresses is
 * one's own where somebody else wrote, too; alone it is named, as it may come from a colleague's inbox, or be forged.
 * @param kept the row's `writers`
 * @param isCurrent whether they are of all e-mails: else the sender that the platform's list names is put before them
 * @param own `ownAddressKey` of all own addresses
 */
export const writersOf = (
  kept: string | null,
  { from, read, hasOutbound }: Pick<Thread, 'from' | 'read' | 'hasOutbound'>,
  isCurrent: boolean,
  own: ReadonlySet<string>,
): readonly ThreadWriter[] => {
  const known = readSenders(kept)
  const newest: Sender | null = from === null ? null : { from, isOutbound: null, isUnread: !read }
  const senders = newest === null || (isCurrent && known.length > 0) ? known : [newest, ...known]
  const people = senders.map((sender) => {
    const address = canonicalAddress(readPerson(sender.from).address)
    return { ...sender, address, isOwn: sender.isOutbound === true || own.has(untagged(address)) }
  })
  const isAmongOwn = people.every(({ isOwn }) => isOwn)
  const writers = new Map<string | null, ThreadWriter>()
  for (const { from: header, address, isOwn, isOutbound, isUnread } of people) {
    const isMe = isOwn && (!isAmongOwn || (isOutbound ?? hasOutbound))
    const key = isMe ? null : address
    const earlier = writers.get(key)
    writers.set(key, {
      from: earlier?.from ?? header,
      isMe,
      isUnread: !read && !isMe && (isUnread || earlier?.isUnread === true),
    })
  }
  return [...writers.values()]
}
