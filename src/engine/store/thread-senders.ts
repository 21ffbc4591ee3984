import type { Thread, ThreadWriter } from '../../shared/model.ts'
import { EMAIL_PATHS } from '../platform/resources/thread-emails.ts'
import { parsePerson } from './search-index/searchable-email.ts'
import { canonicalizeAddress, stripAddressTag } from './canonical-address.ts'
import { PAYLOAD_JSON_SQL } from './checksummed-payload.ts'

/** Maximum senders stored per thread. A row shows three of them. */
const MAX = 40
/** Maximum e-mails read per thread, newest first. Otherwise, each new e-mail in a long thread would parse hundreds. */
const MAX_EMAILS = 100
/** Characters kept at each end of a long sender header: the start of the name and the end of the address. */
const HEADER_END_LENGTH = 400

/** SQL for the sender fields of a thread's e-mails, newest first. The parameter is the thread's key. */
export const SELECT_SENDERS = `
  SELECT json_extract(${PAYLOAD_JSON_SQL}, '${EMAIL_PATHS.from}', '${EMAIL_PATHS.direction}', '${EMAIL_PATHS.read}')
  FROM emails WHERE thread_key = ? AND json_valid(${PAYLOAD_JSON_SQL}) ORDER BY received_at DESC, key DESC
  LIMIT ${MAX_EMAILS}`

const truncateHeader = (header: string): string =>
  header.length <= 2 * HEADER_END_LENGTH
    ? header
    : `${header.slice(0, HEADER_END_LENGTH)}…${header.slice(-HEADER_END_LENGTH)}`

/**
 * Senders as JSON, newest first: `[from, isOutbound, isUnread]` for each header and direction, with flags as 0 or 1.
 * @param senders rows of `SELECT_SENDERS`
 */
export const encodeSenders = (senders: Iterable<string>): string => {
  const kept = new Map<string, readonly [string, 0 | 1, 0 | 1]>()
  for (const sender of senders) {
    const [from, direction, read] = JSON.parse(sender) as readonly unknown[]
    if (typeof from !== 'string') continue
    const isOutbound = direction === 'outbound' ? 1 : 0
    const key = `${isOutbound} ${from}`
    const earlier = kept.get(key)
    if (earlier === undefined && kept.size === MAX) continue
    kept.set(key, [earlier?.[0] ?? truncateHeader(from), isOutbound, read === false || earlier?.[2] === 1 ? 1 : 0])
  }
  return JSON.stringify([...kept.values()])
}

interface Sender {
  readonly from: string
  /** Null if the sender is only known from the thread's summary. */
  readonly isOutbound: boolean | null
  readonly isUnread: boolean
}

/** Reads the output of `encodeSenders`. Damaged data yields no senders. */
const decodeSenders = (kept: string | null): readonly Sender[] => {
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

/** Fast path for nearly all addresses: ASCII ones only need lower-casing. */
// eslint-disable-next-line no-control-regex -- matches ASCII
const IS_PLAIN = /^[\u0000-\u007f]*$/
const addressKey = (address: string): string =>
  IS_PLAIN.test(address) ? address.trim().toLowerCase() : canonicalizeAddress(address)

/** One of the account's own addresses, in the form used for look-ups. */
export const ownAddressKey = (address: string): string => stripAddressTag(addressKey(address))

/**
 * Senders in a thread, each person once, newest first. An e-mail received from one of the account's own addresses
 * counts as the user's own if someone else wrote too. Otherwise its sender is shown, since it may be a colleague's
 * inbox, or forged.
 * @param kept the row's `writers`, from `encodeSenders`
 * @param isCurrent true if `kept` covers all e-mails; otherwise the sender named in the platform's list comes first
 * @param own all of the account's addresses, as `ownAddressKey`
 */
export const listThreadSenders = (
  kept: string | null,
  { from, read, hasOutbound }: Pick<Thread, 'from' | 'read' | 'hasOutbound'>,
  isCurrent: boolean,
  own: ReadonlySet<string>,
): readonly ThreadWriter[] => {
  const known = decodeSenders(kept)
  const newest: Sender | null = from === null ? null : { from, isOutbound: null, isUnread: !read }
  const senders = newest === null || (isCurrent && known.length > 0) ? known : [newest, ...known]
  const people = senders.map((sender) => {
    const address = addressKey(parsePerson(sender.from).address)
    return { ...sender, address, isOwn: sender.isOutbound === true || own.has(stripAddressTag(address)) }
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
