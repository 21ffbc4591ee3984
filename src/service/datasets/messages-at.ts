import { open, readFile, readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { unzipSync } from 'fflate'
import type { Folder } from '../storage/threads.ts'
import { isJsonLines, jsonMessages } from './json-lines.ts'
import { linesOf } from './lines-of.ts'
import { folderNamed, readMailboxLabels } from './mailbox-labels.ts'
import { plainMessage, type StoredMessage } from './stored-message.ts'

/**
 * Every message at a path: a file, or a folder of files.
 * @param around the folder of mail that the file lies in, as far as it belongs to what is imported
 * @throws Error that names the path when it cannot be read
 */
export async function* messagesAt(path: string, around: Folder | null = null): AsyncGenerator<StoredMessage> {
  if ((await stat(path)).isDirectory()) {
    for (const entry of (await readdir(path)).toSorted()) {
      const inner = join(path, entry)
      if ((await stat(inner)).isDirectory()) yield* messagesAt(inner, folderNamed(entry))
      else if (isMailFile(inner)) yield* messagesAt(inner, around)
    }
  } else if (isJsonLines(path)) yield* jsonMessages(path)
  else if (extname(path).toLowerCase() === '.zip') yield* zippedMessages(await readFile(path))
  else if (await isMbox(path)) yield* mboxMessages(path)
  // A Maildir ends a file's name with its flags; S is for seen.
  else yield { ...plainMessage(await readFile(path)), isSeen: /:2,[A-Z]*S/.test(basename(path)), folder: around }
}

/** The messages in an archive, which is held in memory. */
function* zippedMessages(archive: Buffer): Generator<StoredMessage> {
  const files = unzipSync(archive, { filter: ({ name }) => extname(name).toLowerCase() === '.eml' })
  for (const [name, bytes] of Object.entries(files)) {
    // An export of Linnet's has a folder for each folder of mail.
    yield { ...plainMessage(Buffer.from(bytes)), folder: folderNamed(name.split('/').at(-2) ?? '') }
  }
}

/** In a folder: by the file's name, or because it lies where a Maildir keeps its messages. */
function isMailFile(path: string): boolean {
  return (
    ['.eml', '.mbox', '.zip', '.jsonl'].includes(extname(path).toLowerCase()) ||
    ['cur', 'new'].includes(basename(dirname(path)))
  )
}

/**
 * A line that parts the messages of an mbox (RFC 4155): `From `, who sent it, and when, as `asctime` writes it. `From `
 * alone is how a sentence may begin, and a header of old mail (`From : ann@example.com`).
 */
function isSeparator(line: string): boolean {
  return line.length < 1000 && /^From +\S.*\b\d{1,2}:\d\d(?::\d\d)?\b.*\b\d{4}\b/.test(line)
}

/** A line of a header: what follows a separator. */
function isHeader(line: string): boolean {
  return /^[!-9;-~]{1,100}[ \t]*:/.test(line)
}

/** Enough for a separator and the header after it. */
const headBytes = 4096

async function isMbox(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const [first = '', second = ''] = buffer.toString('latin1', 0, bytesRead).split(/\r?\n/, 2)
    return isSeparator(first) && isHeader(second)
  } finally {
    await file.close()
  }
}

/**
 * What a program that keeps an mbox puts before a message's own headers: whether it was read, and where it lay (Google's
 * export has the latter, as Linnet's has). None of it was sent.
 */
const ofMailbox = /^(?:status|x-status|x-gmail-labels):/i

/** Splits an mbox (RFC 4155, with the `>From ` quoting of mboxrd undone) without holding the file in memory. */
async function* mboxMessages(path: string): AsyncGenerator<StoredMessage> {
  const lines = linesOf(path)
  let message: string[] | null = null
  /** A line that parts messages if a header follows it. */
  let separator: string | null = null
  let afterBlank = true
  for await (const line of lines) {
    if (separator !== null) {
      if (isHeader(line)) {
        if (message) yield storedMessage(message)
        message = []
      } else message?.push(separator)
      separator = null
    }
    if (afterBlank && isSeparator(line)) separator = line
    else message?.push(/^>+From /.test(line) ? line.slice(1) : line)
    afterBlank = line === ''
  }
  if (separator !== null) message?.push(separator)
  if (message) yield storedMessage(message)
}

/** @param lines with the blank line before the next message's separator, which is not the message's own */
function storedMessage(lines: readonly string[]): StoredMessage {
  let start = 0
  const headers: string[] = []
  while (ofMailbox.test(lines[start] ?? '')) {
    let header = lines[start] ?? ''
    start += 1
    for (; /^[ \t]/.test(lines[start] ?? ''); start += 1) header += lines[start] ?? ''
    headers.push(header)
  }
  const own = lines.slice(start, lines.at(-1) === '' ? -1 : lines.length)
  const raw = Buffer.from(own.map((line) => `${line}\r\n`).join(''), 'latin1')
  const said = headers.find((header) => /^x-gmail-labels:/i.test(header))
  const place = said === undefined ? {} : readMailboxLabels(said.slice(said.indexOf(':') + 1))
  return { ...plainMessage(raw), isSeen: headers.some((header) => /^status:.*R/i.test(header)), ...place }
}
