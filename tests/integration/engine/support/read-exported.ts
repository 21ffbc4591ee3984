import { readFile } from 'node:fs/promises'
import type { ExportState } from '../../../../src/shared/export.ts'
import { runPython } from '../../../support/python.ts'
import { readMbox, type MboxMessage } from '../../../support/read-mbox.ts'
import type { TestPlatform } from './test-platform.ts'

export const bare = (messageId: string | null | undefined): string => (messageId ?? '').replace(/[<>\s]/g, '')

export const readExported = async ({ path }: Pick<ExportState, 'path'>): Promise<readonly MboxMessage[]> =>
  readMbox(await readFile(path))
export const messageIds = (messages: readonly MboxMessage[]): readonly string[] =>
  messages.map(({ headers }) => bare(headers.get('message-id'))).toSorted()

/** Each message and its parts, as Python's `mailbox` reads them. */
const READ = `import json, mailbox, sys
read = []
for m in mailbox.mbox(sys.argv[1]):
    parts = [p for p in m.walk() if not p.is_multipart()]
    size = sum(len(p.get_payload(decode=True) or b'') for p in parts)
    read.append([m['Message-ID'] or '', m['Subject'] is not None, size, m.get_flags()])
print(json.dumps(read))`

export const readByPython = (path: string): readonly (readonly [string, boolean, number, string])[] =>
  // The script prints this type.
  runPython(READ, path) as ReturnType<typeof readByPython>

export const deliverLetters = async (
  platform: TestPlatform,
  count: number,
  at = (index: number): number => Date.UTC(2026, 9, 1, 0, index),
): Promise<void> => {
  for (let index = 0; index < count; index += 1) {
    await platform.deliver({
      messageId: `<letter-${index}@example.com>`,
      subject: `Letter ${index}`,
      text: `From here on it is letter ${index}.\n>From there too.\n`,
      date: new Date(at(index)),
      ...(index % 3 === 0 && {
        attachments: [{ filename: `Größe ${index}.bin`, content: Buffer.alloc(5_000, index) }],
      }),
    })
  }
}

/** Bytes from Python's `mailbox`, without the quoting and the headers that the mbox added. */
const DIGEST = `import hashlib, json, mailbox, re, sys
found = []
box = mailbox.mbox(sys.argv[1])
for key in box.iterkeys():
    raw = box.get_bytes(key)
    raw = re.sub(rb'\\A(?:(?:Status|X-Gmail-Labels):[^\\n]*\\n(?:[ \\t][^\\n]*\\n)*)+', b'', raw)
    raw = re.sub(rb'(?m)^>(>*From )', rb'\\1', raw)
    digest = hashlib.sha256(re.sub(rb'\\n*\\Z', b'', raw) + b'\\n').hexdigest()
    found.append([box[key]['Message-ID'] or '', digest])
print(json.dumps(found))`

export const digestsByPython = (path: string): readonly (readonly [string, string])[] =>
  // The script prints this type.
  runPython(DIGEST, path) as ReturnType<typeof digestsByPython>
