import type { Email } from 'postal-mime'

const lookedThrough = 1_000_000

/** Whether a message says that it has parts and has none: its boundary is missing, or another than the one it names. */
export function hasNoParts({ headers, text, html, attachments }: Email): boolean {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? ''
  return /^\s*multipart\//i.test(type) && text === undefined && html === undefined && attachments.length === 0
}

/**
 * The same message under the boundary that divides it: that of the first line which begins with `--` and has the header
 * of a part below it.
 * @returns `null` where it has none
 */
export function withFoundBoundary(raw: Uint8Array): Uint8Array | null {
  const text = Buffer.from(raw.subarray(0, lookedThrough)).toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  if (end === null) return null
  const head = text.slice(0, end.index)
  const type = /^content-type:\s*(multipart\/[\w-]+).*(?:\r?\n[ \t].*)*/im.exec(head)
  // RFC 2046, 5.1.1: a boundary has 70 characters at most.
  const divider = /^--(\S(?:[^\r\n"\\]{0,68}[^\s"\\])?)[ \t]*\r?\n(?:content-|mime-version:|\r?\n)/im.exec(
    text.slice(end.index + end[0].length),
  )
  if (type === null || divider === null) return null
  const named = `Content-Type: ${type[1] ?? ''}; boundary="${divider[1] ?? ''}"`
  const changed = head.slice(0, type.index) + named + head.slice(type.index + type[0].length)
  return Buffer.concat([Buffer.from(changed, 'latin1'), raw.subarray(end.index)])
}
