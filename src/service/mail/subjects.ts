/** `Re:` and `Fwd:` as mail programs of several languages write them, with counters such as `Re[2]:`. */
const mark =
  /^\s*(?:re|r|aw|antw|sv|vs|vá|odp|rv|res|ynt|απ|回复|回覆|答复|答覆|返信|fwd?|fw|wg|tr|i|enc|転送|转发|轉寄)\s*(?:\[\d+\])?\s*[:：]\s*/iu
const replyMark = /^\s*(?:re|r|aw|antw|sv|vs|vá|odp|rv|res|ynt|απ|回复|回覆|答复|答覆|返信)\s*(?:\[\d+\])?\s*[:：]/iu

/** The subject without reply and forward marks, in one case and spacing: what two e-mails of one thread share. */
export function baseSubject(subject: string | null): string {
  let rest = subject ?? ''
  for (;;) {
    const next = rest.replace(mark, '')
    if (next === rest) return rest.replace(/\s+/g, ' ').trim().toLowerCase()
    rest = next
  }
}

/** Whether it says that it answers something. */
export function isReplySubject(subject: string | null): boolean {
  return subject !== null && replyMark.test(subject)
}

/** Platform facts 3.5: a reply's subject is the thread's with `Re:`, unless it is already there. */
export function replySubject(subject: string | null): string {
  return prefixed('Re:', /^\s*re\s*:/i, subject)
}

/** Platform facts 3.6: a forwarded e-mail's subject is the thread's with `Fwd:`. */
export function forwardSubject(subject: string | null): string {
  return prefixed('Fwd:', /^\s*fwd\s*:/i, subject)
}

function prefixed(prefix: string, present: RegExp, subject: string | null): string {
  if (subject === null) return prefix
  return present.test(subject) ? subject : `${prefix} ${subject}`
}
