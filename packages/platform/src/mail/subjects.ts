const replyNames = 're|r|aw|antw|sv|vs|vá|odp|rv|res|ynt|απ|回复|回覆|答复|答覆|返信'
const forwardNames = 'fwd?|fw|wg|tr|i|enc|転送|转发|轉寄'

/**
 * Matches a prefix such as `Re:`, `Fwd:` or `Re[2]:`. Subjects are untrusted, so no two parts may match the same white
 * space: that would take quadratic time.
 */
const markOf = (names: string): RegExp => new RegExp(String.raw`\s*(?:${names})\s*(?:\[\d+\]\s*)?[:：]`, 'iuy')
const anyMark = markOf(`${replyNames}|${forwardNames}`)
const replyMark = markOf(replyNames)

function endOfMark(mark: RegExp, subject: string, from: number): number | null {
  mark.lastIndex = from
  return mark.test(subject) ? mark.lastIndex : null
}

/** The subject without reply and forward prefixes, in normalised case and spacing, for comparison within a thread. */
export function toBaseSubject(subject: string | null): string {
  const text = subject ?? ''
  let start = 0
  for (let end = endOfMark(anyMark, text, 0); end !== null; end = endOfMark(anyMark, text, start)) start = end
  return text.slice(start).replace(/\s+/g, ' ').trim().toLowerCase()
}

export function isReplySubject(subject: string | null): boolean {
  return subject !== null && endOfMark(replyMark, subject, 0) !== null
}

/** A reply's subject is the thread's with `Re:` in front, unless it already starts with that (platform.md 13.3). */
export function toReplySubject(subject: string | null): string {
  return withPrefix('Re:', /^\s*re\s*:/i, subject)
}

/** A forward's subject is the thread's with `Fwd:` in front (platform.md 13.6). */
export function toForwardSubject(subject: string | null): string {
  return withPrefix('Fwd:', /^\s*fwd\s*:/i, subject)
}

function withPrefix(prefix: string, present: RegExp, subject: string | null): string {
  if (subject === null) return prefix
  return present.test(subject) ? subject : `${prefix} ${subject}`
}
