import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'

/** Numbers between 0 and 1 that are the same for the same seed (mulberry32). */
const createRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const PAGE = 4096

type Damage = (file: string, random: () => number) => void

const edit = (file: string, change: (bytes: Buffer) => void): void => {
  const bytes = readFileSync(file)
  if (bytes.length > 0) change(bytes)
  writeFileSync(file, bytes)
}
const below = (random: () => number, limit: number): number => Math.floor(random() * limit)

const flip = (bytes: Buffer, at: number, bits: number): void => {
  bytes[at] = (bytes[at] ?? 0) ^ bits
}

/** What happens to files: on a failing disk, in a half restored backup, by the hand of a person. */
const DAMAGES = {
  'a byte is another': (file, random) =>
    edit(file, (bytes) => flip(bytes, below(random, bytes.length), 1 + below(random, 255))),
  'twenty bytes are others': (file, random) =>
    edit(file, (bytes) => {
      for (let count = 0; count < 20; count += 1) bytes[below(random, bytes.length)] = below(random, 256)
    }),
  'a page is zeros': (file, random) =>
    edit(file, (bytes) =>
      bytes.fill(0, ...((from) => [from, from + PAGE] as const)(below(random, Math.ceil(bytes.length / PAGE)) * PAGE)),
    ),
  'a page is noise': (file, random) =>
    edit(file, (bytes) => {
      const from = below(random, Math.ceil(bytes.length / PAGE)) * PAGE
      for (let at = from; at < Math.min(from + PAGE, bytes.length); at += 1) bytes[at] = below(random, 256)
    }),
  'its end is missing': (file, random) => truncateSync(file, below(random, readFileSync(file).length)),
  'it is empty': (file) => writeFileSync(file, ''),
  'it is not there': (file) => rmSync(file),
  'it is something else': (file, random) =>
    writeFileSync(file, 'A letter, and no database.\n'.repeat(1 + below(random, 2000))),
  'its header is another': (file, random) =>
    edit(file, (bytes) => {
      for (let count = 0; count < 3; count += 1) bytes[below(random, Math.min(100, bytes.length))] = below(random, 256)
    }),
  'its log is not there': (file) => rmSync(`${file}-wal`, { force: true }),
  'its log is noise': (file, random) => {
    if (existsSync(`${file}-wal`)) edit(`${file}-wal`, (bytes) => flip(bytes, below(random, bytes.length), 0xff))
  },
} as const satisfies Readonly<Record<string, Damage>>

export type DamageName = keyof typeof DAMAGES

/** Damages after which something is missing, whatever was hit. */
export const CERTAIN_HARM: readonly DamageName[] = ['it is empty', 'it is not there', 'it is something else']

/** Damages a file. @returns what was done */
export const damage = (file: string, seed: number): DamageName => {
  const random = createRandom(seed)
  const names = Object.keys(DAMAGES) as DamageName[]
  const name = names[seed % names.length] ?? 'it is empty'
  DAMAGES[name](file, random)
  return name
}
