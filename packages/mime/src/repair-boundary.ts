import type { Email } from 'postal-mime'

const maxSearchedBytes = 1_000_000

/** True if a multipart message has no parts because its boundary is missing or wrong. */
export function hasNoParts({ headers, text, html, attachments }: Email): boolean {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? ''
  return /^\s*multipart\//i.test(type) && text === undefined && html === undefined && attachments.length === 0
}

/** Uses the real boundary: the first line that starts with `--` before a part header. Null if there is none. */
export function repairBoundary(raw: Uint8Array): Uint8Array | null {
  const text = Buffer.from(raw.subarray(0, maxSearchedBytes)).toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  if (end === null) return null
  const head = text.slice(0, end.index)
  const type = /^content-type:\s*(multipart\/[\w-]+).*(?:\r?\n[ \t].*)*/im.exec(head)
  // RFC 2046, 5.1.1: at most 70 characters.
  const divider = /^--(\S(?:[^\r\n"\\]{0,68}[^\s"\\])?)[ \t]*\r?\n(?:content-|mime-version:|\r?\n)/im.exec(
    text.slice(end.index + end[0].length),
  )
  if (type === null || divider === null) return null
  const named = `Content-Type: ${type[1] ?? ''}; boundary="${divider[1] ?? ''}"`
  const changed = head.slice(0, type.index) + named + head.slice(type.index + type[0].length)
  return Buffer.concat([Buffer.from(changed, 'latin1'), raw.subarray(end.index)])
}
