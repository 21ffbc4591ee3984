import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Random } from '../../../support/random.ts'

const PAGE = 4096

type Damage = (file: string, random: Random) => void

const edit = (file: string, change: (bytes: Buffer) => void): void => {
  const bytes = readFileSync(file)
  if (bytes.length > 0) change(bytes)
  writeFileSync(file, bytes)
}

const flip = (bytes: Buffer, at: number, bits: number): void => {
  bytes[at] = (bytes[at] ?? 0) ^ bits
}

/** A WAL that SQLite wrote for another file, complete and with valid checksums. */
const writeStrangersLog = (log: string): void => {
  const directory = mkdtempSync(join(tmpdir(), 'linnet-stranger-'))
  const file = join(directory, 'stranger.sqlite')
  const stranger = new Database(file)
  stranger.pragma('journal_mode = WAL')
  stranger.exec("CREATE TABLE strangers (words TEXT); INSERT INTO strangers VALUES ('from elsewhere')")
  cpSync(`${file}-wal`, log)
  stranger.close()
  rmSync(directory, { recursive: true })
}

/** Damage by a failing disk, a partly restored backup, or the user. */
const DAMAGES = {
  'a byte is another': (file, random) =>
    edit(file, (bytes) => flip(bytes, random.below(bytes.length), 1 + random.below(255))),
  'twenty bytes are others': (file, random) =>
    edit(file, (bytes) => {
      for (let count = 0; count < 20; count += 1) bytes[random.below(bytes.length)] = random.below(256)
    }),
  'a page is zeros': (file, random) =>
    edit(file, (bytes) =>
      bytes.fill(
        0,
        ...((from) => [from, Math.min(from + PAGE, bytes.length)] as const)(
          random.below(Math.ceil(bytes.length / PAGE)) * PAGE,
        ),
      ),
    ),
  'a page is noise': (file, random) =>
    edit(file, (bytes) => {
      const from = random.below(Math.ceil(bytes.length / PAGE)) * PAGE
      for (let at = from; at < Math.min(from + PAGE, bytes.length); at += 1) bytes[at] = random.below(256)
    }),
  'its end is missing': (file, random) => truncateSync(file, random.below(readFileSync(file).length)),
  'it is empty': (file) => writeFileSync(file, ''),
  'it is not there': (file) => rmSync(file),
  'it is something else': (file, random) =>
    writeFileSync(file, 'A letter, and no database.\n'.repeat(1 + random.below(2000))),
  'its header is another': (file, random) =>
    edit(file, (bytes) => {
      for (let count = 0; count < 3; count += 1) bytes[random.below(Math.min(100, bytes.length))] = random.below(256)
    }),
  'its first page is noise': (file, random) =>
    edit(file, (bytes) => {
      for (let at = 0; at < Math.min(PAGE, bytes.length); at += 1) bytes[at] = random.below(256)
    }),
  'its log is not there': (file) => rmSync(`${file}-wal`, { force: true }),
  'a byte of its log is another': (file, random) => {
    if (existsSync(`${file}-wal`)) edit(`${file}-wal`, (bytes) => flip(bytes, random.below(bytes.length), 0xff))
  },
  'its log is noise': (file, random) =>
    writeFileSync(`${file}-wal`, Buffer.from(Array.from({ length: 9000 }, () => random.below(256)))),
  'its log ends in the middle': (file, random) => {
    const log = `${file}-wal`
    if (existsSync(log)) truncateSync(log, random.below(readFileSync(log).length))
  },
  'its log is that of another file': (file) => writeStrangersLog(`${file}-wal`),
  'its index of the log is noise': (file, random) =>
    writeFileSync(`${file}-shm`, Buffer.from(Array.from({ length: 32_768 }, () => random.below(256)))),
} as const satisfies Readonly<Record<string, Damage>>

export type DamageName = keyof typeof DAMAGES

/** Damage that always loses something, wherever it hits. */
export const CERTAIN_HARM: readonly DamageName[] = ['it is empty', 'it is not there', 'it is something else']

/** Damages a file. @returns the kind of damage */
export const damage = (file: string, seed: number): DamageName => {
  const random = new Random(seed)
  const names = Object.keys(DAMAGES) as DamageName[]
  const name = names[seed % names.length] ?? 'it is empty'
  DAMAGES[name](file, random)
  return name
}
