/** How far apart a platform may date the same message in its threads and in its lists, milliseconds. */
export const A_DAY = 24 * 60 * 60_000

/** What tells one message from another that bears its Message-ID: anybody can write that of somebody else's. */
interface Message {
  readonly from: string
  readonly subject: string | null
}

interface IdentifiedMessage extends Message {
  readonly id: string
  readonly messageId: string | null
}

const addressIn = (sender: string): string => (/<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender).trim().toLowerCase()

/** Whether an e-mail of a thread and a received one are the same message, as far as people would say so. */
export const isSameMessage = (one: Message, other: Message): boolean =>
  addressIn(one.from) === addressIn(other.from) && (one.subject ?? '').trim() === (other.subject ?? '').trim()

/** Written with angle brackets in some places and without in others. */
export const bareMessageId = (messageId: string | null): string => (messageId ?? '').replace(/^[\s<]+|[\s>]+$/g, '')

/** Whether an e-mail of a thread and a received one are one, by their IDs or by what names them as messages. */
export const isCopyOf = (one: IdentifiedMessage, other: IdentifiedMessage): boolean => {
  if (one.id === other.id) return true
  const name = bareMessageId(one.messageId)
  return name !== '' && name === bareMessageId(other.messageId) && isSameMessage(one, other)
}
